import type { AddressInfo } from "node:net";
import {
  agentsContract,
  askerContract,
  deskContract,
  fakeClock,
  type Inbox,
  type InboxOptions,
  type PortsHarness,
  seededIds,
} from "@askbox/core/testing";
import { createWireClient, openWebSocket, type WireClient, webSocketChannel } from "@askbox/wire";
import { describe, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { askerHello, deskHello, pairClient, testHub } from "./support.ts";

/** One turn of the event loop, so that sockets are served. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Both ports over real sockets. The wire's clock is stopped, since the contract advances hours in which a socket would expect messages. */
async function socketInbox(options?: InboxOptions): Promise<Inbox> {
  const wireClock = fakeClock();
  const hub = await testHub({}, wireClock, options);
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  await new Promise((resolve) => server.once("listening", resolve));
  server.on("connection", (socket) => hub.serve(webSocketChannel(socket)));
  const { port } = server.address() as AddressInfo;
  const clients: WireClient[] = [];
  const client = (hello: Parameters<typeof pairClient>[1]) => {
    const made = createWireClient({
      connect: () => openWebSocket(new WebSocket(`ws://127.0.0.1:${port}`)),
      hello,
      clock: wireClock,
      random: () => 0,
      ids: seededIds(clients.length + 1),
    });
    clients.push(made);
    return made;
  };
  return {
    asker: async (owner) => client(askerHello(owner)).asker,
    desk: async (by) => client(deskHello(by)).desk,
    advance: (ms) => hub.clock.advance(ms),
    async until(condition) {
      // A system that is busy takes any number of turns to move what was sent.
      for (const late = AbortSignal.timeout(15_000); !late.aborted; await turn()) if (await condition()) return;
      throw new Error("What was waited for never happened.");
    },
    async close() {
      for (const made of clients) made.close();
      await hub.close();
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Both ports over pairs of channels, with one clock for everything. */
async function pairInbox(options?: InboxOptions): Promise<Inbox> {
  const hub = await testHub({}, undefined, options);
  const clients: WireClient[] = [];
  const client = (hello: Parameters<typeof pairClient>[1]) => {
    const made = pairClient(hub, hello);
    clients.push(made);
    return made;
  };
  return {
    asker: async (owner) => client(askerHello(owner)).asker,
    desk: async (by) => client(deskHello(by)).desk,
    advance: (ms) => hub.clock.advance(ms),
    async until(condition) {
      for (let turns = 0; turns < 1_000; turns += 1) {
        if (await condition()) return;
        await hub.clock.advance(0);
      }
      throw new Error("What was waited for never happened.");
    },
    async close() {
      for (const made of clients) made.close();
      await hub.close();
    },
  };
}

const harnesses: Record<string, PortsHarness> = {
  "over a WebSocket": { open: socketInbox },
  "over a pair of channels": { open: pairInbox },
};

describe("registered agents over the wire", () => {
  const open = async () => {
    const hub = await testHub();
    const client = pairClient(hub, deskHello());
    const close = async () => {
      client.close();
      await hub.close();
    };
    return { agents: client.agents, close };
  };
  for (const promise of agentsContract) test(promise.name, () => promise.run({ open }));
});

describe.each(Object.entries(harnesses))("a hub %s", (_, harness) => {
  describe("as an asker's port", () => {
    for (const promise of askerContract) test(promise.name, () => promise.run(harness));
  });
  describe("as a desk", () => {
    for (const promise of deskContract) test(promise.name, () => promise.run(harness));
  });
});
