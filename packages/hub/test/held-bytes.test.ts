import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { heldBytes, turns } from "../src/limits/held-bytes.ts";
import { ask, askOne, startHub, type TestHub, until } from "./support.ts";

const small = { limits: { heldBytesPerToken: 400_000 } };

const wait = (hub: TestHub, id: string, as: "asker" | "otherAsker" | "desk" = "asker") => {
  const left = new AbortController();
  onTestFinished(() => left.abort());
  return { left, answer: hub.call("GET", `/api/sessions/${id}?wait=60`, { as, signal: left.signal }).catch(() => undefined) };
};

/** An authenticated WebSocket, and whether the hub has closed it. */
async function socketOf(hub: TestHub): Promise<WebSocket> {
  const socket = new WebSocket(`${hub.url.replace("http", "ws")}/ws`);
  onTestFinished(() => socket.terminate());
  socket.on("error", () => {});
  await once(socket, "open");
  const agent = { name: "x", version: "1" };
  socket.send(JSON.stringify({ hello: { protocol: 2, token: hub.tokens.asker, role: "asker", agent } }));
  await once(socket, "message");
  return socket;
}

// promise: held-bytes-bounded
it("requests in progress count for their token until they are over, and for no other", async () => {
  const hub = await startHub(small);
  const id = await askOne(hub);
  // 40 KB each.
  const waits = Array.from({ length: 9 }, () => wait(hub, id));
  await until(() => hub.hub.connections.requests === 9);
  const refused = await hub.call("POST", "/api/sessions", { as: "asker", body: ask });
  expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, "RATE_LIMITED", "1"]);
  expect((await hub.call("POST", "/api/sessions", { as: "otherAsker", body: ask })).status).toBe(201);
  expect((await hub.call("GET", "/api/sessions", { as: "desk" })).status).toBe(200);
  for (const { left } of waits.slice(0, 3)) left.abort();
  await until(() => hub.hub.connections.requests === 6);
  expect((await hub.call("POST", "/api/sessions", { as: "asker", body: ask })).status).toBe(201);
});

// promise: held-bytes-bounded
it("a body counts before it has arrived, by its declared size or piece by piece", async () => {
  const hub = await startHub(small);
  const { hostname, port } = new URL(hub.url);
  const path = "/api/sessions";
  const declared = (bytes: number) => {
    const headers = { authorization: `Bearer ${hub.tokens.asker}`, "content-length": bytes };
    const sent = request({ hostname, port, path, method: "POST", agent: false, headers }).on("error", () => {});
    onTestFinished(() => void sent.destroy());
    sent.flushHeaders();
    return sent;
  };
  const slow = declared(80_000);
  await until(() => hub.hub.connections.requests === 1);
  const [response] = await once(declared(80_000), "response");
  expect(response.statusCode).toBe(429);
  slow.destroy();
  await until(() => hub.hub.connections.requests === 0);

  const headers = { authorization: `Bearer ${hub.tokens.asker}`, "transfer-encoding": "chunked" };
  const chunked = request({ hostname, port, path, method: "POST", agent: false, headers }).on("error", () => {});
  onTestFinished(() => void chunked.destroy());
  chunked.write(" ".repeat(120_000));
  const [late] = await once(chunked, "response");
  expect(late.statusCode).toBe(429);
});

// promise: held-bytes-bounded
it("an unfinished message on a WebSocket counts, and its connection is closed", async () => {
  const hub = await startHub(small);
  const [one, other] = [await socketOf(hub), await socketOf(hub)];
  one.send("x".repeat(250_000), { fin: false });
  await hub.call("GET", "/healthz");
  expect(one.readyState).toBe(WebSocket.OPEN);
  other.send("x".repeat(250_000), { fin: false });
  await once(other, "close");
  expect(one.readyState).toBe(WebSocket.OPEN);
  // Nothing of the closed one is left.
  expect((await hub.call("POST", "/api/sessions", { as: "asker", body: ask })).status).toBe(201);
});

// promise: held-bytes-bounded
it("waiting calls on a WebSocket count, and one too many gets an error", async () => {
  const hub = await startHub(small);
  const id = await askOne(hub);
  const socket = await socketOf(hub);
  const errors: string[] = [];
  socket.on("message", (text) => {
    const { error } = JSON.parse(String(text)) as { error?: { code: string } };
    if (error !== undefined) errors.push(error.code);
  });
  const resume = (call: number) => ({ id: call, method: "resume", params: { sessionId: id, asker: { client: { name: "rest" } } } });
  for (let call = 0; call < 200; call += 1) socket.send(JSON.stringify(resume(call)));
  await until(() => errors.length > 0);
  expect([...new Set(errors)]).toEqual(["RATE_LIMITED"]);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  for (let call = 0; call < 200; call += 1) socket.send(JSON.stringify({ cancel: call }));
  await until(async () => (await hub.call("POST", "/api/sessions", { as: "asker", body: ask })).status === 201);
});

