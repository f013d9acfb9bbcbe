import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { openWebSocket, webSocketChannel } from "@askbox/wire";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocketServer, WebSocket as WsSocket } from "ws";

const servers: WebSocketServer[] = [];

async function server(): Promise<{ url: string; accepted: Promise<WsSocket> }> {
  const made = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  servers.push(made);
  const accepted = once(made, "connection").then(([socket]) => socket as WsSocket);
  await once(made, "listening");
  return { url: `ws://127.0.0.1:${(made.address() as AddressInfo).port}`, accepted };
}

afterEach(async () => {
  for (const made of servers.splice(0)) {
    for (const socket of made.clients) socket.terminate();
    await new Promise((resolve) => made.close(resolve));
  }
});

/** The standard WebSocket, as in browsers, and that of the `ws` package. */
const sockets = { "the standard WebSocket": (url: string) => new WebSocket(url), "a socket of ws": (url: string) => new WsSocket(url) };

describe.each(Object.entries(sockets))("a channel over %s", (_, connect) => {
  test("carries text both ways, in order, including what came before there was a listener", async () => {
    const { url, accepted } = await server();
    const near = await openWebSocket(connect(url));
    const far = webSocketChannel(await accepted);
    for (let n = 0; n < 5; n += 1) far.send(`from the hub ${n}`);
    const sent = new Promise<string>((resolve) => far.onMessage(resolve));
    near.send("grüße");
    expect(await sent).toBe("grüße");
    const got: string[] = [];
    await new Promise<void>((resolve) => {
      near.onMessage((text) => {
        if (got.push(text) === 5) resolve();
      });
    });
    expect(got).toEqual([0, 1, 2, 3, 4].map((n) => `from the hub ${n}`));
    expect(near.bufferedAmount).toBe(0);
  });

  test("reports why it was closed, and shortens a reason that is too long for a frame", async () => {
    const { url, accepted } = await server();
    const near = await openWebSocket(connect(url));
    const far = webSocketChannel(await accepted);
    const ended = new Promise((resolve) => near.onClose(resolve));
    far.close(4001, "é".repeat(100));
    expect(await ended).toEqual({ code: 4001, reason: "é".repeat(61) });
    near.send("nobody hears this");
  });

  test("fails if nobody accepts it", async () => {
    const { url } = await server();
    const [made] = servers.splice(0);
    await new Promise((resolve) => made?.close(resolve));
    await expect(openWebSocket(connect(url))).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
  });
});

test("a binary message closes the channel", async () => {
  const { url, accepted } = await server();
  const socket = new WsSocket(url);
  await once(socket, "open");
  const ended = once(socket, "close");
  const far = webSocketChannel(await accepted);
  const told = new Promise((resolve) => far.onClose(resolve));
  socket.send(new Uint8Array([1, 2, 3]));
  expect(await told).toEqual({ code: 4400 });
  expect((await ended)[0]).toBe(4400);
});
