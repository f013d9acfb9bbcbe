import { AskboxError, type Draft, memoryStore, type ScheduledAnswer, type SessionStore } from "@askbox/core";
import { ada, anOutcome, aRecord, bob, fakeClock, settled, testDigest } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { AuditWriter } from "../../src/broker/audit-writer.ts";
import { Drafts } from "../../src/broker/drafts.ts";

const start = 1_700_000_000_000;
const { id } = aRecord();
const { answers } = anOutcome();
const answerAt = (sendAt: number, by = ada): ScheduledAnswer => ({ answers, by, sendAt });

async function someDrafts(overrides: (store: SessionStore) => Partial<SessionStore> = () => ({})) {
  const clock = fakeClock({ now: start });
  const memory = memoryStore();
  await memory.insert(aRecord());
  const store: SessionStore = { ...memory, ...overrides(memory) };
  const told: unknown[] = [];
  const logged: unknown[][] = [];
  const sent: ScheduledAnswer[] = [];
  let sending: (answer: ScheduledAnswer) => Promise<void> = async () => {};
  let isPending = true;
  const drafts = new Drafts({
    store,
    audit: new AuditWriter(store, testDigest),
    onSettled: () => {},
    clock,
    log: (...entry) => void logged.push(entry),
    onChange: (sessionId, draft) => void told.push([sessionId, draft?.revision]),
    isPending: () => isPending,
    onSaved: (sessionId) => void told.push(`saved ${sessionId}`),
    send: (_sessionId, answer) => {
      sent.push(answer);
      return sending(answer);
    },
    closed: () => new AskboxError("SESSION_CLOSED", "It is settled."),
  });
  return {
    clock,
    drafts,
    logged,
    sent,
    store: memory,
    events: () => told.splice(0),
    sendsLike(how: (answer: ScheduledAnswer) => Promise<void>) {
      sending = how;
    },
    forgets() {
      isPending = false;
    },
    settle: () => memory.replace(settled(aRecord()), 1),
    revision: async () => (await memory.get(id))?.revision,
  };
}

/** A draft as left by another hub. */
const left = (fields: Partial<Draft> = {}): Draft => ({ sessionId: id, revision: 1, fields: {}, updatedAt: start, by: bob, ...fields });

