import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createBroker, type LogLevel, memoryStore, type SessionStore } from "@askbox/core";
import { ada, anAsk, anAsker, anOutcome, deliver, resumed, testPlatform, validSet } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const textOnly = () => anAsk({ questions: anAsk().questions.slice(0, 1) });

/** The garbage collector, run on demand. */
function garbage() {
  setFlagsFromString("--expose-gc");
  const run = runInNewContext("gc") as () => void;
  return {
    async collect() {
      // A weak reference keeps its object alive until the current job ends.
      await new Promise((resolve) => setImmediate(resolve));
      run();
    },
    isGone: (reference: WeakRef<object>) => reference.deref() === undefined,
  };
}

/** A broker whose process can be killed and restarted on the same store, with a clock that continues. */
async function aBroker(options: { store?: SessionStore; retention?: number | null } = {}) {
  const store = options.store ?? memoryStore();
  const platform = testPlatform();
  const logged: [LogLevel, string, Record<string, unknown> | undefined][] = [];
  const log = (level: LogLevel, message: string, data?: Record<string, unknown>) => void logged.push([level, message, data]);
  const start = () => createBroker({ store, ...platform, log, retention: options.retention });
  let broker = await start();
  return {
    store,
    clock: platform.clock,
    logged,
    asker: () => broker.asker("owner-1"),
    desk: () => broker.desk(ada),
    stats: () => broker.stats(),
    async restart(away = 0) {
      await broker.close();
      await platform.clock.advance(away);
      broker = await start();
      await platform.clock.advance(0);
    },
  };
}

