import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { limitConnections } from "../src/server/connection-limits.ts";
import { ask, askOne, startHub, type TestHub, until } from "./support.ts";

/** A connection that sends this and nothing more. */
function trickle(hub: TestHub, text: string): { socket: Socket; back(): string; closed: Promise<unknown> } {
  const { hostname, port } = new URL(hub.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let back = "";
  socket.setEncoding("utf8").on("data", (piece: string) => {
    back += piece;
  });
  // A connection above the limit may be reset.
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.once("connect", () => socket.write(text));
  return { socket, back: () => back, closed };
}

const head = (hub: TestHub, path: string) => `POST ${path} HTTP/1.1\r\nHost: ${new URL(hub.url).host}\r\n`;
const bodyToCome = (hub: TestHub, path: string) =>
  `${head(hub, path)}Authorization: Bearer ${hub.tokens.asker}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;

// promise: requests-bounded
it("2,000 connections that send slowly delay nobody, and are closed after their time", async () => {
  const hub = await startHub({ connectionLimits: { headers: 1_500, request: 1_500, look: 100, connections: 1_000 } });
  const slow: ReturnType<typeof trickle>[] = [];
  let closed = 0;
  for (let opened = 0; opened < 2_000; opened += 100) {
    const batch = Array.from({ length: 100 }, (_, index) => {
      const text = [head(hub, "/api/sessions"), bodyToCome(hub, "/api/sessions"), "", "G"][index % 4] ?? "";
      return trickle(hub, text);
    });
    for (const connection of batch) {
      void connection.closed.then(() => {
        closed += 1;
      });
    }
    slow.push(...batch);
    // Connections above the limit are rejected on arrival, and a place is soon free again.
    await until(async () => (await hub.call("GET", "/healthz").catch(() => undefined))?.status === 200, 30_000);
  }
  await Promise.all(slow.map((connection) => connection.closed));
  expect(closed).toBe(2_000);
  expect(slow.filter((connection) => connection.back().includes(" 201 "))).toEqual([]);
  expect((await hub.call("POST", "/api/sessions", { as: "asker", body: ask })).status).toBe(201);
  await until(() => hub.hub.connections.requests === 0);
});

// promise: requests-bounded
it("idle connections starve nobody: the oldest is closed, and only a hub full of requests rejects a new one", async () => {
  const hub = await startHub({ connectionLimits: { connections: 40, headers: 60_000, request: 60_000 } });
  const idle = Array.from({ length: 40 }, () => trickle(hub, ""));
  await Promise.all(idle.map(({ socket }) => once(socket, "connect")));
  const healthz = (connection: ReturnType<typeof trickle>) => until(() => connection.back().includes(" 200 "));
  const get = `GET /healthz HTTP/1.1\r\nHost: ${new URL(hub.url).host}\r\n\r\n`;
  const asking = trickle(hub, get);
  await healthz(asking);
  await idle[0]?.closed;
  expect(idle.filter(({ socket }) => socket.destroyed)).toHaveLength(1);

  // Waiting requests are not closed to make room.
  const id = await askOne(hub);
  const wait = `GET /api/sessions/${id}?wait=60 HTTP/1.1\r\nHost: ${new URL(hub.url).host}\r\nAuthorization: Bearer ${hub.tokens.desk}\r\n\r\n`;
  const waiting = Array.from({ length: 39 }, () => trickle(hub, wait));
  await until(() => hub.hub.connections.requests === 39);
  await Promise.all(idle.map(({ closed }) => closed));
  const fits = trickle(hub, get);
  await fits.closed;
  expect(fits.back()).toBe("");
  expect(waiting.filter(({ socket }) => socket.destroyed)).toEqual([]);
});

// promise: requests-bounded
it("strangers who send requests hold no place against a person, whose own connections stay", async () => {
  const hub = await startHub({ connectionLimits: { connections: 40 } });
  const { host } = new URL(hub.url);
  const id = await askOne(hub);
  const wait = `GET /api/sessions/${id}?wait=60 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${hub.tokens.desk}\r\n\r\n`;
  const waiting = Array.from({ length: 10 }, () => trickle(hub, wait));
  await until(() => hub.hub.connections.requests === 10);
  const healthz = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const login = `${head(hub, "/auth/login")}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  const held = Array.from({ length: 30 }, (_, index) => {
    return trickle(hub, [healthz, login, healthz.replace(host, "evil.example")][index % 3] ?? "");
  });
  await until(
    () => held.every(({ back }, index) => index % 3 === 1 || back().includes("HTTP/1.1 ")) && hub.hub.connections.requests === 20,
  );
  await hub.clock.advance(500);
  const person = Array.from({ length: 20 }, () => trickle(hub, wait));
  await until(() => hub.hub.connections.requests >= 30 && person.every(({ socket }) => !socket.destroyed));
  await until(() => held.filter(({ socket }) => socket.destroyed).length === 20);
  expect([...waiting, ...person].filter(({ socket }) => socket.destroyed)).toEqual([]);
});

