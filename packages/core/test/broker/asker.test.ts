import type { Asker, SessionRecord } from "@askbox/core";
import { anAsk, anAsker, anOutcome, aRecord, deliver, earlierOf, resumed, settled, validSet } from "@askbox/core/testing";
import type { ClientForms } from "@askbox/core/transport";
import { describe, expect, test } from "vitest";
import { aHub, aSignal, aSwitch, text, textOnly } from "./support.ts";

const by = { surface: "web" } as const;

describe("an asker that asks", () => {
  test("gets the session it asked for, with a key only if it gave one", async () => {
    const { clock, opened } = await aHub();
    const { session, joined, late } = await opened(textOnly({ timeout: 20_000 }));
    expect([joined, late]).toEqual([false, false]);
    expect(session).toStrictEqual({
      schema: 3,
      revision: 1,
      id: session.id,
      owner: "owner-1",
      scope: session.scope,
      digest: session.digest,
      asker: anAsker(),
      request: textOnly({ timeout: 20_000 }),
      state: "pending",
      context: { deadlineAt: clock.now() + 20_000 },
      createdAt: clock.now(),
      closedAt: null,
      delivery: { deliveredAt: null },
      requests: {},
      thread: [],
    });
    expect((await opened(anAsk(), { key: "k" })).session.key).toBe("k");
  });

  test("is away again if its session could not be written", async () => {
    const full = aSwitch();
    full.turnOn();
    const { broker, clock, opened } = await aHub((store) => ({ insert: (record) => full.orElse(() => store.insert(record)) }));
    await expect(opened()).rejects.toThrow("disk full");
    expect(clock.pendingTimers(), "but for the daily look at what is kept").toBe(1);
    expect(broker.stats().pending).toBe(0);
  });

  test("joins the session that another created under its key at the same moment", async () => {
    let isFirst = true;
    const { desk, opened, clock } = await aHub((store) => ({
      async insert(record) {
        if (isFirst) await store.insert({ ...record, id: "theirs" });
        isFirst = false;
        return store.insert(record);
      },
    }));
    const { session, joined, late } = await opened(textOnly(), { key: "k" });
    expect([session.id, joined, late]).toEqual(["theirs", true, false]);
    expect((await desk.list({})).items).toHaveLength(1);
    expect(clock.pendingTimers()).toBe(2);
  });

  test("is rejected with one sentence if its id is not registered", async () => {
    const { asker, broker } = await aHub();
    for (const id of ["builder", "tester"]) await broker.agents.add({ id });
    const open = (agentId: string | undefined) => asker.ask(textOnly(), { asker: anAsker({ agentId }), registeredOnly: true, maxWait: 0 });
    const sentence = (id: string) => `No agent is registered as "${id}"; use the id that you were given.`;
    await expect(open("x".repeat(200))).rejects.toMatchObject({ code: "UNKNOWN_AGENT", message: sentence("x".repeat(200)) });
    await expect(open(undefined)).rejects.toMatchObject({ message: sentence("") });
    expect((await open("tester")).session.asker.agentId).toBe("tester");
  });
});

describe("a waiting asker", () => {
  test("cleans up, however its wait ends", async () => {
    const { asker, broker, clock, desk, opened } = await aHub();
    const { session } = await opened(textOnly({ timeout: 600_000 }));
    const { signal, abort, listening } = aSignal();
    const ticket = resumed(asker, session.id, { signal, maxWait: 1_000 });
    await clock.advance(0);
    expect([listening(), broker.stats().waiting]).toEqual([1, 1]);
    await clock.advance(1_000);
    expect((await ticket).state).toBe("pending");
    expect([listening(), broker.stats().waiting, (await desk.get(session.id)).presence.asker]).toEqual([0, 0, "will_ask_again"]);
    const wait = resumed(asker, session.id, { signal, maxWait: 1_000 });
    await clock.advance(500);
    abort();
    await expect(wait).rejects.toMatchObject({ code: "ABORTED" });
    expect([listening(), broker.stats().waiting, (await desk.get(session.id)).presence.asker]).toEqual([0, 0, "away"]);
    expect(clock.pendingTimers(), "the deadline, and the daily look at what is kept").toBe(2);
  });

  test("gets an error if the session cannot be read while it waits", async () => {
    const broken = aSwitch();
    const { asker, clock, opened } = await aHub((store) => ({ get: (id) => broken.orElse(() => store.get(id)) }));
    const { session } = await opened();
    const wait = resumed(asker, session.id, { maxWait: 1_000 });
    const refused = expect(wait).rejects.toThrow("disk full");
    await clock.advance(0);
    broken.turnOn();
    await clock.advance(1_000);
    await refused;
  });

  test("neither waits nor polls once it is closed", async () => {
    const { asker, opened } = await aHub();
    const { session } = await opened();
    asker.close();
    for (const maxWait of [0, 1_000]) await expect(resumed(asker, session.id, { maxWait })).rejects.toMatchObject({ code: "ABORTED" });
  });
});