describe("a restarted broker", () => {
  test("keeps deadlines: overdue sessions expire, others continue", async () => {
    const hub = await aBroker();
    const short = await hub.asker().ask(anAsk({ timeout: 10_000 }), { asker: anAsker(), maxWait: 0, earlier: false });
    const long = await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.restart(60_000);
    expect((await hub.desk().get(short.session.id)).status).toBe("timed_out");
    expect((await hub.desk().get(long.session.id)).status).toBe("pending");
    await hub.clock.advance(239_000);
    expect((await hub.desk().get(long.session.id)).status).toBe("pending");
    await hub.clock.advance(1_100);
    expect((await hub.desk().get(long.session.id)).status).toBe("timed_out");
  });

  // promise: pending-state-stored
  test("keeps drafts, and sends a delayed answer that was left when it stopped", async () => {
    const hub = await aBroker();
    const first = await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    const second = await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().saveDraft(first.session.id, { fields: { q_text: { values: ["la"] } } });
    await hub.desk().answer(second.session.id, { answers: [{ questionId: "q_text", values: ["lathe"] }] }, { delay: 5_000 });
    await hub.restart(1_000);
    expect((await hub.desk().getDraft(first.session.id))?.fields).toEqual({ q_text: { values: ["la"] } });
    expect((await hub.desk().get(second.session.id)).scheduled?.by).toEqual(ada);
    await hub.clock.advance(4_100);
    expect((await hub.desk().get(second.session.id)).outcome).toMatchObject({ kind: "answered", by: ada });
  });

  // promise: pending-state-stored
  test("sends a delayed answer that became overdue while it was down, even past the session's deadline", async () => {
    const hub = await aBroker();
    const { session } = await hub.asker().ask(anAsk({ timeout: 10_000 }), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().answer(session.id, validSet(), { delay: 5_000 });
    await hub.restart(3_600_000);
    expect((await hub.desk().get(session.id)).status).toBe("answered");
  });

  test("shows the previous askers as away, and gives them their session back", async () => {
    const hub = await aBroker();
    const before = hub.asker();
    const { session } = await before.ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    const lost = resumed(before, session.id);
    await hub.clock.advance(0);
    expect(hub.stats()).toEqual({ pending: 1, waiting: 1, watching: 0 });
    const ended = expect(lost).rejects.toMatchObject({ code: "ABORTED" });
    await hub.restart();
    await ended;
    expect((await hub.desk().get(session.id)).presence.asker).toBe("away");
    const wait = resumed(hub.asker(), session.id);
    await hub.desk().answer(session.id, validSet());
    expect((await wait).state).toBe("answered");
  });
});

describe("a wall clock that jumps", () => {
  // promise: deadline-ignores-wall-clock
  test.each([
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ])("by an hour %s neither hastens nor delays a deadline", async (_way, jump) => {
    const hub = await aBroker();
    const asker = hub.asker();
    const { session } = await asker.ask(anAsk({ timeout: 60_000 }), { asker: anAsker(), maxWait: 0, earlier: false });
    const wait = resumed(asker, session.id);
    await hub.clock.advance(30_000);
    hub.clock.jumpWall(jump);
    const view = await hub.desk().get(session.id);
    expect((view.deadlineAt ?? 0) - hub.clock.now(), "the time left that people are shown").toBe(30_000);
    await hub.clock.advance(29_000);
    expect((await hub.desk().get(session.id)).status).toBe("pending");
    await hub.clock.advance(1_100);
    expect((await wait).state).toBe("timedOut");
  });

  test("gives an ask that joins its full time", async () => {
    const hub = await aBroker();
    const { session } = await hub.asker().ask(anAsk({ timeout: 60_000 }), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.clock.advance(50_000);
    hub.clock.jumpWall(-3_600_000);
    const again = await hub.asker().ask(anAsk({ timeout: 60_000 }), { asker: anAsker(), maxWait: 0, earlier: false });
    expect([again.joined, again.session.id]).toEqual([true, session.id]);
    await hub.clock.advance(59_000);
    expect((await hub.desk().get(session.id)).status).toBe("pending");
    await hub.clock.advance(1_100);
    expect((await hub.desk().get(session.id)).status).toBe("timed_out");
  });

  test("still extends a deadline from now", async () => {
    const hub = await aBroker();
    const { session } = await hub.asker().ask(anAsk({ timeout: 60_000 }), { asker: anAsker(), maxWait: 0, earlier: false });
    hub.clock.jumpWall(-3_600_000);
    await hub.desk().extend(session.id, { timeout: 120_000 });
    await hub.clock.advance(119_000);
    expect((await hub.desk().get(session.id)).status).toBe("pending");
    await hub.clock.advance(1_100);
    expect((await hub.desk().get(session.id)).status).toBe("timed_out");
  });
});

describe("a failing store", () => {
  // promise: answer-on-disk-first
  test("makes an answer fail, and nobody is told that it was sent", async () => {
    const store = memoryStore();
    let broken = false;
    const failing: SessionStore = {
      ...store,
      replace: (record, revision) => (broken ? Promise.reject(new Error("disk full")) : store.replace(record, revision)),
    };
    const hub = await aBroker({ store: failing });
    const asker = hub.asker();
    const { session } = await asker.ask(anAsk({ timeout: 10_000 }), { asker: anAsker(), maxWait: 0, earlier: false });
    const wait = resumed(asker, session.id);
    broken = true;
    await expect(hub.desk().answer(session.id, validSet())).rejects.toThrow("disk full");
    expect((await hub.desk().get(session.id)).status).toBe("pending");
    await hub.clock.advance(12_000);
    expect(hub.logged.some(([level, message]) => level === "warn" && message.includes("deadline could not be written"))).toBe(true);
    broken = false;
    await hub.clock.advance(1_100);
    expect((await wait).state, "the deadline is written once the store is back").toBe("timedOut");
  });
});

describe("a delayed answer", () => {
  const set = { answers: [{ questionId: "q_text", values: ["lathe"] }] };

  /** A store in which writing an answer can be made to wait and to fail. */
  function slowStore() {
    const store = memoryStore();
    const writing: PromiseWithResolvers<void>[] = [];
    const slow: SessionStore = {
      ...store,
      async replace(record, revision) {
        if (record.state === "answered") {
          const write = Promise.withResolvers<void>();
          writing.push(write);
          await write.promise;
        }
        return store.replace(record, revision);
      },
    };
    return { store: slow, writing };
  }

  test("is either recalled or sent, never both, if they race", async () => {
    const { store, writing } = slowStore();
    const hub = await aBroker({ store });
    const { session } = await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().answer(session.id, set, { delay: 5_000 });
    await hub.clock.advance(5_000);
    const recall = hub.desk().recall(session.id);
    const refused = expect(recall).rejects.toMatchObject({ code: "SESSION_CLOSED", details: { session: { status: "answered" } } });
    await hub.clock.advance(0);
    writing[0]?.resolve();
    await refused;
    expect((await hub.desk().get(session.id)).status).toBe("answered");
  });

  test("stays recalled after sending it failed", async () => {
    const { store, writing } = slowStore();
    const hub = await aBroker({ store });
    const { session } = await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().answer(session.id, set, { delay: 5_000 });
    await hub.clock.advance(5_000);
    const recall = hub.desk().recall(session.id);
    await hub.clock.advance(0);
    writing[0]?.reject(new Error("disk full"));
    await recall;
    await hub.clock.advance(10_000);
    expect(writing.length, "how often it was sent").toBe(1);
    expect(await hub.desk().get(session.id)).toMatchObject({ status: "pending" });
    expect((await hub.desk().get(session.id)).scheduled).toBeUndefined();
  });

  test("is sent by one attempt at a time while the store fails past the deadline", async () => {
    const { store, writing } = slowStore();
    const hub = await aBroker({ store });
    const { session } = await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().extend(session.id, { timeout: 301_000 });
    await hub.clock.advance(299_000);
    await hub.desk().answer(session.id, set, { delay: 2_000 });
    await hub.clock.advance(5_000);
    expect(writing.length, "how often it is being sent").toBe(1);
    writing[0]?.resolve();
    await hub.clock.advance(0);
    expect((await hub.desk().get(session.id)).status).toBe("answered");
  });

  test("is not delayed further by a wall clock that was set back while the hub was down", async () => {
    const hub = await aBroker();
    const { session } = await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().answer(session.id, set, { delay: 5_000 });
    hub.clock.jumpWall(-3_600_000);
    await hub.restart();
    await hub.clock.advance(60_000);
    expect((await hub.desk().get(session.id)).status).toBe("answered");
  });
});

describe("a closed desk", () => {
  test("stops watches and open sessions that were still starting", async () => {
    const hub = await aBroker();
    const { session } = await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    const desk = hub.desk();
    const begun = [desk.watch({}, () => {}), desk.attend(session.id)];
    desk.close();
    await Promise.all(begun);
    expect(hub.stats().watching).toBe(0);
    expect((await hub.desk().get(session.id)).presence.openIn).toEqual([]);
  });

  test("is released, like an asker", async () => {
    const { collect, isGone } = garbage();
    const hub = await aBroker();
    const gone = [hub.asker(), hub.desk()].map((port) => {
      port.close();
      return new WeakRef<object>(port);
    });
    await collect();
    expect(gone.map(isGone)).toEqual([true, true]);
  });
});

describe("retention", () => {
  // promise: answer-waits-for-agent, retention, retention-setting, sessions-owner-only
  test("removes old settled sessions in the background of an ask, and reports how many", async () => {
    const hub = await aBroker({ retention: 3_600_000 });
    const { session } = await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    const open = await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().extend(open.session.id, { timeout: null });
    await hub.desk().answer(session.id, validSet());
    // Its asker has not received the answer.
    await hub.clock.advance(7 * 86_400_000 + 3_600_001);
    await hub.asker().ask(textOnly(), { asker: anAsker({ agentId: "agent-2" }), maxWait: 0, earlier: false });
    await hub.clock.advance(0);
    await expect(hub.desk().get(session.id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    expect((await hub.desk().get(open.session.id)).status, "a pending session stays").toBe("pending");
    expect(hub.logged).toContainEqual(["info", "Removed expired sessions", { removed: 1 }]);
  });

  test("runs with every ask, but not twice at once, and no ask waits for it", async () => {
    const store = memoryStore();
    const begun: PromiseWithResolvers<number>[] = [];
    const slow: SessionStore = {
      ...store,
      remove() {
        const sweep = Promise.withResolvers<number>();
        begun.push(sweep);
        return sweep.promise;
      },
    };
    const hub = await aBroker({ store: slow });
    await hub.clock.advance(240_000);
    begun.shift()?.resolve(0);
    await hub.clock.advance(0);
    await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect(begun).toHaveLength(1);
    begun[0]?.resolve(0);
    await hub.clock.advance(0);
    await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect(begun).toHaveLength(2);
  });

  test("runs daily without an ask, logs nothing if nothing was removed, and only warns if it fails", async () => {
    const store = memoryStore();
    let broken = false;
    const failing: SessionStore = { ...store, remove: (filter) => (broken ? Promise.reject(new Error("locked")) : store.remove(filter)) };
    const hub = await aBroker({ store: failing, retention: 1_000 });
    const { session } = await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().cancel(session.id);
    await (await hub.asker().resume(session.id)).ack();
    await hub.clock.advance(86_400_000 + 240_000);
    expect(hub.logged).toContainEqual(["info", "Removed expired sessions", { removed: 1 }]);
    const said = hub.logged.length;
    await hub.clock.advance(86_400_000);
    expect(hub.logged.length).toBe(said);
    broken = true;
    await hub.clock.advance(86_400_000);
    expect(hub.logged.at(-1)).toMatchObject(["warn", "Removing expired sessions failed", { error: "Error: locked" }]);
    await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
  });

  // promise: retention-setting
  test("can be disabled", async () => {
    const hub = await aBroker({ retention: null });
    const { session } = await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    await hub.desk().cancel(session.id);
    await hub.clock.advance(400 * 86_400_000);
    expect((await hub.desk().get(session.id)).status).toBe("cancelled");
  });
});

describe("an asker that leaves between asking and waiting", () => {
  test("is away at once, and the same ask joins its session", async () => {
    const hub = await aBroker();
    const gone = hub.asker();
    const { session } = await gone.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect((await hub.desk().get(session.id)).presence.asker).toBe("attached");
    gone.close();
    expect((await hub.desk().get(session.id)).presence.asker).toBe("away");
    expect(await hub.asker().ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).toMatchObject({
      joined: true,
      session: { id: session.id },
    });
  });

  test("is also away if it left while its session was being written", async () => {
    const hub = await aBroker();
    const gone = hub.asker();
    const opening = gone.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    gone.close();
    const { session } = await opening;
    expect((await hub.desk().get(session.id)).presence.asker).toBe("away");
  });

  test("is expected back for a while if it returns over another connection", async () => {
    const hub = await aBroker();
    const request = hub.asker();
    const { session } = await request.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    request.close({ returns: true });
    expect((await hub.desk().get(session.id)).presence.asker).toBe("attached");
    await hub.clock.advance(10_100);
    expect((await hub.desk().get(session.id)).presence.asker).toBe("away");
  });
});

describe("revisions", () => {
  test("only increase, by one with each change, and not after the outcome except for delivery", async () => {
    const hub = await aBroker();
    const revisions: number[] = [];
    const { session } = await hub.asker().ask(anAsk(), { asker: anAsker(), maxWait: 0, earlier: false });
    hub.store.subscribe((change) => void revisions.push(change.revision));
    await hub.desk().extend(session.id, { timeout: 600_000 });
    await (await hub.desk().attend(session.id))();
    await hub.desk().answer(session.id, { answers: anOutcome().answers });
    await deliver(hub.asker(), session.id);
    await deliver(hub.asker(), session.id);
    expect(revisions).toEqual([2, 3, 4, 5]);
  });
});
