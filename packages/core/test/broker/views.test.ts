import type { Outcome, SessionRecord } from "@askbox/core";
import { sessionViewSchema } from "@askbox/core/schemas";
import { ada, anOutcome, aRecord, bob, fakeClock, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { Deadlines } from "../../src/broker/deadlines.ts";
import type { Drafts } from "../../src/broker/drafts.ts";
import type { PresenceTracker } from "../../src/broker/presence.ts";
import { Views } from "../../src/broker/views.ts";

const presence = { asker: "away", awaySince: 1, openIn: [ada] } as const;
const scheduled = { answers: [], by: bob, sendAt: 1_700_000_009_000 };

function someViews(isScheduled = false) {
  const clock = fakeClock();
  const deadlines = new Deadlines(clock, () => {});
  const drafts = { scheduledFor: () => (isScheduled ? scheduled : undefined) } as unknown as Drafts;
  const views = new Views({ clock, deadlines, presence: { of: () => presence } as unknown as PresenceTracker, drafts });
  return { clock, deadlines, views };
}

describe("the public view of a session", () => {
  test("has what was asked and its state, without internal fields", () => {
    const { views } = someViews();
    const { id, asker, request, createdAt, context, delivery } = aRecord();
    const seen = {
      id,
      revision: 1,
      status: "pending",
      title: "A new module",
      asker,
      questions: request.questions,
      createdAt,
      deadlineAt: context.deadlineAt,
      closedAt: null,
      delivery,
      presence,
    };
    expect(views.of(aRecord())).toStrictEqual(seen);
    const { title: _, ...untitled } = request;
    expect(views.of(aRecord({ request: untitled }))).not.toHaveProperty("title");
  });

  test("has all fields if there is a value for each", () => {
    const { views } = someViews(true);
    const reply = { answers: [], by: bob, at: 1 };
    const earlierAnswer = { sessionId: "before", answers: [], by: bob, at: 1 };
    const record = { ...settled(aRecord({ key: "k", seenAt: 0, earlierAnswer })), reply };
    const view = views.of(record);
    expect(view).toMatchObject({
      status: "answered",
      key: "k",
      seenAt: 0,
      outcome: record.context.outcome,
      reply,
      earlierAnswer,
      scheduled,
    });
    expect(sessionViewSchema.parse(view)).toStrictEqual(view);
  });

  test("has the actual expiry time if the wall clock has jumped by more than two seconds", () => {
    const { clock, deadlines, views } = someViews();
    const stored = clock.now() + 60_000;
    const record = aRecord({ context: { deadlineAt: stored } });
    deadlines.set(record.id, stored);
    for (const [jump, shown] of [
      [2_000, stored],
      [1, stored + 2_001],
      [-4_001, stored],
      [-1, stored - 2_001],
    ] as const) {
      clock.jumpWall(jump);
      expect(views.of(record).deadlineAt).toBe(shown);
    }
    deadlines.defer(record.id, 0.4);
    expect(views.of(record).deadlineAt).toBe(clock.now());
    deadlines.set(record.id, null);
    expect(views.of(record).deadlineAt, "of another hub's news nothing is known here").toBe(stored);
    expect(views.of(aRecord({ context: { deadlineAt: null } })).deadlineAt).toBeNull();
  });
});

describe("the loser of a race", () => {
  const cancelled = { kind: "cancelled", at: 1 } as const;

  test.each<[Outcome, string]>([
    [anOutcome({ by: bob }), "This session was already answered in web by Bob; nothing was changed."],
    [{ ...cancelled, by: { surface: "cli" } }, "This session was already cancelled in cli; nothing was changed."],
    [anOutcome({ by: { surface: "grant", name: "g1" } }), "A grant has already decided this; nothing was changed."],
    [{ ...cancelled, by: { surface: "asker", name: "claude" } }, "The agent has withdrawn this session; nothing was changed."],
    [{ kind: "timedOut", by: { surface: "deadline" }, at: 1 }, "This session has timed out; it still accepts a reply."],
  ])("is told the outcome: %j", (outcome, sentence) => {
    expect(someViews().views.closed(settled(aRecord(), outcome)).message).toBe(sentence);
  });

  test("also gets the actual outcome", () => {
    const { views } = someViews();
    const record: SessionRecord = settled(aRecord());
    const error = views.closed(record);
    expect([error.code, error.details]).toEqual(["SESSION_CLOSED", { session: views.of(record) }]);
    expect(views.closed(aRecord()).message).toBe("This session is not settled.");
  });
});
