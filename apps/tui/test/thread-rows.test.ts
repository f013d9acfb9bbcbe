import { stripVTControlCharacters } from "node:util";
import type { SessionView } from "@askbox/core";
import { anAsk, anAsker } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { timeStyle } from "../src/model/words.ts";
import { threadRows } from "../src/rows/session-rows.ts";
import { aScreen } from "./support/screen.ts";

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
  expect(rows.slice(0, 2)).toEqual([
    expect.stringMatching(/^Asked back \(by Bob in the browser\), about question 2, \d\d:\d\d$/),
    "  Why not Postgres?",
  ]);
  expect(rows[2]).toBe("  The agent has left. It gets this when it comes back.");
  expect(rows.slice(3, 6)).toEqual([
    "",
    expect.stringMatching(/^test-client replied, \d\d:\d\d$/),
    expect.stringMatching(/^ {2}It needs a server\. More\./),
  ]);
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(rows.join("\n")).not.toContain("\u001b");
  expect(threadRows({ ...session, thread: undefined } as unknown as SessionView, 1, 80, false)).toEqual([]);
});

test("a thread is between the question and its field, and the list says where it stands", async () => {
  const { frame, desk, broker, id, settle } = await aScreen({
    request: { questions: [{ id: "name", type: "text", question: "What is it called?", required: true, placeholder: "a short noun" }] },
  });
  const lines = () => frame.at({ columns: 160, rows: 20, plain: false }).lines.map(stripVTControlCharacters);
  const places = (...texts: string[]) => texts.map((text) => lines().findIndex((each) => each.includes(text)));
  await desk.askBack(id, { text: "For whom?" });
  await settle();
  const asked = places("Asked; waiting for the agent", "What is it called?", "Asked back", "For whom?", "a short noun");
  expect(asked).not.toContain(-1);
  expect(asked.slice(1)).toEqual(asked.slice(1).sort((one, other) => one - other));
  await broker.asker("owner").resume(id, { asker: anAsker({ agentId: "first matter" }), maxWait: 0, reply: "For carpenters." });
  await settle();
  const replied = places("● Replied", "For whom?", "For carpenters.", "a short noun");
  expect(replied).not.toContain(-1);
  expect(replied.slice(1)).toEqual(replied.slice(1).sort((one, other) => one - other));
  expect(lines().join()).not.toContain("Asked; waiting");
});

test("the time left is a warning in the last two minutes, and loud in the last 30 seconds, whatever the total", () => {
  const styleWith = (timeout: number, left: number) => timeStyle({ ...session, createdAt: 0, deadlineAt: timeout }, timeout - left);
  expect([styleWith(50_000, 30_001), styleWith(50_000, 30_000)]).toEqual(["warning", "error"]);
  expect([styleWith(3_600_000, 120_001), styleWith(3_600_000, 120_000)]).toEqual(["dim", "warning"]);
  expect(timeStyle({ ...session, deadlineAt: null }, 0)).toBe("dim");
});
