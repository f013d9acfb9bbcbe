import { memoryStore, type SessionStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { type Chance, rounds, seededChance, timeout } from "../../../tests/faults/support/rounds.ts";
import { answer, askAndLeave, codex, conversation, hubWith, type StandIn, standIn, wayOf } from "./waking-support.ts";

const twin = "0197f000-0000-7000-8000-000000000002";

/** One life of a hub: what it does after it was killed has no effect and no end. */
function lifeOf(chance: Chance) {
  let left = Number.POSITIVE_INFINITY;
  let isDead = false;
  const forever = new Promise<never>(() => {});
  /** Killed before or after the effect. */
  const act = async <Result>(effect: () => Result | Promise<Result>): Promise<Result> => {
    if (isDead) return forever;
    left -= 1;
    if (left > 0) {
      const result = await effect();
      return isDead ? forever : result;
    }
    isDead = true;
    if (chance.percent(50)) await effect();
    return forever;
  };
  return {
    act,
    isDead: () => isDead,
    kill: () => {
      isDead = true;
    },
    killAfter: (acts: number) => {
      left = acts;
    },
  };
}
type Life = ReturnType<typeof lifeOf>;

/** A store as a hub reaches it during its life. */
function storeIn(life: Life, store: SessionStore): SessionStore {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name === "subscribe") {
        return (listener: (...change: unknown[]) => void) => target.subscribe((...change) => void (life.isDead() || listener(...change)));
      }
      if (typeof value !== "function" || name === "close") return value;
      return (...given: unknown[]) => life.act(() => Reflect.apply(value, target, given));
    },
  });
}

/** What one agent was told, by whatever way. */
const toldTo = ({ got, resumed }: StandIn): string[] => [...got, ...resumed];

async function round(chance: Chance): Promise<{ kills: number; woken: number }> {
  const store = memoryStore();
  const platform = testPlatform({ seed: chance.between(1, 2 ** 30) });
  const { clock } = platform;
  const clients = new Map([conversation, twin].map((id) => [id, standIn({ state: chance.pick(["idle", "busy", "gone"] as const) })]));
  let kills = 0;
  const start = async (life: Life) => {
    const clientOf = (id: string) => clients.get(id) as StandIn;
    const way = wayOf(standIn());
    return hubWith({
      store: storeIn(life, store),
      platform,
      client: standIn(),
      levelFor: () => "gone",
      ways: {
        codex: {
          ...way,
          state: (id) => life.act(() => clientOf(id).state),
          continueOpen: (id, { text }) => life.act(() => void clientOf(id).got.push(text)),
        },
      },
      runAway: ({ input = "" }, about) => life.act(() => void clientOf(about.conversation).resumed.push(input)),
    });
  };

  const first = lifeOf(chance);
  let life = first;
  let hub = await start(life);
  const sessions = [];
  for (const id of [conversation, conversation, twin])
    sessions.push({ of: id, ...(await askAndLeave(hub.asker, clock, { conversation: id })) });

  for (let lives = chance.between(1, 3); lives > 0; lives -= 1) {
    life.killAfter(chance.between(1, 40));
    for (const session of sessions) void answer(hub.desk, session).catch(() => {});
    await clock.advance(chance.between(0, 3_000));
    const one = chance.pick([...clients.values()]);
    // The agent is killed, comes back, or works.
    one.state = chance.pick(["idle", "busy", "gone"] as const);
    if (chance.percent(30)) {
      const asked = hub.asker.collect({ ...codex, conversation: chance.pick([conversation, twin]) });
      void asked.then((collected) => collected.nack()).catch(() => {});
    }
    await clock.advance(chance.between(0, 20_000));
    life.kill();
    kills += 1;
    life = lifeOf(chance);
    hub = await start(life);
  }

  // The last hub lives on, and everything comes to rest.
  for (const session of sessions) await answer(hub.desk, session).catch(() => {});
  for (const client of clients.values()) client.state = "idle";
  await clock.advance(60_000);
  let woken = 0;
  for (const { id, of } of sessions) {
    const told = [...clients].flatMap(([client, one]) => toldTo(one).flatMap((text) => (text.includes(id) ? [client] : [])));
    expect(told.length, "woken at most once an answer").toBeLessThanOrEqual(1);
    expect(
      told.every((client) => client === of),
      "never with another's answer",
    ).toBe(true);
    const record = await store.get(id);
    expect(record?.state).toBe("answered");
    // What a killed hub may not have given stays for the agent's next call; what counts as woken was.
    expect(record?.delivery.deliveredAt).toBeNull();
    if (record?.waking?.state === "woken") expect(told).toHaveLength(1);
    else expect(record?.waking?.state ?? "none").toMatch(/started|failed/);
    woken += told.length;
  }
  await hub.waking.close();
  await hub.broker.close();
  return { kills, woken };
}

describe("a hub, a client or an agent that is killed at any point of a waking", () => {
  // promise: woken-once
  test("loses no answer, and wakes no agent twice or with another's answer", { timeout }, async () => {
    const chance = seededChance("waking-kills");
    const sum = { kills: 0, woken: 0 };
    for (let index = 0; index < rounds(30); index += 1) {
      const { kills, woken } = await round(chance.branch(index));
      sum.kills += kills;
      sum.woken += woken;
    }
    process.stdout.write(`waking-kills: ${sum.kills} kills, ${sum.woken} woken\n`);
    expect(sum.woken).toBeGreaterThan(0);
  });
});
