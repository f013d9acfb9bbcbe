import { type AskResult, askResult, earlierResult, type Reply, type SessionRecord, type ThreadMessage } from "@askbox/core";
import { askResultSchema } from "@askbox/core/schemas";
import { anAsk, anOutcome, aRecord, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const none = { answered: false, cancelled: false, timedOut: false, answers: [] };
const by = { surface: "web", name: "Ada" } as const;
const sessionId = aRecord().id;
const { answers } = anOutcome();
const reply: Reply = { answers, by, at: 1_700_000_400_000 };
const timeout = (fields: Partial<SessionRecord> = {}) =>
  settled(aRecord(fields), { kind: "timedOut", by: { surface: "deadline" }, at: 1_700_000_300_000 });
const questions = anAsk().questions.map(({ id, question }) => ({ id, question }));
const { title } = anAsk();
const thread: ThreadMessage[] = [
  { id: "m-1", text: "Why SQLite?", by, at: 1, deliveredAt: 2 },
  { id: "m-2", text: "It needs no server.", by: { surface: "asker", name: "test-client" }, at: 3 },
  { id: "m-3", questionId: "q_select", text: "Why not Postgres?", by, at: 4, request: "request-1" },
  { id: "m-4", text: "And when?", by, at: 5 },
];

describe("the result for an asker", () => {
  test.each<[string, SessionRecord, AskResult]>([
    ["an open session is a ticket", aRecord(), { ...none, pending: true, sessionId }],
    [
      "an answered one is its answers and who gave them",
      settled(aRecord(), anOutcome({ by })),
      { ...none, answered: true, answers, sessionId, answeredBy: by },
    ],
    [
      "a comment comes along",
      settled(aRecord(), anOutcome({ by, comment: "Be quick." })),
      { ...none, answered: true, answers, sessionId, comment: "Be quick.", answeredBy: by },
    ],
    [
      "a cancelled one says who did it",
      settled(aRecord(), { kind: "cancelled", by, at: 1 }),
      { ...none, cancelled: true, sessionId, answeredBy: by },
    ],
    [
      "and why, where that was said",
      settled(aRecord(), { kind: "cancelled", reason: "not now", by, at: 1 }),
      { ...none, cancelled: true, sessionId, reason: "not now", answeredBy: by },
    ],
    [
      "of an open one, what a person asks back that the asker has not been given",
      aRecord({ thread }),
      { ...none, pending: true, sessionId, askedBack: [{ questionId: "q_select", text: "Why not Postgres?" }, { text: "And when?" }] },
    ],
    [
      "of an answered one, what came at the same moment",
      settled(aRecord({ thread: thread.slice(-1) }), anOutcome({ by })),
      { ...none, answered: true, answers, sessionId, answeredBy: by, askedBack: [{ text: "And when?" }] },
    ],
    ["of one that timed out, that nobody saw it", timeout(), { ...none, timedOut: true, sessionId, seen: false }],
    ["or that somebody did", timeout({ seenAt: 0 }), { ...none, timedOut: true, sessionId, seen: true }],
  ])("%s", (_what, record, result) => {
    expect(askResult(record)).toStrictEqual(result);
    expect(askResultSchema.parse(result)).toStrictEqual(result);
  });

  test("is only marked as late if it is", () => {
    expect(askResult(settled(aRecord()), { late: true })).toHaveProperty("late", true);
    expect(askResult(settled(aRecord()), { late: false })).not.toHaveProperty("late");
  });

  test("contains a reply after the deadline along with the timeout, before other remarks", () => {
    const other = earlierResult(settled(aRecord({ id: "other" })));
    const own = earlierResult({ ...timeout(), reply });
    expect(askResult({ ...timeout(), reply }, { earlier: [other] })).toStrictEqual({
      ...none,
      timedOut: true,
      sessionId,
      seen: false,
      earlier: [own, other],
    });
    expect(askResult(timeout(), { earlier: [other] }).earlier).toStrictEqual([other]);
    expect(askResult(timeout(), { earlier: [] })).not.toHaveProperty("earlier");
  });
});

describe("an earlier outcome", () => {
  test("includes the title and the answered questions, as far as they are needed to understand it", () => {
    const record = settled(aRecord(), anOutcome({ by }));
    expect(earlierResult(record)).toStrictEqual({ ...none, answered: true, answers, sessionId, answeredBy: by, title, questions });
    const { title: _title, ...request } = anAsk();
    expect(earlierResult({ ...record, request })).not.toHaveProperty("title");
  });

  test("with a reply is still a timeout, with the reply's text and author", () => {
    const told = { ...none, timedOut: true, sessionId, seen: false, answers, answeredBy: by, repliedAfterTimeout: true, title, questions };
    expect(earlierResult({ ...timeout(), reply })).toStrictEqual(told);
    expect(earlierResult({ ...timeout(), reply: { ...reply, comment: "Sorry." } })).toStrictEqual({ ...told, comment: "Sorry." });
    expect(askResultSchema.parse({ ...none, late: true, earlier: [told] })).toStrictEqual({ ...none, late: true, earlier: [told] });
  });
});