// promise: held-bytes-bounded
it("a connection whose token has too much unread is closed instead of being sent more", async () => {
  const hub = await startHub({ limits: { heldBytesPerToken: 2_000_000 } });
  const body = { questions: [{ question: "One?", options: [{ label: "A", preview: "x".repeat(200_000) }, { label: "B" }] }] };
  const { id } = (await hub.call("POST", "/api/sessions", { as: "asker", body })).body as { id: string };
  const socket = await socketOf(hub);
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.pause();
  for (let call = 0; call < 60; call += 1) {
    socket.send(JSON.stringify({ id: call, method: "resume", params: { sessionId: id, asker: { client: { name: "rest" } }, maxWait: 0 } }));
  }
  await until(() => hub.hub.connections.askers === 0);
  socket.resume();
  await closed;
});

// promise: held-bytes-bounded
it("one request of a token is worked on at a time, and those of others in between", async () => {
  const { next } = turns(() => 0);
  const order: string[] = [];
  expect(next("a")).toBeUndefined();
  const [second, third] = ["second", "third"].map((name) => next("a")?.then(() => order.push(name)));
  expect(next("b")).toBeUndefined();
  await second;
  expect(order).toEqual(["second"]);
  await third;
  // Those that are over have no turn left.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(next("a")).toBeUndefined();
});

/** A token's next turn after a round that took this many ms; `pass` lets more of them pass. */
async function afterRoundOf(took: number) {
  let now = 0;
  const { next } = turns(() => now);
  void next("a");
  const second = next("a");
  let isOver = false;
  void next("a")?.then(() => {
    isOver = true;
  });
  await second;
  now += took;
  return {
    isNext: () => isOver,
    pass(ms: number) {
      now += ms;
    },
  };
}

// promise: held-bytes-bounded
it.each([
  [1, 0],
  [2, 15],
  [5, 39],
])("a round that took %s ms is followed by %s without turns, in which connections are accepted", async (took, rests) => {
  const { isNext } = await afterRoundOf(took);
  let rounds = -1;
  for (; !isNext(); rounds += 1) await new Promise(setImmediate);
  expect(rounds).toBe(rests);
});

// promise: held-bytes-bounded
it.each([
  [20, 19, 20],
  [80, 49, 50],
])("after a round of %s ms, the next turn comes %s < %s ms later at the latest", async (took, before, after) => {
  const { isNext, pass } = await afterRoundOf(took);
  await new Promise(setImmediate);
  pass(before);
  await new Promise(setImmediate);
  expect(isNext()).toBe(false);
  pass(after - before);
  await new Promise(setImmediate);
  expect(isNext()).toBe(true);
});

// promise: held-bytes-bounded
it("a large body is parsed when it is its request's turn", async () => {
  const hub = await startHub();
  const body = { questions: [{ question: "One?", options: [{ label: "A", preview: "x".repeat(50_000) }, { label: "B" }] }] };
  const asked = await Promise.all(Array.from({ length: 8 }, () => hub.call("POST", "/api/sessions", { as: "asker", body })));
  expect(asked.map(({ status }) => status)).toEqual(Array(8).fill(201));
});

// promise: held-bytes-bounded
it("a connection with a third request before its first response is cut", async () => {
  const hub = await startHub();
  const id = await askOne(hub);
  const { hostname, port, host } = new URL(hub.url);
  const get = `GET /api/sessions/${id}?wait=60 HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${hub.tokens.asker}\r\n\r\n`;
  const two = connect(Number(port), hostname);
  onTestFinished(() => void two.destroy());
  two.write(get.repeat(2));
  await until(() => hub.hub.connections.requests === 2);
  const three = connect(Number(port), hostname).on("error", () => {});
  const closed = new Promise((resolve) => three.once("close", resolve));
  three.write(get.repeat(3));
  await closed;
  await until(() => hub.hub.connections.requests === 2);
  expect(two.destroyed).toBe(false);
});

it("the ledger forgets what is over", () => {
  const ledger = heldBytes(100);
  const [one, other] = [ledger.open("a"), ledger.open("a")];
  one.hold(60);
  expect(() => other.hold(41)).toThrow("wait for some to finish");
  other.hold(40);
  expect(other.add(1)).toBe(false);
  one.end();
  one.drop(60);
  other.drop(1);
  other.hold(60);
  expect(() => ledger.open("a").hold(1)).toThrow("This token");
  ledger.open("b").hold(100);
});
