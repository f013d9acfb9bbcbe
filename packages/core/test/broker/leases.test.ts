import type { SharedState } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { fakeClock } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { onlyHub } from "../../src/broker/context.ts";
import { Leases } from "../../src/broker/leases.ts";

const hours = 3_600_000;

/** Hubs that share leases; each can be dead, and each can need a session or not. */
function aTable() {
  const clock = fakeClock();
  const memory = sharedMemory(clock);
  const shared = memory.open();
  const dead = new Set<string>();
  const logged: unknown[] = [];
  function hub(self: string, state: SharedState = memory.open()) {
    const needed = new Set<string>();
    const leases = new Leases({
      shared: state,
      log: (...entry) => void logged.push(entry),
      self,
      isAlive: async (other) => !dead.has(other),
      isNeeded: (id) => needed.has(id),
    });
    return { leases, needed };
  }
  return { clock, dead, hub, logged, shared, holders: (id = "s") => shared.get(`asker:${id}`) };
}

/** Shared state that can be unreachable. */
function flaky(state: SharedState) {
  let isAway = false;
  const away = () => Promise.reject(new Error("away"));
  const flakyState: SharedState = {
    ...state,
    get: (key) => (isAway ? away() : state.get(key)),
    swap: (...args) => (isAway ? away() : state.swap(...args)),
  };
  return {
    state: flakyState,
    lose: () => {
      isAway = true;
    },
    find: () => {
      isAway = false;
    },
  };
}

describe("a single hub", () => {
  test("owns every session, and has nobody to tell", async () => {
    const { leases, peers } = onlyHub;
    expect(await leases.claim("s")).toBe(true);
    expect(await leases.claim("s")).toBe(true);
    await peers.start();
    peers.presenceChanged("s");
    expect([await peers.isAlive("b"), peers.list(), peers.of("s")]).toEqual([false, [], []]);
    for (const work of [leases.hold("s"), leases.renew(), leases.catchUp(), leases.written(), leases.close(), peers.close()]) await work;
  });
});

describe("a session shared by several hubs", () => {
  test("is claimed by one of those that race", async () => {
    const { hub, holders } = aTable();
    const hubs = ["a", "b", "c"].map((self) => hub(self));
    const claimed = await Promise.all(hubs.map(({ leases }) => leases.claim("s")));
    expect(claimed.filter((isOurs) => isOurs)).toHaveLength(1);
    expect(await holders()).toBe(["a", "b", "c"][claimed.indexOf(true)]);
  });

  test("is not claimed while another live hub has it, but taken over from a dead one", async () => {
    const { dead, hub, holders } = aTable();
    const [a, b, c] = [hub("a"), hub("b"), hub("c")];
    await a.leases.hold("s");
    await b.leases.hold("s");
    expect(await holders()).toBe("a b");
    dead.add("a");
    expect([await c.leases.claim("s"), await holders()]).toEqual([false, "a b"]);
    dead.add("b");
    expect([await c.leases.claim("s"), await holders()]).toEqual([true, "c"]);
  });

  test("can be claimed again by its holder, even if another hub also held it and has released it", async () => {
    const { hub, holders } = aTable();
    const [a, b] = [hub("a"), hub("b")];
    expect(await a.leases.claim("s")).toBe(true);
    expect(await a.leases.claim("s")).toBe(true);
    await b.leases.hold("s");
    expect(await b.leases.claim("s")).toBe(false);
    a.leases.release("s");
    await a.leases.written();
    expect(await b.leases.claim("s")).toBe(true);
    expect(await holders()).toBe("b");
  });

  test("is held once however often it is claimed, and released by each hub for itself", async () => {
    const { hub, holders } = aTable();
    const [a, b] = [hub("a"), hub("b")];
    for (const { leases } of [a, a, b]) await leases.hold("s");
    expect(await holders()).toBe("a b");
    a.leases.release("s");
    await a.leases.written();
    expect(await holders()).toBe("b");
    b.leases.release("s");
    await b.leases.written();
    expect(await holders()).toBeUndefined();
  });

  test("is not released while it is needed, or if it was not held", async () => {
    const { hub, holders } = aTable();
    const [a, b] = [hub("a"), hub("b")];
    await a.leases.hold("s");
    a.needed.add("s");
    a.leases.release("s");
    await a.leases.written();
    b.leases.release("s");
    await b.leases.written();
    expect(await holders()).toBe("a");
  });

  test("is kept if it is needed again before it is released", async () => {
    const { hub, holders } = aTable();
    const { leases, needed } = hub("a");
    await leases.hold("s");
    leases.release("s");
    needed.add("s");
    await leases.written();
    expect(await holders()).toBe("a");
  });

  test("is released after being taken if it was released meanwhile", async () => {
    const { hub, holders } = aTable();
    const { leases } = hub("a");
    const taking = leases.hold("s");
    leases.release("s");
    await taking;
    await leases.written();
    expect(await holders()).toBeUndefined();
  });

  test("is renewed before it expires, every six hours", async () => {
    const { clock, hub, holders } = aTable();
    const { leases, needed } = hub("a");
    needed.add("s");
    await leases.hold("s");
    await clock.advance(5 * hours);
    await leases.renew();
    await clock.advance(5 * hours);
    expect(await holders()).toBe("a");
    await clock.advance(hours);
    expect(await holders()).toBeUndefined();
    await leases.renew();
    expect(await holders()).toBe("a");
  });

  test("is released instead of renewed if nobody needs it", async () => {
    const { hub, holders } = aTable();
    const { leases } = hub("a");
    await leases.hold("s");
    await leases.renew();
    expect(await holders()).toBeUndefined();
  });

  test("is released on close, needed or not, while other hubs keep theirs", async () => {
    const { hub, holders } = aTable();
    const [a, b] = [hub("a"), hub("b")];
    a.needed.add("s").add("t");
    await a.leases.hold("s");
    await a.leases.hold("t");
    await b.leases.hold("s");
    await a.leases.close();
    expect([await holders("s"), await holders("t")]).toEqual(["b", undefined]);
  });
});

describe("unreachable shared memory", () => {
  test("makes a claim fail, and the session can be claimed afterwards", async () => {
    const { hub, shared, holders } = aTable();
    const { state, lose, find } = flaky(shared);
    const { leases } = hub("a", state);
    lose();
    await expect(leases.claim("s")).rejects.toThrow("away");
    find();
    expect([await leases.claim("s"), await holders()]).toEqual([true, "a"]);
  });

  test("does not prevent holding a session: the lease is written when possible", async () => {
    const { hub, logged, shared, holders } = aTable();
    const { state, lose, find } = flaky(shared);
    const { leases, needed } = hub("a", state);
    needed.add("s");
    lose();
    await leases.hold("s");
    await leases.catchUp();
    const complaint = ["debug", "A session's lease could not be written; trying again", { sessionId: "s", error: "Error: away" }];
    expect(logged).toEqual([complaint, complaint]);
    find();
    await leases.catchUp();
    expect(await holders()).toBe("a");
    await shared.swap("asker:s", "a", undefined, null);
    await leases.catchUp();
    expect(await holders(), "once is enough").toBeUndefined();
  });

  test("does not prevent releasing: it is written when possible", async () => {
    const { hub, logged, shared, holders } = aTable();
    const { state, lose, find } = flaky(shared);
    const { leases } = hub("a", state);
    await leases.hold("s");
    lose();
    leases.release("s");
    await leases.written();
    expect([logged.length, await holders()]).toEqual([1, "a"]);
    find();
    await leases.renew();
    expect(await holders()).toBeUndefined();
  });
});
