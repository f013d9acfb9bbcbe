import type { SessionView } from "@askbox/core";
import { expect, test } from "vitest";
import { backgroundLine, backgroundRows } from "../src/rows/session-rows.ts";

const session = (background?: SessionView["asker"]["background"]) => ({ asker: { client: { name: "codex" }, background } }) as SessionView;
const textOf = (rows: readonly (readonly { text: string }[])[]) =>
  rows.map((row) =>
    row
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );

test("what the agent was doing is one line of a form, and whole in the reader", () => {
  const background = { said: "**Done**\u001b[31m.\nShall I go on?", steps: ["Bash: make"], changes: " a.ts | 2 +-\n 1 file changed" };
  expect(textOf(backgroundLine(session(background), 80))).toEqual(["", "Before it asked: **Done**␛. Shall I go on?"]);
  expect(textOf(backgroundRows(session(background), 80, true))).toEqual([
    ...["", "It said before it asked", expect.stringContaining("␛."), expect.stringContaining("Shall I go on?")],
    ...["", "Its last steps", "  Bash: make"],
    ...["", "Changes since the last commit", "   a.ts | 2 +-", "   1 file changed"],
  ]);
  expect([...backgroundLine(session(), 80), ...backgroundRows(session(), 80, true)]).toEqual([]);
});
