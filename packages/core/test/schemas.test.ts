import { type Draft, type Outcome, type SessionRecord, type SessionView, surfaces } from "@askbox/core";
import { stateOf, statuses, statusOf } from "@askbox/core/machine";
import {
  actorSchema,
  answerSetSchema,
  draftPatchSchema,
  draftSchema,
  outcomeSchema,
  sessionViewSchema,
  surfaceSchema,
} from "@askbox/core/schemas";
import { readRecord } from "@askbox/core/stores";
import { anAsk, anAsker, anOutcome, aRecord, settled } from "@askbox/core/testing";
import { expect, test } from "vitest";

const by = { surface: "web", name: "Ada" } as const;
const { answers } = anOutcome();
const scheduled = { answers, comment: "Be quick.", by, sendAt: 1_700_000_002_000 };
const earlierAnswer = { sessionId: "before", answers, comment: "Be quick.", by, at: 1_700_000_000_500 };
const reply = { answers, comment: "Sorry.", by, at: 1_700_000_400_000, deliveredAt: 1_700_000_500_000 };

test("every surface can produce an outcome, also one of a newer askbox, and so can the asker and the deadline", () => {
  expect(surfaces).toEqual(["terminal", "web", "cli", "client", "api"]);
  for (const surface of [...surfaces, "telegram", "asker", "deadline"])
    expect(actorSchema.parse({ surface, name: "n" })).toEqual({ surface, name: "n" });
});

test.each(["grant", "asker", "deadline", "", "Web", "a b", "\u001b[2J", "a".repeat(41)])("no desk can be the surface %j", (surface) => {
  expect(surfaceSchema.safeParse(surface).success).toBe(false);
});

test.each<[string, Outcome]>([
  ["an answer", { kind: "answered", answers, comment: "Be quick.", by, at: 1 }],
  ["a cancellation", { kind: "cancelled", reason: "no", by, at: 1 }],
  ["a timeout", { kind: "timedOut", by: { surface: "deadline" }, at: 1 }],
])("%s keeps all its fields", (_what, outcome) => {
  expect(outcomeSchema.parse(outcome)).toStrictEqual(outcome);
  expect(outcomeSchema.safeParse({ ...outcome, kind: "lost" }).success).toBe(false);
});

test("an answer, a draft and a draft change keep all their fields", () => {
  const set = { answers, comment: "Be quick." };
  expect(answerSetSchema.parse(set)).toStrictEqual(set);
  const fields = { q_text: { values: ["l"], customText: "o", note: "n", skipped: false } };
  const draft: Draft = { sessionId: "s", revision: 1, fields, comment: "c", updatedAt: 1, by, scheduled };
  expect(draftSchema.parse(draft)).toStrictEqual(draft);
  expect(draftSchema.safeParse({ ...draft, revision: 0 }).success).toBe(false);
  expect(draftSchema.safeParse({ ...draft, revision: 2 }).success).toBe(true);
  const patch = { fields: { ...fields, q_multi: null }, comment: null };
  expect(draftPatchSchema.parse(patch)).toStrictEqual(patch);
});

test("a stored session keeps all its fields", () => {
  const record: SessionRecord = {
    ...settled(aRecord(), anOutcome({ comment: "Be quick." })),
    key: "k",
    asker: anAsker({ tool: "ask_human", inlineReply: true, conversation: "c" }),
    seenAt: 1,
    delivery: { deliveredAt: 2, callId: "call-1" },
    reply,
    earlierAnswer,
  };
  expect(readRecord(JSON.parse(JSON.stringify(record)))).toStrictEqual(record);
  expect(() => readRecord({ ...record, revision: 0 })).toThrow("A stored session cannot be read: revision is not valid.");
});

test("the view of a session shows all its fields", () => {
  const { asker, id, revision, createdAt, closedAt } = settled(aRecord());
  const { questions } = anAsk();
  const view: SessionView = {
    id,
    revision,
    status: "answered",
    title: "t",
    asker,
    questions,
    createdAt,
    deadlineAt: null,
    closedAt,
    key: "k",
    seenAt: 1,
    outcome: anOutcome(),
    reply,
    delivery: { deliveredAt: 1, callId: "call-1" },
    scheduled,
    earlierAnswer,
    presence: { asker: "away", awaySince: 1, openIn: [by] },
  };
  expect(sessionViewSchema.parse(view)).toStrictEqual(view);
  for (const asker of ["attached", "will_ask_again", "away"]) {
    expect(sessionViewSchema.safeParse({ ...view, presence: { asker, openIn: [] } }).success).toBe(true);
  }
});

test("timed_out on the outside is timedOut inside, and the others have the same name", () => {
  const states = ["pending", "answered", "cancelled", "timedOut"] as const;
  expect(statuses.map(stateOf)).toEqual(states);
  expect(states.map(statusOf)).toEqual(statuses);
});
