import { createBroker, memoryStore, type SessionStore, type SharedState } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { type StoreChange, sharedMemory } from "@askbox/core/stores";
import { ada, anAsker, anOutcome, aRecord, resumed, settled, testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aHub, aSwitch, text, textOnly } from "./support.ts";

describe("a broker", () => {
  test("loads all pending sessions, however many, oldest first, and nothing else", async () => {
    const store = memoryStore();
    const platform = testPlatform();
    for (let number = 0; number < 1_001; number += 1) {
      await store.insert(aRecord({ id: `s${number}`, createdAt: number, context: { deadlineAt: null } }));
    }
    await store.insert(settled(aRecord({ id: "settled" })));
    const asked: unknown[] = [];
    const watched: SessionStore = {
      ...store,
      list(query) {
        asked.push([query.states, query.order, query.limit, query.cursor === undefined]);
        return store.list(query);
      },
    };
    const broker = await createBroker({ store: watched, ...platform });
    expect(asked).toEqual([
      [["pending"], "oldest", 1_000, true],
      [["pending"], "oldest", 1_000, false],
    ]);
    expect(broker.stats()).toEqual({ pending: 1_001, waiting: 0, watching: 0 });
  });

  test("leaves no timer, subscription or working port once closed", async () => {
    const listeners = new Set<(change: StoreChange) => void>();
    const { asker, broker, clock, desk, opened, store } = await aHub((memory) => ({
      subscribe(listener) {
        listeners.add(listener);
        const stop = memory.subscribe(listener);
        return () => {
          listeners.delete(listener);
          stop();
        };
      },
    }));
    const { session } = await opened();
    const events: unknown[] = [];
    await desk.watch({}, (event) => void events.push(event));
    await desk.attend(session.id);
    await desk.answer(session.id, text(), { delay: 5_000 });
    const lost = expect(resumed(asker, session.id)).rejects.toMatchObject({ code: "ABORTED" });
    await clock.advance(0);
    events.splice(0);
    await broker.close();
    await lost;
    expect([clock.pendingTimers(), listeners.size, broker.stats()]).toEqual([0, 0, { pending: 0, waiting: 0, watching: 0 }]);
    await clock.advance(10_000);
    expect([events, (await store.get(session.id))?.state]).toEqual([[], "pending"]);
  });

  test("forgets a removed session", async () => {
    const { broker, clock, desk, opened, store } = await aHub();
    const { session } = await opened();
    await desk.saveDraft(session.id, { comment: "c" });
    await desk.cancel(session.id);
    await store.remove({ closedBefore: clock.now() + 1 });
    await clock.advance(0);
    expect(broker.stats().pending).toBe(0);
  });

  test("reads a record that the store reports without its content, and logs a warning if it cannot be read", async () => {
    const broken = aSwitch();
    const { clock, desk, logged, opened, broker } = await aHub((store) => ({
      get: (id) => broken.orElse(() => store.get(id)),
      subscribe: (listener) => store.subscribe(({ id, revision }) => listener({ id, revision })),
    }));
    const { session } = await opened();
    await clock.advance(0);
    expect(broker.stats().pending).toBe(1);
    await desk.cancel(session.id);
    await clock.advance(0);
    expect(broker.stats().pending).toBe(0);
    broken.turnOn();
    const second = await opened(textOnly(), { agentId: "agent-2" });
    await clock.advance(0);
    expect(logged).toContainEqual([
      "warn",
      "A changed session could not be read",
      { sessionId: second.session.id, error: "Error: disk full" },
    ]);
  });

  test("reports presence to watchers, and logs a warning if the session cannot be read", async () => {
    const broken = aSwitch();
    const { asker, clock, desk, logged, opened } = await aHub((store) => ({ get: (id) => broken.orElse(() => store.get(id)) }));
    const { session } = await opened();
    const told: string[] = [];
    await desk.watch({}, (event) => event.type === "session" && void told.push(event.session.presence.asker));
    asker.close();
    await clock.advance(0);
    expect(told).toEqual(["away"]);
    broken.turnOn();
    const next = resumed(asker, session.id);
    await expect(next).rejects.toThrow("disk full");
    broken.turnOff();
    const leave = await desk.attend(session.id);
    broken.turnOn();
    leave();
    await clock.advance(0);
    expect(logged).toContainEqual([
      "warn",
      "A session's presence could not be published",
      { sessionId: session.id, error: "Error: disk full" },
    ]);
  });

  test("reads no session for presence that nobody watches", async () => {
    let reads = 0;
    const { asker, clock, opened } = await aHub((store) => ({
      get(id) {
        reads += 1;
        return store.get(id);
      },
    }));
    await opened();
    await clock.advance(0);
    reads = 0;
    asker.close();
    await clock.advance(0);
    expect(reads).toBe(0);
  });

  test("has forgotten the asker of a settled session once nobody waits", async () => {
    const { asker, broker, clock, desk, opened } = await aHub();
    const { session } = await opened();
    const wait = resumed(asker, session.id);
    await clock.advance(0);
    await desk.answer(session.id, text());
    await wait;
    await clock.advance(0);
    expect((await desk.get(session.id)).presence).toEqual({ asker: "away", awaySince: session.createdAt, openIn: [] });
    expect(broker.stats().waiting).toBe(0);
  });
});

