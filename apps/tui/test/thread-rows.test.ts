import type { SessionView } from "@askbox/core";
import { anAsk, anAsker } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { threadRows } from "../src/rows/thread-rows.ts";

const session = {
  asker: anAsker(),
  questions: anAsk().questions,
  thread: [
    { id: "1", questionId: "q_select", text: "Why not Postgres?", by: { surface: "web", name: "Bob" }, at: 1 },
    { id: "2", text: `It needs a server. ${"More. ".repeat(20)}\u001b[31m`, by: { surface: "asker" }, at: 2 },
  ],
} as unknown as SessionView;

test("a thread is shown with who wrote each message, wrapped to the width and cleaned", () => {
  const rows = threadRows(session, 80, false).map((row) => row.map(({ text }) => text).join(""));
  expect(rows.slice(0, 3)).toEqual(["", "Asked back (by Bob in the browser), about question 2", "  Why not Postgres?"]);
  expect(rows.slice(3, 6)).toEqual(["", "test-client replied", expect.stringMatching(/^ {2}It needs a server\. More\./)]);
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(rows.join("\n")).not.toContain("\u001b");
  expect(threadRows({ ...session, thread: undefined } as unknown as SessionView, 80, false)).toEqual([]);
});
