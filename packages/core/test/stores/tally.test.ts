import { expect, it } from "vitest";
import { createBroker, memoryStore } from "../../src/index.ts";
import { tallier, tallyFact } from "../../src/stores/index.ts";
import { settled, testPlatform } from "../../src/testing/index.ts";
import { numbered, startOfTime } from "../../src/testing/store-contract/harness.ts";

const fact = { createdAt: 5, closedAt: 10_005, ending: "answered", client: "codex" } as const;

it("a tally's quantiles are by nearest rank, and a time on an edge counts in the bin that starts there", () => {
  const counted = tallier([0]);
  for (const after of [9_999, 10_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 2_000_000]) {
    counted.add({ ...fact, closedAt: fact.createdAt + after });
  }
  const { median, p90, bins } = counted.result();
  expect([median, p90, bins.map(({ count }) => count)]).toEqual([7_000, 10_000, [8, 1, 0, 0, 0, 0, 0, 1]]);
  expect(bins.at(-1)).toEqual({ from: 1_800_000, until: undefined, count: 1 });
  expect(tallier([0]).result()).toMatchObject({ total: 0, median: undefined, p90: undefined, clients: [] });
});

it("a tally lists at most 200 clients, the busiest first, and counts all", () => {
  const counted = tallier([0]);
  for (let index = 0; index < 300; index += 1) counted.add({ ...fact, client: `agent ${index}` });
  for (let index = 0; index < 2; index += 1) counted.add({ ...fact, client: "agent 299" });
  const { total, clients } = counted.result();
  expect([total, clients.length, clients[0]?.name, clients[0]?.total]).toEqual([302, 200, "agent 299", 3]);
});

it("a desk counts more sessions than a page has, with a store that can't count, and refuses days in disorder", async () => {
  const { tally, ...store } = memoryStore();
  for (let number = 1; number <= 250; number += 1) await store.insert(settled(numbered(number)));
  const broker = await createBroker({ ...testPlatform(), store });
  const desk = broker.desk({ surface: "web" });
  const counted = await desk.tally([startOfTime + 10_000]);
  expect(counted).toEqual(await tally?.([startOfTime + 10_000]));
  expect(counted.total).toBe(241);
  for (const days of [[], [2, 1], [1, 1], [Number.NaN], Array.from({ length: 401 }, (_, day) => day)]) {
    await expect(desk.tally(days)).rejects.toMatchObject({ code: "VALIDATION" });
  }
  expect(tallyFact(numbered(1))).toBeUndefined();
  await broker.close();
});

it("a tally counts what became of denials apart from everything else", () => {
  const counted = tallier([0]);
  counted.add(fact);
  for (const ending of ["overruled", "agreed", "agreed", "stands"] as const) counted.add({ ...fact, ending });
  expect(counted.result()).toMatchObject({ total: 1, denials: { overruled: 1, agreed: 2, stands: 1 }, clients: [{ total: 1 }] });
  expect(tallier([0]).result()).not.toHaveProperty("denials");
});