// promise: requests-bounded
it("a stranger's request has less time for its body than one with a token", async () => {
  const hub = await startHub({ connectionLimits: { unknownBody: 100 } });
  const login = trickle(hub, `${head(hub, "/auth/login")}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
  const ask = trickle(hub, bodyToCome(hub, "/api/sessions"));
  await login.closed;
  expect(login.back()).toMatch(/^HTTP\/1.1 408 /);
  expect(ask.socket.destroyed).toBe(false);
});

it("a body that never ends is cut, and opens no session", async () => {
  const hub = await startHub({ connectionLimits: { headers: 200, request: 300, look: 50 } });
  const endless = trickle(hub, bodyToCome(hub, "/api/sessions"));
  const chunked = trickle(
    hub,
    `${head(hub, "/api/sessions")}Authorization: Bearer ${hub.tokens.asker}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
  );
  await Promise.all([endless.closed, chunked.closed]);
  // Not over HTTP, where a busy machine may take longer than these limits.
  expect((await hub.broker.desk({ surface: "api" }).list()).items).toEqual([]);
  expect(hub.hub.connections.requests).toBe(0);
});

// promise: requests-bounded
it.each([
  [499, false],
  [500, true],
])("a stranger who sent a request %s ms ago makes room: %s", (passed, makesRoom) => {
  const server = createServer();
  server.removeAllListeners("connection").removeAllListeners("request");
  let now = 0;
  limitConnections(server, { connections: 1 }, () => now);
  const destroyed: number[] = [];
  const connection = (remotePort: number) => Object.assign(new EventEmitter(), { remotePort, destroy: () => destroyed.push(remotePort) });
  const first = connection(1);
  server.emit("connection", first as unknown as Socket);
  server.emit("request", { socket: first, headers: {} });
  now = passed;
  server.emit("connection", connection(2) as unknown as Socket);
  expect(destroyed).toEqual([makesRoom ? 1 : 2]);
});

it("a client that disconnects in the middle of its body is not logged as an error", async () => {
  const logged: unknown[][] = [];
  const hub = await startHub({ log: (...entry) => logged.push(entry) });
  const leaver = trickle(hub, bodyToCome(hub, "/api/sessions"));
  await until(() => hub.hub.connections.requests === 1);
  leaver.socket.destroy();
  await until(() => hub.hub.connections.requests === 0);
  await hub.call("GET", "/healthz");
  expect(logged.filter(([level]) => level === "error" || level === "warn")).toEqual([]);
});

it.each(["POST /api/sessions", "POST /auth/login", "POST /api/tokens"])(
  "malformed JSON at %s is answered with a sentence",
  async (route) => {
    const hub = await startHub();
    const [method = "", path = ""] = route.split(" ");
    const as = path === "/api/sessions" ? ("asker" as const) : ("desk" as const);
    for (const body of ["{", "[1,", "\u0000", '{"questions":', "NaN"]) {
      const answer = await hub.call(method, path, { as, body });
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        400,
        "VALIDATION",
        "The body is not valid JSON; send one JSON object.",
      ]);
    }
    for (const body of ["null", "7", '"x"', "[]"]) expect((await hub.call(method, path, { as, body })).status).toBe(400);
  },
);

it("a pipelined request waits behind a slow one, and both end with the connection", async () => {
  const hub = await startHub();
  const { socket, back } = trickle(hub, `${bodyToCome(hub, "/api/sessions")}`);
  await until(() => hub.hub.connections.requests === 1);
  socket.end();
  await once(socket, "close");
  expect(back()).not.toContain(" 201 ");
});

// promise: requests-bounded
it("4,096 connections, 10 s for a request's headers and 30 s for the whole request are the default limits", () => {
  const server = createServer();
  // Without a parser: connections are counted on arrival.
  server.removeAllListeners("connection");
  limitConnections(server);
  let destroyed = 0;
  const destroy = () => {
    destroyed += 1;
  };
  const connection = (remotePort: number) => Object.assign(new EventEmitter(), { remotePort, destroy });
  for (let port = 1; port <= 4_096; port += 1) server.emit("connection", connection(port) as unknown as Socket);
  expect([destroyed, server.headersTimeout, server.requestTimeout]).toEqual([0, 10_000, 30_000]);
  server.emit("connection", connection(4_097) as unknown as Socket);
  expect(destroyed).toBe(1);
});

it("cookies of other programs are no obstacle, and too many of them get a sentence", async () => {
  const hub = await startHub();
  const cookie = (count: number) => Array.from({ length: count }, (_, index) => `dev${index}=${"x".repeat(3_500)}`).join("; ");
  expect((await hub.call("GET", "/healthz", { headers: { cookie: cookie(8) } })).status).toBe(200);
  const refused = trickle(hub, `GET /healthz HTTP/1.1\r\nHost: ${new URL(hub.url).host}\r\nCookie: ${cookie(10)}\r\n`);
  await refused.closed;
  expect(refused.back()).toMatch(/^HTTP\/1.1 431 .*\r\n\r\nThe headers of this request have more than 32 KB, .*\.$/s);
  const broken = trickle(hub, "no HTTP\r\n\r\n");
  await broken.closed;
  expect(broken.back()).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/);
});

it("the method TRACE is refused", async () => {
  const hub = await startHub();
  expect(await hub.call("TRACE", "/healthz")).toMatchObject({ status: 405, headers: { allow: expect.stringContaining("GET") } });
});
