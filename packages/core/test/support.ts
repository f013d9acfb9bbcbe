import { type Broker, createBroker, memoryStore, type SessionStore } from "@askbox/core";
import { severalHubs } from "@askbox/core/hubs";
import { sharedMemory } from "@askbox/core/stores";
import { type Inbox, type InboxOptions, type PortsHarness, testPlatform } from "@askbox/core/testing";
import fc from "fast-check";

/** How often a property is tried: this many times, or fewer in a mutation run. */
export const runs = (count: number): number => fc.readConfigureGlobal().numRuns ?? count;

/** An inbox in this process with its own store and a clock that only moves on request. */
export async function localInbox(store: SessionStore = memoryStore(), brokers = 1, options: InboxOptions = {}): Promise<Inbox> {
  const platform = testPlatform();
  const memory = sharedMemory(platform.clock);
  const shared = Array.from({ length: brokers }, () => (brokers > 1 ? memory.open() : undefined));
  const hubs = await Promise.all(shared.map((own) => createBroker({ store, hubs: own && severalHubs(own), ...platform, ...options })));
  await platform.clock.advance(0);
  let turn = 0;
  // Each port is at another hub than the previous one.
  const next = () => {
    turn += 1;
    return hubs[turn % hubs.length] as Broker;
  };
  return {
    asker: async (owner = "owner-1") => next().asker(owner),
    desk: async (by = { surface: "terminal" }) => next().desk(by),
    advance: (ms) => platform.clock.advance(ms),
    async until(condition) {
      for (let turn = 0; turn < 1_000; turn += 1) {
        if (await condition()) return;
        await platform.clock.advance(0);
      }
      throw new Error("What was waited for never happened.");
    },
    async close() {
      for (const hub of hubs) await hub.close();
      for (const own of shared) await own?.close();
      await store.close();
    },
  };
}

export const localPorts: PortsHarness = { open: (options) => localInbox(memoryStore(), 1, options) };
/** Three brokers that share a store and state. */
export const clusterPorts: PortsHarness = { open: (options) => localInbox(memoryStore(), 3, options) };
