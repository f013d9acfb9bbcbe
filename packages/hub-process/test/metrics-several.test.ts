import { type Broker, createBroker, memoryStore, type SessionStore } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { sharedMemory } from "@askbox/core/stores";
import { anAsk, anAsker, resumed, testPlatform, validSet } from "@askbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { hubMetrics } from "../src/metrics/hub-metrics.ts";

/** Hubs over one inbox, as far as their metrics go. */
async function inbox() {
  const store = memoryStore();
  const platform = testPlatform();
  const { clock } = platform;
  const memory = sharedMemory(clock);
  const start = async (over: Partial<SessionStore> = {}) => {
    const metrics = hubMetrics({
      clock,
      now: () => ({ stats: broker.stats(), surfaces: [], isReady: true, waiting: [], chats: [], files: { stored: 0, max: 1 } }),
    });
    const seen = Object.assign(Object.create(null), store, over) as SessionStore;
    const broker: Broker = await createBroker({ ...platform, store: seen, hubs: severalHubs(memory.open()), onSettled: metrics.settled });
    onTestFinished(() => broker.close());
    await broker.desk({ surface: "api" }).watch({ presence: true }, metrics.onEvent);
    await clock.advance(0);
    const asker = broker.asker("owner");
    return {
      broker,
      asker,
      desk: broker.desk({ surface: "web" }),
      async ask() {
        const { session } = await asker.ask(anAsk({}), { asker: anAsker({}), maxWait: 0 });
        await clock.advance(0);
        return session;
      },
      async value(series: string) {
        const line = (await metrics.text()).split("\n").find((one) => one.startsWith(`${series} `));
        return Number(line?.slice(series.length) ?? 0);
      },
    };
  };
  return { store, clock, start };
}

type Started = Awaited<ReturnType<Awaited<ReturnType<typeof inbox>>["start"]>>;

const counted = (hubs: readonly Started[], outcome: string) =>
  Promise.all(hubs.map((hub) => hub.value(`mcp_question_latency_ms_count{outcome="${outcome}"}`)));

test("of several hubs, the one whose write settles a session counts its outcome", async () => {
  const { start, clock } = await inbox();
  const [a, b, c] = [await start(), await start(), await start()];
  const answered = await a.ask();
  await c.desk.answer(answered.id, validSet());
  // It is delivered, which changes it once more.
  await (await a.asker.resume(answered.id)).ack();
  await clock.advance(0);
  expect(await counted([a, b, c], "answered")).toEqual([0, 0, 1]);

  const declined = await a.ask();
  await b.desk.cancel(declined.id);
  const withdrawn = await c.ask();
  await c.asker.withdraw(withdrawn.id);
  await clock.advance(0);
  expect(await counted([a, b, c], "cancelled")).toEqual([0, 1, 1]);
});

test("a deadline that passes at every hub at the same moment, and answers at that moment, count once", async () => {
  const { start, clock } = await inbox();
  const hubs = [await start(), await start(), await start()];
  const [a, b] = hubs as [Started, Started];
  const { context } = await a.ask();
  await clock.advance((context.deadlineAt ?? 0) - clock.now());
  const timeouts = await counted(hubs, "timed_out");
  expect(timeouts.reduce((sum, one) => sum + one)).toBe(1);

  const { id } = await a.ask();
  const given = await Promise.allSettled([a, b].map(({ desk }) => desk.answer(id, validSet())));
  expect(given.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await counted(hubs, "answered")).reduce((sum, one) => sum + one)).toBe(1);
});

test("an answer that is undone and given again counts once, when it is final", async () => {
  const { start, clock } = await inbox();
  const hubs = [await start(), await start()];
  const [a, b] = hubs as [Started, Started];
  const { id } = await a.ask();
  await a.desk.answer(id, validSet(), { delay: 5_000 });
  await b.desk.recall(id);
  await clock.advance(5_000);
  await b.desk.answer(id, validSet(), { delay: 5_000 });
  await clock.advance(4_999);
  expect(await counted(hubs, "answered")).toEqual([0, 0]);
  await clock.advance(1);
  expect((await counted(hubs, "answered")).reduce((sum, one) => sum + one)).toBe(1);
  expect(await b.value("askbox_pending_sessions")).toBe(0);
});

test("a hub that hears of an outcome late or twice, and one that starts afterwards, don't count it", async () => {
  const { start, clock, store } = await inbox();
  const a = await start();
  const kept: (() => void)[] = [];
  const late = await start({ subscribe: (listener) => store.subscribe((change) => void kept.push(() => listener(change))) });
  const { id } = await a.ask();
  await a.desk.answer(id, validSet());
  for (const news of [...kept, ...kept]) news();
  await clock.advance(0);
  const restarted = await start();
  expect(await counted([a, late, restarted], "answered")).toEqual([1, 0, 0]);
});

test("an outcome whose write was made, but whose reply was lost, counts at most once", async () => {
  const { start, store } = await inbox();
  const cut = await start({
    async replace(...args) {
      await store.replace(...args);
      throw new Error("The connection broke.");
    },
  });
  const other = await start();
  const { id } = await other.ask();
  await expect(cut.desk.answer(id, validSet(), { idempotencyKey: "once" })).rejects.toThrow("broke");
  expect((await other.desk.answer(id, validSet(), { idempotencyKey: "once" })).status).toBe("answered");
  expect(await counted([cut, other], "answered")).toEqual([0, 0]);
});

test("totals are the same at every hub, and what is a hub's own is there only", async () => {
  const { start, clock } = await inbox();
  const hubs = [await start(), await start()];
  const [a, b] = hubs as [Started, Started];
  const first = await a.ask();
  await clock.advance(7_000);
  const waiting = resumed(a.asker, first.id);
  await b.ask();
  const each = (series: string) => Promise.all(hubs.map((hub) => hub.value(series)));
  expect(await each("askbox_pending_sessions")).toEqual([2, 2]);
  expect(await each("askbox_oldest_pending_ms")).toEqual([7_000, 7_000]);
  expect(await each("askbox_waiting_calls")).toEqual([1, 0]);
  await b.desk.answer(first.id, validSet());
  await waiting;
  await clock.advance(0);
  expect(await each("askbox_pending_sessions")).toEqual([1, 1]);
  expect(await each("askbox_oldest_pending_ms")).toEqual([0, 0]);
});
