import type { SessionView } from "@askbox/core";
import { anAsk, anAsker } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { threadRows } from "../src/rows/thread-rows.ts";

const session = {
  status: "pending",
  presence: { asker: "away", openIn: [] },
  asker: anAsker(),
  questions: anAsk().questions,
  thread: [
    { id: "1", questionId: "q_select", text: "Why not Postgres?", by: { surface: "web", name: "Bob" }, at: 1 },
    { id: "2", text: `It needs a server. ${"More. ".repeat(20)}\u001b[31m`, by: { surface: "asker" }, at: 2 },
  ],
} as unknown as SessionView;

test("a thread is shown with the author of each message, wrapped and sanitised", () => {
  const rows = threadRows(session, 60_000, 80, false)
    .flat()
    .map((row) => row.map(({ text }) => text).join(""));
  expect(rows.slice(0, 3)).toEqual([
    "",
    expect.stringMatching(/^Asked back \(by Bob in the browser\), about question 2, \d\d:\d\d$/),
    "  Why not Postgres?",
  ]);
  expect(rows[3]).toBe("  The agent has left. It gets this with its next call.");
  expect(rows.slice(4, 7)).toEqual([
    "",
    expect.stringMatching(/^test-client replied, \d\d:\d\d$/),
    expect.stringMatching(/^ {2}It needs a server\. More\./),
  ]);
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(rows.join("\n")).not.toContain("\u001b");
  expect(threadRows({ ...session, thread: undefined } as unknown as SessionView, 1, 80, false)).toEqual([]);
});
