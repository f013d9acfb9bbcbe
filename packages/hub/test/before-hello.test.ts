import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { startHub, type TestHub, until } from "./support.ts";

/** A WebSocket client that sends what the test says, and responds to nothing, not even a close. */
async function rawSocket(hub: TestHub): Promise<{ socket: Socket; status: string; isClosed(): boolean; write(bytes: Buffer): void }> {
  const { hostname, port, host } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let closed = false;
  socket.on("error", () => {});
  socket.once("close", () => {
    closed = true;
  });
  await once(socket, "connect");
  const head = ["GET /ws HTTP/1.1", `Host: ${host}`, "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  socket.write(`${head.join("\r\n")}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  return {
    socket,
    status: answer.toString("latin1").split(" ")[1] ?? "",
    isClosed: () => closed,
    write: (bytes) => void (closed || socket.write(bytes)),
  };
}

/** The header of a masked text frame of this many bytes (RFC 6455, section 5.2). */
function frameHead(bytes: number): Buffer {
  const head = Buffer.alloc(14);
  head.writeUInt16BE(0x81ff);
  head.writeBigUInt64BE(BigInt(bytes), 2);
  return head;
}

// promise: bounded-before-hello
it("a connection that sends more than 16 KB before its hello is cut, even in the middle of a message", async () => {
  const hub = await startHub();
  const peer = await rawSocket(hub);
  peer.write(frameHead(4_000_000));
  peer.write(Buffer.alloc(16_384, 0x20));
  await until(() => peer.isClosed());
});

// promise: bounded-before-hello
it("a connection that ignores the hub's close is cut", async () => {
  const hub = await startHub();
  const peer = await rawSocket(hub);
  // Nothing is read or answered, so only the end of the socket is observed.
  await hub.clock.advance(5_000);
  await until(() => peer.isClosed(), 20_000);
});

// promise: bounded-before-hello
it("a rejected upgrade does not keep its connection open", async () => {
  const hub = await startHub();
  const { hostname, port } = new URL(hub.url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write("GET /elsewhere HTTP/1.1\r\nHost: evil.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
  socket.resume();
  await once(socket, "end");
  // Our half is still open; the hub's side is gone, so writes result in an error.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  const writing = setInterval(() => socket.write("x"), 20);
  onTestFinished(() => clearInterval(writing));
  await closed;
});

// promise: bounded-before-hello
it("connections without a hello are limited by address, and authenticated ones do not count", async () => {
  const hub = await startHub({ connectionLimits: { unknown: 3, unknownPerAddress: 2 } });
  const clients = [hub.connect("asker"), hub.connect("desk"), hub.connect("asker")];
  for (const client of clients) await client.ready();
  const waiting = [await rawSocket(hub), await rawSocket(hub)];
  expect(waiting.map(({ status }) => status)).toEqual(["101", "101"]);
  expect((await rawSocket(hub)).status).toBe("503");
  // The oldest makes room once it has had time to authenticate.
  await hub.clock.advance(499);
  expect((await rawSocket(hub)).status).toBe("503");
  await hub.clock.advance(1);
  expect((await rawSocket(hub)).status).toBe("101");
  await until(() => waiting[0]?.isClosed() === true);
  expect(waiting[1]?.isClosed()).toBe(false);
  waiting[1]?.socket.destroy();
  await until(async () => (await rawSocket(hub)).status === "101");
  expect(hub.hub.connections.askers).toBe(2);
});

it("a hello is accepted in several pieces, and later messages may be larger", async () => {
  const hub = await startHub();
  const socket = new WebSocket(`${hub.url.replace("http", "ws")}/ws`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  const hello = JSON.stringify({
    hello: { protocol: 2, token: hub.tokens.desk, role: "desk", surface: "cli", agent: { name: "x", version: "1" } },
  });
  socket.send(hello.slice(0, 20), { fin: false });
  socket.send(hello.slice(20), { fin: true });
  const [welcome] = (await once(socket, "message")) as [Buffer];
  expect(JSON.parse(welcome.toString())).toHaveProperty("welcome");
  socket.send(JSON.stringify({ id: 1, method: "list", params: { text: "x".repeat(100_000) } }));
  const [reply] = (await once(socket, "message")) as [Buffer];
  expect(JSON.parse(reply.toString())).toMatchObject({ id: 1 });
});
