import { createBroker, memoryStore } from "@askbox/core";
import { askerContract, deskContract, fakeClock, type Inbox, type InboxOptions, testPlatform } from "@askbox/core/testing";
import type { WireClient } from "@askbox/wire";
import { describe, test } from "vitest";
import { type Side, servePorts, windowClient } from "../../examples/desk-over-message-port/main-process.ts";

/** One turn of the event loop, in which ports are served. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The main process, and windows that get their ports from it. The wire's clock is stopped, since the contract advances hours. */
async function portInbox(options?: InboxOptions): Promise<Inbox> {
  const platform = testPlatform();
  const wire = { ...platform, clock: fakeClock() };
  const broker = await createBroker({ store: memoryStore(), ...platform, ...options });
  const serve = servePorts(broker, wire);
  const clients: WireClient[] = [];
  const connect = (side: Side, hello: Parameters<typeof windowClient>[1]) => {
    const askPort = () => {
      const { port1, port2 } = new MessageChannel();
      serve(port1, side);
      return port2;
    };
    const client = windowClient(askPort, hello, wire);
    clients.push(client);
    return client;
  };
  const agent = { name: "window", version: "1.0.0" };
  return {
    asker: async (owner = "owner-1") => connect({ role: "asker", owner }, { token: "", role: "asker", agent }).asker,
    desk: async ({ surface, name } = { surface: "terminal" }) =>
      connect({ role: "desk" }, { token: "", role: "desk", surface, name, agent }).desk,
    async advance(ms) {
      // Ports are not ordered among each other: pending messages arrive before the clock moves.
      for (let turns = 0; turns < 20; turns += 1) await turn();
      await platform.clock.advance(ms);
    },
    async until(condition) {
      for (let turns = 0; turns < 5_000; turns += 1) {
        if (await condition()) return;
        await turn();
      }
      throw new Error("What was waited for never happened.");
    },
    async close() {
      for (const client of clients) client.close();
      await broker.close();
    },
  };
}

describe("a host's windows connected by message ports", () => {
  for (const contractCase of [...deskContract, ...askerContract]) {
    test(contractCase.name, () => contractCase.run({ open: portInbox }));
  }
});