describe("the delivery", () => {
  test("is written once, with the call if known, and not for an open session", async () => {
    const { asker, clock, desk, opened, store } = await aHub();
    const { session } = await opened();
    await deliver(asker, session.id);
    expect(await store.get(session.id)).toMatchObject({ revision: 1, delivery: { deliveredAt: null } });
    await desk.answer(session.id, text());
    await clock.advance(5);
    await deliver(asker, session.id, { callId: "call-1" });
    await deliver(asker, session.id, { callId: "call-2" });
    expect(await store.get(session.id)).toMatchObject({ revision: 3, delivery: { deliveredAt: session.createdAt + 5, callId: "call-1" } });
    const second = await opened();
    await desk.answer(second.session.id, text());
    await deliver(asker, second.session.id);
    expect((await store.get(second.session.id))?.delivery).toStrictEqual({ deliveredAt: clock.now() });
  });

  test("includes the reply if it was there when the outcome was handed over", async () => {
    const { asker, clock, desk, opened, store } = await aHub();
    const { session } = await opened(textOnly({ timeout: 10_000 }));
    await clock.advance(10_000);
    await desk.reply(session.id, text());
    const { earlier, ack } = await asker.collect(anAsker());
    expect(earlier.map(({ id }) => id)).toEqual([session.id]);
    await ack();
    expect(await store.get(session.id)).toMatchObject({ delivery: { deliveredAt: clock.now() }, reply: { deliveredAt: clock.now() } });
    const { revision } = (await store.get(session.id)) as SessionRecord;
    await ack();
    expect((await store.get(session.id))?.revision).toBe(revision);
  });

  test("is written by the broker even if a previous one handed the outcome over", async () => {
    const { asker, clock, store } = await aHub();
    const reply = { answers: [], by, at: 3 };
    await store.insert({ ...settled(aRecord(), { kind: "timedOut", by: { surface: "deadline" }, at: 2 }), reply });
    const { id } = aRecord();
    await asker.acknowledge([{ sessionId: id, withOutcome: true, withReply: false, messages: 0 }]);
    expect(await store.get(id)).toMatchObject({ delivery: { deliveredAt: clock.now() }, reply });
    expect((await store.get(id))?.reply).not.toHaveProperty("deliveredAt");
    await asker.acknowledge([{ sessionId: id, withOutcome: true, withReply: true, messages: 0 }]);
    expect((await store.get(id))?.reply?.deliveredAt).toBe(clock.now());
  });
});

describe("an answer being delivered", () => {
  test.each([
    ["cannot be read", () => Promise.reject(new Error("disk full"))],
    ["are not read in time", () => new Promise<never>(() => {})],
  ])("is delivered to its asker even if the outcomes along with it %s", async (_what, list) => {
    let isBroken = false;
    const { asker, clock, desk } = await aHub((store) => ({ list: (query) => (isBroken ? list() : store.list(query)) }));
    const opened = Promise.withResolvers<string>();
    const asking = asker.ask(textOnly(), { asker: anAsker(), onOpened: ({ session }) => opened.resolve(session.id) });
    await desk.answer(await opened.promise, text(), { delay: 10 });
    isBroken = true;
    await clock.advance(1_010);
    expect(await asking).toMatchObject({ session: { state: "answered" }, earlier: [] });
  });
});

describe("earlier outcomes", () => {
  /** This many undelivered outcomes, oldest first. */
  async function withOutcomes(count: number) {
    const hub = await aHub();
    const { scope } = (await hub.opened()).session;
    for (let number = 0; number < count; number += 1) {
      const record = aRecord({ id: `s${String(number).padStart(3, "0")}`, createdAt: number, scope });
      await hub.store.insert(settled(record, anOutcome({ at: number })));
    }
    return hub;
  }
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, number) => `s${String(from + number).padStart(3, "0")}`);
  const idsOf = (sessions: SessionRecord[]) => sessions.map(({ id }) => id);

  test("are reported oldest first, twenty at a time, each to one call at a time", async () => {
    const { asker, broker } = await withOutcomes(50);
    const other = broker.asker("owner-1");
    expect(idsOf(await earlierOf(asker, anAsker()))).toEqual(names(0, 20));
    expect(idsOf(await earlierOf(other, anAsker()))).toEqual(names(20, 40));
    for (const id of names(0, 15)) await deliver(asker, id);
    expect(idsOf(await earlierOf(other, anAsker()))).toEqual(names(40, 50));
  });

  test("are available again when the call that had them ends", async () => {
    const { asker, broker } = await withOutcomes(3);
    expect(await earlierOf(asker, anAsker())).toHaveLength(3);
    asker.close();
    expect(await earlierOf(broker.asker("owner-1"), anAsker())).toHaveLength(3);
  });

  test("are only searched so far: up to five times as many as are reported", async () => {
    const { asker, broker } = await withOutcomes(130);
    const others = Array.from({ length: 5 }, () => broker.asker("owner-1"));
    for (const other of others) expect(await earlierOf(other, anAsker())).toHaveLength(20);
    expect(await earlierOf(asker, anAsker())).toEqual([]);
  });
});

function formsOf({ forms }: Asker): ClientForms {
  if (forms === undefined) throw new Error("The asker has no forms.");
  return forms;
}

describe("a client's own form", () => {
  test("answers in the client's name if allowed, unless an answer is being sent or the session is settled", async () => {
    const { asker, desk, opened } = await aHub(undefined, { clientForms: true });
    const { session } = await opened(anAsk());
    expect(await formsOf(asker).allowed()).toBe(true);
    await desk.answer(session.id, validSet(), { delay: 1_000 });
    await expect(formsOf(asker).answered(session.id, validSet())).rejects.toMatchObject({ code: "CONFLICT" });
    await desk.recall(session.id);
    const answered = await formsOf(asker).answered(session.id, validSet({ comment: "c" }));
    expect(answered.context.outcome).toMatchObject({ kind: "answered", comment: "c", by: { surface: "client", name: "test-client" } });
    await expect(formsOf(asker).answered(session.id, validSet())).rejects.toMatchObject({ code: "SESSION_CLOSED" });
  });
});
