import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Broker, createBroker, memoryStore, standardPlatform } from "@askbox/core";
import { serveWire, webSocketChannel } from "@askbox/wire";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";

export const foreignToken = "token-of-another-version";

/** A hub of another version, in this process: it only supports these protocol versions. */
export async function hubOfVersion(version: string, protocols: readonly number[]): Promise<{ url: string; broker: Broker }> {
  const platform = standardPlatform(globalThis);
  const broker = await createBroker({ ...platform, store: memoryStore() });
  const server = createServer((_request, response) => response.end(JSON.stringify({ status: "ok", version, instance: "another" })));
  const sockets = new WebSocketServer({ server, path: "/ws" });
  sockets.on("connection", (socket) => {
    serveWire(webSocketChannel(socket), {
      hub: { version, instance: "another" },
      authenticate: async (token) => (token === foreignToken ? { owner: "local", scopes: ["asker", "desk"] } : undefined),
      asker: (owner) => broker.asker(owner),
      desk: (by) => broker.desk(by),
      control: { status: async () => ({ version }), stop: async () => {} },
      ids: platform.ids,
      clock: platform.clock,
      protocols,
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
    await broker.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, broker };
}
