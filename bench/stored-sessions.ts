import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AskRequest, createBroker, memoryStore, type SessionRecord, type SessionStore, standardPlatform } from "@askbox/core";
import { anAsk, aRecord, settled } from "@askbox/core/testing";
import { openSqliteStore } from "@askbox/store-sqlite";
import { againstFloor, type BenchRow, interleave, median } from "./harness.ts";

const [few, many] = [10, 100_000];
const asks = 300;
/** What grows with the logarithm grows by this much from `few` to `many`. */
const logarithmic = Math.log(many) / Math.log(few);
const asker = { client: { name: "bench", version: "1" }, project: "/home/ada/engine", agentId: "agent-1" };

/** What an ask costs while few and while many sessions are stored. */
export async function bench(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-bench-"));
  try {
    return [
      await growth("memory", async () => memoryStore()),
      await growth("sqlite", (name) => openSqliteStore({ path: join(folder, `${name}.db`) })),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function growth(name: string, open: (name: string) => Promise<SessionStore>): Promise<BenchRow> {
  const [small, large] = [await open("few"), await open("many")];
  await fill(small, few);
  await fill(large, many);
  const [withFew, withMany] = [await openAsker(small), await openAsker(large)];
  const { floor, askbox } = await interleave(asks, { floor: withFew.ask, askbox: withMany.ask });
  await Promise.all([withFew.close(), withMany.close()]);
  return againstFloor(
    {
      id: `ask-stored-${name}`,
      name: `an ask with ${many} sessions in ${name}; floor: with ${few}`,
      floor: median(floor),
      askbox: median(askbox),
      unit: "ms",
    },
    { atMost: logarithmic },
  );
}

/** Fills a store with what a busy person's inbox has: settled sessions of the same agent, all delivered. */
async function fill(store: SessionStore, count: number): Promise<void> {
  const { ids, clock } = standardPlatform(globalThis);
  const createdAt = clock.now() - 3_600_000;
  const record = (number: number): SessionRecord => ({
    ...settled(aRecord({ id: ids.session(), digest: `digest-${number}`, asker, createdAt: createdAt + number })),
    delivery: { deliveredAt: createdAt + number + 2_000 },
  });
  for (let filled = 0; filled < count; filled += 1_000) {
    await Promise.all(Array.from({ length: Math.min(1_000, count - filled) }, (_, index) => store.insert(record(filled + index))));
  }
}

async function openAsker(store: SessionStore): Promise<{ ask(): Promise<number>; close(): Promise<void> }> {
  const broker = await createBroker({ ...standardPlatform(globalThis), store });
  const port = broker.asker("owner-1");
  let number = 0;
  return {
    /** One ask's time in ms; it is withdrawn before the next. */
    async ask() {
      number += 1;
      const request: AskRequest = anAsk({ title: `Ask ${number}` });
      const began = performance.now();
      const { session } = await port.ask(request, { asker, maxWait: 0 });
      const took = performance.now() - began;
      await port.withdraw(session.id);
      return took;
    },
    async close() {
      port.close();
      await broker.close();
      await store.close();
    },
  };
}
