import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { type AttackedHub, attackedHub } from "./support/attacked-hub.ts";

const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** A connection that sends these bytes. */
async function open({ url }: AttackedHub, text: string): Promise<Socket> {
  const socket = connect(Number(url.port), url.hostname);
  sockets.add(socket);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(text);
  return socket;
}

const upgrade = ({ url }: AttackedHub) =>
  `GET /ws HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`;

/** The header of a masked text frame of 5 MB, and its mask. */
const largeFrame = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x50, 0, 0, 1, 2, 3, 4]);

const healthz = async ({ url }: AttackedHub): Promise<number> => {
  const began = performance.now();
  const response = await fetch(new URL("/healthz", url));
  await response.arrayBuffer();
  expect(response.status).toBe(200);
  return performance.now() - began;
};

describe("a hub whose sockets are attacked", () => {
  // promise: bounded-before-hello
  test("buffers little for 400 WebSockets that send 5 MB each before a hello, and answers others in the meantime", async () => {
    const hub = await attackedHub();
    const attackers = await Promise.all(Array.from({ length: 400 }, () => open(hub, upgrade(hub))));
    const piece = Buffer.alloc(65_536);
    for (const socket of attackers) {
      socket.resume().write(largeFrame);
      for (let sent = 0; sent < 5_242_880; sent += piece.length) socket.write(piece);
    }
    await healthz(hub);
    await until("all of them are cut", () => attackers.every(({ destroyed }) => destroyed));
    await healthz(hub);
    const { memory, stall } = await hub.cost();
    expect(memory).toBeLessThan(300);
    expect(stall).toBeLessThan(5_000);
  });

  // promise: requests-bounded
  test("serves a person within a second while strangers hold more than its maximum of connections", async () => {
    const hub = await attackedHub();
    const healthy = `GET /healthz HTTP/1.1\r\nHost: ${hub.url.host}\r\n\r\n`;
    const login = `POST /auth/login HTTP/1.1\r\nHost: ${hub.url.host}\r\nContent-Length: 4000\r\n\r\n{`;
    const kinds = ["", healthy, login, healthy.replace(hub.url.host, "evil.example")];
    for (let opened = 0; opened < 4_200; opened += 200) {
      await Promise.all(Array.from({ length: 200 }, async (_, index) => (await open(hub, kinds[index % kinds.length] ?? "")).resume()));
    }
    const times: number[] = [];
    for (let asked = 0; asked < 5; asked += 1) {
      times.push(await hub.wait("/api/sessions"));
    }
    expect(Math.min(...times)).toBeLessThan(1_000);
    const { memory, stall } = await hub.cost();
    expect(memory).toBeLessThan(300);
    expect(stall).toBeLessThan(5_000);
  });

  // promise: slow-readers-bounded
  test("buffers little for readers of /api/events that never read", async () => {
    const hub = await attackedHub();
    const head = `GET /api/events HTTP/1.1\r\nHost: ${hub.url.host}\r\nAuthorization: Bearer ${hub.tokens.desk}\r\n\r\n`;
    const readers = await Promise.all(Array.from({ length: 20 }, () => open(hub, head)));
    for (const reader of readers) reader.pause();
    const preview = "x".repeat(100_000);
    for (let asked = 0; asked < 200; asked += 1) {
      const body = { questions: [{ question: `Number ${asked}?`, options: [{ label: "A", preview }, { label: "B" }] }] };
      expect((await hub.fetch("/api/sessions", { as: "asker", method: "POST", body })).status).toBe(201);
    }
    await healthz(hub);
    const { memory, stall } = await hub.cost();
    // 20 MB of sessions for each of 20 readers would be 400 MB.
    expect(memory).toBeLessThan(350);
    expect(stall).toBeLessThan(5_000);
  });
});
