import { memoryStore } from "@askbox/core";
import { anAsker, aRecord, fakeClock } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { withdrawLost } from "../src/withdraw-lost.ts";

test("permission requests of a killed hub are withdrawn at the start, and when one over the same store has gone", async () => {
  const store = memoryStore();
  const clock = fakeClock();
  let peers = ["b"];
  let isAway = false;
  const tried: string[] = [];
  const broker = {
    peers: () => peers.map((id) => ({ id, about: {}, clockAhead: 0 })),
    async withdrawLost(id: string) {
      tried.push(id);
      if (isAway) throw new Error("away");
      return true;
    },
  };
  await store.insert(aRecord({ id: "approval", asker: anAsker({ tool: "approval" }) }));
  await store.insert(aRecord({ id: "question" }));
  const stop = await withdrawLost({ store, broker, clock, isShared: true, log: () => {} });
  expect(tried.splice(0)).toEqual(["approval"]);
  await clock.advance(9_999);
  expect(tried).toEqual([]);
  await clock.advance(1);
  expect(tried.splice(0), "the hub before this one counted as alive at first").toEqual(["approval"]);
  await clock.advance(60_000);
  expect(tried).toEqual([]);
  peers = [];
  isAway = true;
  await clock.advance(4_000);
  expect(tried.splice(0)).toEqual(["approval", "approval"]);
  isAway = false;
  await clock.advance(60_000);
  expect(tried.splice(0)).toEqual(["approval"]);
  stop();
  peers = ["c"];
  await clock.advance(4_000);
  expect([tried, clock.pendingTimers()]).toEqual([[], 0]);
  await withdrawLost({ store, broker, clock, isShared: false, log: () => {} });
  expect([tried.splice(0), clock.pendingTimers()]).toEqual([["approval"], 0]);

  await store.insert(aRecord({ id: "again", asker: anAsker({ tool: "approval" }), requests: { ask: "one/1" } }));
  await withdrawLost({ store, broker, clock, isShared: false, log: () => {} });
  expect(tried.splice(0), "its client may ask it again").toEqual(["approval"]);
  await clock.advance(9_999);
  expect(tried).toEqual([]);
  await clock.advance(1);
  expect([tried, clock.pendingTimers()]).toEqual([["again", "approval"], 0]);
});
