import { createBroker, memoryStore, type SessionStore } from "@askbox/core";
import { type Inbox, type PortsHarness, testPlatform } from "@askbox/core/testing";

/** An inbox in this process over a store of its own, with a clock that moves only when told to. */
export async function localInbox(store: SessionStore = memoryStore()): Promise<Inbox> {
  const platform = testPlatform();
  const broker = await createBroker({ store, ...platform });
  return {
    asker: async (owner = "owner-1") => broker.asker(owner),
    desk: async (by = { surface: "terminal" }) => broker.desk(by),
    advance: (ms) => platform.clock.advance(ms),
    async until(condition) {
      for (let turn = 0; turn < 1_000; turn += 1) {
        if (await condition()) return;
        await platform.clock.advance(0);
      }
      throw new Error("What was waited for never happened.");
    },
    async close() {
      await broker.close();
      await store.close();
    },
  };
}

export const localPorts: PortsHarness = { open: () => localInbox() };
