import { AskboxError, type SessionRecord } from "@askbox/core";
import { isUndelivered, pageCursor, pageLimit, readCursor, searchText } from "@askbox/core/stores";
import { anAsk, anAsker, anOutcome, aRecord, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const by = { surface: "web" } as const;

describe("the search text", () => {
  const asked = [
    "a new module",
    "/home/ada/engine",
    "main",
    "agent-1",
    "test-client",
    "what should the new module be called?",
    "which database should it use?",
    "sqlite",
    "postgres",
    "which platforms should it support?",
    "linux",
    "macos",
    "windows",
    "may it replace the old module?",
  ];
  const lines = (record: SessionRecord) => searchText(record).split("\n");

  test("is what was asked and by whom, in lower case, each on its own line", () => {
    expect(lines(aRecord())).toEqual(asked);
  });

  test("includes headers, and omits missing fields", () => {
    const [first, ...others] = anAsk().questions.map(({ id, question }) => ({ id, question, type: "text", required: true }) as const);
    const record = aRecord({
      asker: anAsker({ project: undefined, branch: undefined, agentId: undefined }),
      request: { questions: first === undefined ? [] : [{ ...first, header: "NAME" }, ...others], timeout: 10_000 },
    });
    expect(lines(record)).toEqual(["test-client", asked[5], "name", ...asked.slice(6).filter((line) => line.endsWith("?"))]);
  });

  test("includes the answers as displayed and as sent, notes and the comment", () => {
    expect(lines(settled(aRecord(), anOutcome({ comment: "Be quick." }))).slice(asked.length)).toEqual([
      "be quick.",
      ...["lathe", "lathe"],
      ...["sqlite", "sqlite"],
      ...["linux, plan 9", "linux"],
      ...["yes", "yes", "after the release"],
    ]);
    const strange = anOutcome({ answers: [{ questionId: "q_gone", values: ["Value"] }] });
    expect(lines(settled(aRecord(), strange)).slice(asked.length)).toEqual(["value"]);
  });

  test("includes the reason for a cancellation, and the reply after the deadline", () => {
    const cancelled = settled(aRecord(), { kind: "cancelled", reason: "Not now", by, at: 1 });
    expect(lines(cancelled).slice(asked.length)).toEqual(["not now"]);
    const reply = { answers: [{ questionId: "q_text", values: ["Mill"] }], comment: "Sorry.", by, at: 2 };
    const late = settled(aRecord(), { kind: "timedOut", by: { surface: "deadline" }, at: 1 });
    expect(lines({ ...late, reply }).slice(asked.length)).toEqual(["sorry.", "mill", "mill"]);
  });
});

test("an outcome is undelivered until it is handed over, and so is its reply", () => {
  const reply = { answers: [], by, at: 2 };
  const delivery = { deliveredAt: 0 };
  expect(isUndelivered(aRecord())).toBe(false);
  expect(isUndelivered({ ...aRecord(), delivery })).toBe(false);
  expect(isUndelivered(settled(aRecord()))).toBe(true);
  expect(isUndelivered({ ...settled(aRecord()), delivery })).toBe(false);
  expect(isUndelivered({ ...settled(aRecord()), delivery, reply })).toBe(true);
  expect(isUndelivered({ ...settled(aRecord()), delivery, reply: { ...reply, deliveredAt: 0 } })).toBe(false);
});

test("a page has 1 to 1,000 sessions, 100 by default", () => {
  expect([undefined, -5, 0, 1, 2.9, 1_000, 1_001].map((limit) => pageLimit(limit))).toEqual([100, 1, 1, 1, 2, 1_000, 1_000]);
});

test("a cursor names the session after which a page starts, and an invalid one is rejected", () => {
  const position = { createdAt: 1_700_000_000_000, id: "a_b" };
  expect(pageCursor(position)).toBe("1700000000000_a_b");
  expect(readCursor(pageCursor(position))).toEqual(position);
  expect(readCursor("7_")).toEqual({ createdAt: 7, id: "" });
  for (const cursor of ["", "7", "_7", "x_7", "Infinity_7"]) {
    expect(() => readCursor(cursor), cursor).toThrow(new AskboxError("VALIDATION", "The cursor is invalid; start again without one."));
    expect(() => readCursor(cursor)).toThrow(expect.objectContaining({ code: "VALIDATION" }));
  }
});