describe("settled sessions", () => {
  test("are kept for ninety days by default", async () => {
    const { clock, opened, store } = await aHub();
    const day = 86_400_000;
    // By then the wall clock is trusted.
    await clock.advance(240_000);
    const settledAgo = async (id: string, ago: number) =>
      store.insert({
        ...settled(aRecord({ id }), anOutcome({ at: clock.now() - ago })),
        delivery: { deliveredAt: clock.now() - ago },
      });
    await settledAgo("kept", 90 * day);
    await settledAgo("removed", 90 * day + 1);
    await opened();
    await clock.advance(0);
    expect([(await store.get("kept"))?.id, await store.get("removed")]).toEqual(["kept", undefined]);
  });
});

describe("a deadline", () => {
  test("reports its session if it could not be written", async () => {
    const full = aSwitch();
    const { clock, logged, opened } = await aHub((store) => ({ replace: (...args) => full.orElse(() => store.replace(...args)) }));
    const { session } = await opened(textOnly({ timeout: 10_000 }));
    full.turnOn();
    await clock.advance(10_000);
    expect(logged).toEqual([
      ["warn", "A deadline could not be written; trying again", { sessionId: session.id, error: "Error: disk full" }],
    ]);
  });
});

describe("brokers sharing a store", () => {
  async function two(change: (state: SharedState) => Partial<SharedState> = () => ({}), storeChange: Partial<SessionStore> = {}) {
    const store = memoryStore();
    const platform = testPlatform();
    const memory = sharedMemory(platform.clock);
    const logged: unknown[][] = [];
    const start = async (options = {}) => {
      const state = memory.open();
      return createBroker({
        store: { ...store, ...storeChange },
        ...platform,
        hubs: severalHubs({ ...state, ...change(state) }),
        log: (...entry) => void logged.push(entry),
        ...options,
      });
    };
    const a = await start({ about: () => ({ url: "http://a" }) });
    const b = await start();
    await platform.clock.advance(0);
    return { a, b, clock: platform.clock, logged, shared: memory.open(), store };
  }

  test("own a released session once that is written", async () => {
    const { a, b, shared } = await two();
    const asker = a.asker("owner-1");
    const { session } = await asker.ask(textOnly(), { asker: anAsker(), maxWait: 0 });
    expect(await shared.get(`asker:${session.id}`)).toBe(a.id);
    asker.close();
    await a.released();
    expect(await shared.get(`asker:${session.id}`)).toBeUndefined();
    expect((await b.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0 })).session.id).toBe(session.id);
    expect(await shared.get(`asker:${session.id}`)).toBe(b.id);
  });

  test("do not report a session as released before it is", async () => {
    const writing = Promise.withResolvers<void>();
    let isSlow = false;
    const { a } = await two((state) => ({
      async swap(...args) {
        if (isSlow) await writing.promise;
        return state.swap(...args);
      },
    }));
    const asker = a.asker("owner-1");
    await asker.ask(textOnly(), { asker: anAsker(), maxWait: 0 });
    isSlow = true;
    asker.close();
    let isReleased = false;
    const released = a.released().then(() => {
      isReleased = true;
    });
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect(isReleased).toBe(false);
    writing.resolve();
    await released;
  });

  test("renew their leases every hour, so that they last as long as needed", async () => {
    const { a, clock, shared } = await two();
    const asker = a.asker("owner-1");
    const { session } = await asker.ask(textOnly({ timeout: 1_800_000 }), { asker: anAsker(), maxWait: 0 });
    await a.desk(ada).extend(session.id, { timeout: null });
    void resumed(asker, session.id).catch(() => {});
    await clock.advance(0);
    await shared.swap(`asker:${session.id}`, a.id, undefined, null);
    await clock.advance(3_600_000);
    expect(await shared.get(`asker:${session.id}`)).toBe(a.id);
  });

  test("retry a failed lease write at the next heartbeat", async () => {
    const away = aSwitch();
    const { a, clock, shared } = await two((state) => ({
      swap: (key, ...rest) => (key.startsWith("asker:") ? away.orElse(() => state.swap(key, ...rest)) : state.swap(key, ...rest)),
    }));
    const asker = a.asker("owner-1");
    const { session } = await asker.ask(textOnly(), { asker: anAsker(), maxWait: 0 });
    away.turnOn();
    asker.close();
    await a.released();
    expect(await shared.get(`asker:${session.id}`)).toBe(a.id);
    away.turnOff();
    await clock.advance(2_000);
    expect(await shared.get(`asker:${session.id}`)).toBeUndefined();
  });

  test("write all leases again if one was considered dead", async () => {
    const { a, clock, shared } = await two();
    const asker = a.asker("owner-1");
    const { session } = await asker.ask(textOnly(), { asker: anAsker(), maxWait: 0 });
    void resumed(asker, session.id).catch(() => {});
    await clock.advance(0);
    await shared.swap(`asker:${session.id}`, a.id, undefined, null);
    await shared.swap(`hub:${a.id}`, "alive", undefined, null);
    await clock.advance(2_000);
    expect(await shared.get(`asker:${session.id}`)).toBe(a.id);
  });

  test("release an ask that is about to wait here once it waits at another broker", async () => {
    const { a, b, clock } = await two();
    const here = a.asker("owner-1");
    const { session } = await here.ask(textOnly(), { asker: anAsker(), maxWait: 0 });
    const there = resumed(b.asker("owner-1"), session.id);
    void there.catch(() => {});
    await clock.advance(0);
    await b.close();
    await clock.advance(0);
    expect((await a.desk(ada).get(session.id)).presence.asker).toBe("away");
  });

  test("keep it if somebody has it open there", async () => {
    const { a, b, clock } = await two();
    const { session } = await a.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0 });
    const leave = await b.desk(ada).attend(session.id);
    await clock.advance(0);
    leave();
    await clock.advance(0);
    expect((await b.desk(ada).get(session.id)).presence.asker).toBe("attached");
  });
});