describe("a draft", () => {
  test("keeps the latest value of each field, with its author and time", async () => {
    const { clock, drafts, events } = await someDrafts();
    const first = await drafts.save(id, { fields: { a: { values: ["x"] }, b: { note: "n" } }, comment: "c" }, ada);
    expect(first).toEqual({
      sessionId: id,
      revision: 1,
      fields: { a: { values: ["x"] }, b: { note: "n" } },
      comment: "c",
      updatedAt: start,
      by: ada,
    });
    await clock.advance(5);
    const second = await drafts.save(id, { fields: { a: { values: ["y"] }, b: null } }, bob);
    expect(second).toStrictEqual({
      sessionId: id,
      revision: 2,
      fields: { a: { values: ["y"] } },
      comment: "c",
      updatedAt: start + 5,
      by: bob,
    });
    expect(await drafts.get(id)).toEqual(second);
    expect(await drafts.save(id, { comment: null }, bob)).not.toHaveProperty("comment");
    expect(await drafts.save(id, { comment: "" }, bob)).toHaveProperty("comment", "");
    expect(events()).toEqual([1, 2, 3, 4].flatMap((revision) => [[id, revision], `saved ${id}`]));
  });

  test("keeps the reason of a decline until it is removed", async () => {
    const { drafts } = await someDrafts();
    await drafts.save(id, { reason: "Not on Friday" }, ada);
    expect(await drafts.save(id, { comment: "c" }, ada)).toMatchObject({ reason: "Not on Friday", comment: "c" });
    expect(await drafts.save(id, { reason: null }, ada)).not.toHaveProperty("reason");
  });

  test("is merged with what somebody else has written meanwhile", async () => {
    let isFirst = true;
    const { drafts } = await someDrafts((store) => ({
      async putDraft(draft, revision) {
        if (isFirst) await store.putDraft(left({ fields: { b: { note: "theirs" } } }), 0);
        isFirst = false;
        return store.putDraft(draft, revision);
      },
    }));
    const saved = await drafts.save(id, { fields: { a: { note: "ours" } } }, ada);
    expect(saved).toMatchObject({ revision: 2, fields: { a: { note: "ours" }, b: { note: "theirs" } } });
  });

  test("cannot be saved if the session is settled, missing, or keeps changing", async () => {
    const closed = await someDrafts();
    await closed.settle();
    await expect(closed.drafts.save(id, {}, ada)).rejects.toMatchObject({ code: "SESSION_CLOSED" });
    await expect(closed.drafts.save("other", {}, ada)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    let tries = 0;
    const busy = await someDrafts(() => ({
      async putDraft() {
        tries += 1;
        return false;
      },
    }));
    await expect(busy.drafts.save(id, {}, ada)).rejects.toThrow(
      new AskboxError("DRAFT_CONFLICT", "The draft kept changing while it was being written; try again."),
    );
    expect([tries, busy.events()]).toEqual([100, []]);
  });

  test("of another hub is reported when it is announced, unless it is gone", async () => {
    const { drafts, events, store } = await someDrafts();
    await drafts.onChanged(id);
    expect(events()).toEqual([]);
    await store.putDraft(left(), 0);
    await drafts.onChanged(id);
    expect(events()).toEqual([[id, 1]]);
  });

  test("is reported as gone when its session is settled, once, and only if it was known", async () => {
    const { drafts, events } = await someDrafts();
    drafts.forget(id);
    expect(events()).toEqual([]);
    await drafts.save(id, {}, ada);
    events();
    drafts.forget(id);
    drafts.forget(id);
    expect(events()).toEqual([[id, undefined]]);
  });

  test("is dropped if its session was settled unnoticed", async () => {
    const { drafts, forgets, events, settle, store } = await someDrafts((memory) => ({
      getDraft: async (sessionId) => (await memory.getDraft(sessionId)) ?? left({ scheduled: answerAt(start + 5_000) }),
    }));
    await store.putDraft(left(), 0);
    forgets();
    await drafts.look(id);
    expect(events()).toEqual([]);
    await settle();
    await drafts.look(id);
    expect([events(), drafts.scheduledFor(id)]).toEqual([[[id, undefined]], undefined]);
  });
});

describe("a person who is typing", () => {
  test("holds the deadline for thirty seconds after the last key, two minutes in all", async () => {
    const { clock, drafts } = await someDrafts();
    expect(drafts.hold(id, 0)).toBe(0);
    await drafts.save(id, {}, ada);
    expect(drafts.hold(id, 0)).toBe(30_000);
    await clock.advance(10_000);
    expect([drafts.hold(id, 5_000), drafts.hold(id, 110_000), drafts.hold(id, 120_001)]).toEqual([20_000, 10_000, 0]);
    await clock.advance(20_000);
    expect(drafts.hold(id, 0)).toBe(0);
  });

  test("holds it by typing, not by sending an answer that can be undone", async () => {
    const { drafts } = await someDrafts();
    await drafts.schedule(id, answerAt(start + 5_000));
    expect(drafts.hold(id, 0)).toBe(0);
    await drafts.save(id, {}, ada);
    await drafts.recall(id, ada);
    expect(drafts.hold(id, 0)).toBe(30_000);
  });

  test("at another hub also holds it, from the time of typing, whatever the wall clock does", async () => {
    const { clock, drafts, store } = await someDrafts();
    await store.putDraft(left({ updatedAt: start - 10_000 }), 0);
    await drafts.look(id);
    expect(drafts.hold(id, 0)).toBe(20_000);
    clock.jumpWall(-60_000);
    await drafts.look(id);
    expect(drafts.hold(id, 0)).toBe(20_000);
    await store.putDraft(left({ revision: 2, updatedAt: start }), 1);
    await drafts.look(id);
    expect(drafts.hold(id, 0), "a clock that is ahead is no typing in the future").toBe(30_000);
  });

  test("no longer counts once the session is forgotten", async () => {
    const { drafts } = await someDrafts();
    await drafts.save(id, {}, ada);
    drafts.forget(id);
    expect(drafts.hold(id, 0)).toBe(0);
  });
});

describe("a delayed answer", () => {
  test("is sent at its time, and gives the session a revision so that nobody settles it based on an older read", async () => {
    const { clock, drafts, revision, sent } = await someDrafts();
    const answer = answerAt(start + 5_000);
    expect((await drafts.schedule(id, answer)).revision).toBe(2);
    expect([await revision(), drafts.scheduledFor(id)]).toEqual([2, answer]);
    await clock.advance(4_999);
    expect(sent).toEqual([]);
    await clock.advance(1);
    expect(sent).toEqual([answer]);
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  test("stays when a second one arrives", async () => {
    const { drafts } = await someDrafts();
    await drafts.schedule(id, answerAt(start + 5_000));
    await expect(drafts.schedule(id, answerAt(start + 9_000, bob))).rejects.toMatchObject({
      code: "CONFLICT",
      message: "Already answered in terminal by Ada; that answer is about to be sent and can still be undone.",
      details: { scheduled: answerAt(start + 5_000) },
    });
    expect(drafts.scheduledFor(id)?.sendAt).toBe(start + 5_000);
  });

  test("is rejected if the session was settled meanwhile", async () => {
    const { drafts, settle, revision } = await someDrafts((store) => ({
      async putDraft(draft, expected) {
        const isPut = await store.putDraft(draft, expected);
        await settle();
        return isPut;
      },
    }));
    await expect(drafts.schedule(id, answerAt(start + 5_000))).rejects.toMatchObject({ code: "SESSION_CLOSED" });
    expect(await revision()).toBe(2);
  });

  test("can be sent at once, and is then not sent again at its time", async () => {
    const { clock, drafts, sent } = await someDrafts();
    expect(drafts.sendNow(id)).toBe(false);
    await drafts.schedule(id, answerAt(start + 5_000));
    expect(drafts.sendNow(id)).toBe(true);
    expect(clock.pendingTimers()).toBe(0);
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  test("is sent by one attempt at a time, and withdrawing waits for it", async () => {
    const { drafts, sendsLike, sent, store } = await someDrafts();
    const write = Promise.withResolvers<void>();
    sendsLike(async () => {
      await write.promise;
      await store.replace({ ...settled(aRecord()), revision: 3 }, 2);
    });
    await drafts.sendFirst(id);
    await drafts.schedule(id, answerAt(start + 5_000));
    let isOver = false;
    const over = drafts.sendFirst(id).then(() => {
      isOver = true;
    });
    drafts.sendNow(id);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect([sent.length, isOver]).toEqual([1, false]);
    write.resolve();
    await over;
  });

  test("that cannot be sent, or whose recall fails, is not discarded for something else", async () => {
    const { clock, drafts, sendsLike, sent } = await someDrafts();
    sendsLike(() => Promise.reject(new Error("disk full")));
    await drafts.schedule(id, answerAt(start + 5_000));
    await expect(drafts.sendFirst(id)).rejects.toMatchObject({ code: "CONFLICT" });
    await expect(drafts.mustBeFree(id)).rejects.toMatchObject({ code: "CONFLICT", details: { scheduled: answerAt(start + 5_000) } });
    const recalled = drafts.recall(id, ada);
    await drafts.sendFirst(id);
    await recalled;
    await clock.advance(10_000);
    expect(sent).toHaveLength(1);
  });

  test("is not recalled for another one that was given in its place", async () => {
    const { drafts, store } = await someDrafts((memory) => ({
      async putDraft(draft, revision) {
        // Another hub recalls it, and has the next one, before this hub's recall is written.
        if (draft.scheduled === undefined) await memory.putDraft(left({ revision: 2, scheduled: answerAt(start + 9_000, bob) }), 1);
        return memory.putDraft(draft, revision);
      },
    }));
    await drafts.schedule(id, answerAt(start + 5_000));
    await expect(drafts.recall(id, ada)).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await store.getDraft(id))?.scheduled).toEqual(answerAt(start + 9_000, bob));
  });

  test("is retried every second if it cannot be sent", async () => {
    const { clock, drafts, logged, sendsLike, sent } = await someDrafts();
    sendsLike(() => Promise.reject(new Error("disk full")));
    await drafts.schedule(id, answerAt(start + 5_000));
    await clock.advance(5_999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toHaveLength(2);
    const complaint = ["warn", "A delayed answer could not be sent; trying again", { sessionId: id, error: "Error: disk full" }];
    expect(logged).toEqual([complaint, complaint]);
    drafts.forget(id);
    await clock.advance(5_000);
    expect(sent).toHaveLength(2);
  });

  test("is not retried once it has been forgotten", async () => {
    const { clock, drafts, sendsLike, sent } = await someDrafts();
    const write = Promise.withResolvers<void>();
    sendsLike(() => write.promise);
    await drafts.schedule(id, answerAt(start + 5_000));
    await clock.advance(5_000);
    drafts.forget(id);
    write.reject(new Error("disk full"));
    await clock.advance(5_000);
    expect([sent.length, clock.pendingTimers()]).toEqual([1, 0]);
  });

  test("can be recalled, and is then not sent; the rest of the draft stays", async () => {
    const { clock, drafts, revision, sent } = await someDrafts();
    await drafts.save(id, { comment: "c" }, ada);
    await expect(drafts.recall(id, ada)).rejects.toMatchObject({ code: "CONFLICT" });
    await drafts.schedule(id, answerAt(start + 5_000));
    await drafts.recall(id, bob);
    expect([drafts.scheduledFor(id), await revision()]).toEqual([undefined, 3]);
    expect(await drafts.get(id)).toStrictEqual({ sessionId: id, revision: 3, fields: {}, comment: "c", updatedAt: start, by: bob });
    await clock.advance(10_000);
    expect(sent).toEqual([]);
  });

  test("is not sent while it is being recalled, and scheduled again if that fails", async () => {
    let writing: PromiseWithResolvers<boolean> | undefined;
    const { clock, drafts, sent } = await someDrafts((store) => ({
      putDraft: (draft, expected) => writing?.promise ?? store.putDraft(draft, expected),
    }));
    await drafts.schedule(id, answerAt(start + 5_000));
    writing = Promise.withResolvers<boolean>();
    const refused = expect(drafts.recall(id, ada)).rejects.toThrow("disk full");
    await clock.advance(4_000);
    expect([drafts.sendNow(id), clock.pendingTimers(), sent]).toEqual([true, 0, []]);
    writing.reject(new Error("disk full"));
    await refused;
    expect([drafts.scheduledFor(id), clock.pendingTimers()]).toEqual([answerAt(start + 5_000), 1]);
    await clock.advance(1_000);
    expect(sent).toHaveLength(1);
  });

  test("of a previous hub is sent at its time, at once if that has passed, and within a minute at most", async () => {
    for (const [sendAt, moment] of [
      [start + 5_000, 5_000],
      [start - 5_000, 0],
      [start + 3_600_000, 60_000],
    ] as const) {
      const { clock, drafts, sent, store } = await someDrafts();
      await store.putDraft(left({ scheduled: answerAt(sendAt) }), 0);
      await drafts.recover();
      if (moment > 0) await clock.advance(moment - 1);
      expect(sent).toHaveLength(0);
      await clock.advance(1);
      expect(sent).toHaveLength(1);
    }
  });

  test("is scheduled once, however often it is seen, and dropped if another hub has recalled it", async () => {
    const { clock, drafts, store } = await someDrafts();
    await store.putDraft(left({ scheduled: answerAt(start + 5_000) }), 0);
    await drafts.look(id);
    await drafts.look(id);
    expect(clock.pendingTimers()).toBe(1);
    await store.putDraft(left({ revision: 2, scheduled: answerAt(start + 7_000) }), 1);
    await drafts.look(id);
    expect([clock.pendingTimers(), drafts.scheduledFor(id)?.sendAt]).toEqual([1, start + 7_000]);
    await store.putDraft(left({ revision: 3 }), 2);
    await drafts.look(id);
    expect([clock.pendingTimers(), drafts.scheduledFor(id)]).toEqual([0, undefined]);
  });

  test("is not sent by a closed hub", async () => {
    const { clock, drafts, sent } = await someDrafts();
    await drafts.schedule(id, answerAt(start + 5_000));
    drafts.close();
    await clock.advance(10_000);
    expect([sent, drafts.scheduledFor(id)]).toEqual([[], undefined]);
  });
});
