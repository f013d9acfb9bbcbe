import { describe, expect, it } from "vitest";
import { untilHolds as until } from "../../support/until.ts";
import { startMcpCluster } from "./cluster.ts";
import { askResumably, call, initialize, type McpHub, yes } from "./hub.ts";
import { type SseStream, sseStream } from "./sse-stream.ts";

const ping = (id: number) => ({ jsonrpc: "2.0", id, method: "ping" });
const delivered = async (hub: McpHub, id: string) => (await hub.desk.get(id)).delivery.deliveredAt !== null;
const sessions = async (hub: McpHub) => (await hub.desk.list({ statuses: ["pending", "answered", "cancelled"] })).items;

/** Resumes a stream while the hubs' time passes. */
async function resume(hub: McpHub, headers: Record<string, string>, eventId: string, signal?: AbortSignal): Promise<SseStream> {
  let response: Response | undefined;
  const coming = hub.post(undefined, { method: "GET", headers: { ...headers, "last-event-id": eventId }, signal });
  coming.then(
    (come) => {
      response = come;
    },
    () => {},
  );
  await until(async () => {
    await hub.clock.advance(100);
    return response !== undefined;
  });
  const found = await coming;
  expect(found.status).toBe(200);
  return sseStream(found);
}

describe("an MCP session of an older revision with several hubs", () => {
  it("continues at a hub that did not create it, only for its owner, without storing the token", async () => {
    const { a, b, shared } = await startMcpCluster();
    for (const revision of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
      const headers = await initialize(a, revision);
      const answers = await Promise.all([1, 2, 3].map(async (id) => sseStream(await b.post(ping(id), { headers })).message()));
      expect(answers).toEqual([1, 2, 3].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
      expect((await b.post(ping(4), { headers, as: "otherAsker" })).status).toBe(404);
      const asked = sseStream(await b.post(call(5), { headers }));
      const { id, asker } = await b.pending();
      expect(asker.client).toEqual({ name: "raw", version: "1" });
      await a.desk.answer(id, yes);
      expect(await asked.message()).toMatchObject({ id: 5, result: { structuredContent: { answered: true } } });
    }
    for (const value of shared.values()) expect(value).not.toContain(a.tokens.asker);
  });

  it("ends at all of them with a DELETE at one", async () => {
    const { a, b } = await startMcpCluster();
    const { stream, headers } = await askResumably(a);
    expect((await b.post(undefined, { method: "DELETE", headers })).status).toBe(200);
    await expect(stream.message()).rejects.toThrow("has ended");
    for (const hub of [a, b]) expect((await hub.post(ping(1), { headers })).status).toBe(404);
  });

  it("ends with its token, wherever that is revoked, and nothing of it is kept", async () => {
    const { a, b, shared } = await startMcpCluster();
    const made = await a.post({ name: "ci", scope: "asker" }, { path: "/api/tokens", as: "desk" });
    const { token } = (await made.json()) as { token: string };
    const options = { as: "nobody", headers: { authorization: `Bearer ${token}` } } as const;
    const headers = { ...options.headers, ...(await initialize(a, "2025-11-25", options)) };
    const isKept = () => [...shared.keys()].some((key) => key.startsWith("mcp-session:"));
    expect(isKept()).toBe(true);
    expect((await b.post(undefined, { path: "/api/tokens/ci", method: "DELETE", as: "desk" })).status).toBe(200);
    for (const hub of [a, b]) expect((await hub.post(ping(1), { as: "nobody", headers })).status).toBe(401);
    await until(() => !isKept());
  });

  it("receives messages at the hub of the call if its client posts them to another", async () => {
    const { a, b } = await startMcpCluster();
    const { stream, headers, session } = await askResumably(a);
    await b.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { headers });
    expect(await stream.message()).toMatchObject({ id: 1, result: { isError: true } });
    expect(await a.desk.get(session.id)).toMatchObject({ status: "pending", presence: { asker: "away" } });
  });

  it("accepts the client's response to a hub's own request at any hub", async () => {
    const { a, b } = await startMcpCluster();
    const begin = {
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo: { name: "raw", version: "1" } },
    };
    const begun = await a.post(begin);
    const headers = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
    await sseStream(begun).message();
    const own = sseStream(await a.post(undefined, { method: "GET", headers }));
    await a.post(call(1), { headers });
    const { id, method } = await own.message();
    expect(method).toBe("roots/list");
    // The other hub has its own request in progress.
    await b.post(ping(2), { headers });
    expect((await b.post({ jsonrpc: "2.0", id, result: { roots: [{ uri: "file:///there" }] } }, { headers })).status).toBe(202);
    expect((await a.pending()).asker.project).toBe("/there");
  });
});

describe("a call whose hub is gone", () => {
  it("continues at the hub where its stream is resumed, with one question and one result, delivered once it is written", async () => {
    const { a, b, killA } = await startMcpCluster();
    const { cut, headers, eventId, session } = await askResumably(a);
    killA();
    cut.abort();
    const stream = await resume(b, headers, eventId);
    await until(async () => (await b.desk.get(session.id)).presence.asker === "attached");
    expect(await delivered(b, session.id)).toBe(false);
    await b.desk.answer(session.id, yes);
    expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true, sessionId: session.id } } });
    await expect(stream.event()).rejects.toThrow("has ended");
    await until(() => delivered(b, session.id));
    expect(await sessions(b)).toHaveLength(1);
  });

  it("gets an answer given there while no hub had the call", async () => {
    const { a, b, killA } = await startMcpCluster();
    const { cut, headers, eventId, session } = await askResumably(a);
    killA();
    cut.abort();
    await until(() => a.requests() === 0);
    await b.desk.answer(session.id, yes);
    const stream = await resume(b, headers, eventId);
    expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true, sessionId: session.id } } });
    await until(() => delivered(b, session.id));
    expect(await sessions(b)).toHaveLength(1);
  });

  it("moves from hub to hub, and back, while both are running", async () => {
    const { a, b } = await startMcpCluster();
    const first = await askResumably(a);
    const { headers, eventId, session } = first;
    first.cut.abort();
    for (const hub of [b, a, b, a]) {
      const cut = new AbortController();
      await resume(hub, headers, eventId, cut.signal);
      await until(async () => (await hub.desk.get(session.id)).presence.asker === "attached");
      cut.abort();
    }
    const stream = await resume(b, headers, eventId);
    await until(async () => (await b.desk.get(session.id)).presence.asker === "attached");
    await a.desk.answer(session.id, yes);
    expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true, sessionId: session.id } } });
    await until(() => delivered(a, session.id));
    expect(await sessions(a)).toHaveLength(1);
  });

  it("is counted once, at the hub where it ends", async () => {
    const { a, b, ends } = await startMcpCluster();
    const { cut, headers, eventId, session } = await askResumably(a);
    cut.abort();
    await until(() => a.requests() === 0);
    const stream = await resume(b, headers, eventId);
    await until(async () => (await b.desk.get(session.id)).presence.asker === "attached");
    await b.desk.answer(session.id, yes);
    await stream.message();
    await until(() => ends.length > 0);
    expect(ends).toEqual(["b ask_user ok"]);
  });

  // promise: killed-hubs-lose-no-answer
  it("delivers an unread result at the hub to which its client moves, once", async () => {
    const { a, b } = await startMcpCluster();
    const { cut, headers, eventId, session } = await askResumably(a);
    cut.abort();
    await until(() => a.requests() === 0);
    await a.desk.answer(session.id, yes);
    expect(await delivered(a, session.id)).toBe(false);
    const stream = await resume(b, headers, eventId);
    expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true, sessionId: session.id } } });
    await until(() => delivered(b, session.id));
    // Lost after it was written: it is sent again, and nobody is asked again, at any hub.
    for (const hub of [a, b, a]) {
      const again = await resume(hub, headers, eventId);
      expect(await again.message()).toMatchObject({ id: 1, result: { structuredContent: { sessionId: session.id } } });
    }
    expect(await sessions(b)).toHaveLength(1);
  });

  it("is still late for its client: its previous outcome counts", async () => {
    const { a, b, killA } = await startMcpCluster();
    const { cut, headers, eventId, session } = await askResumably(a);
    await a.clock.advance(40_000);
    killA();
    cut.abort();
    const stream = await resume(b, headers, eventId);
    await b.clock.advance(10_000);
    // After 50 s, an unknown client's call returns with a ticket.
    expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { pending: true, sessionId: session.id } } });
  });

  it("that moved was not given up by its client, whose next call may be as long", async () => {
    const { a, b } = await startMcpCluster();
    const headers = await initialize(a, "2025-11-25");
    const cut = new AbortController();
    const first = sseStream(await a.post(call(1, { progressToken: "p" }), { headers, signal: cut.signal }));
    const { id: eventId = "" } = await first.event();
    const { id } = await a.pending();
    await a.clock.advance(60_000);
    cut.abort();
    await until(() => a.requests() === 0);
    await resume(b, headers, eventId);
    await until(async () => (await b.desk.get(id)).presence.asker === "attached");
    await b.desk.answer(id, yes);
    const next = sseStream(await a.post(call(2, { progressToken: "p" }), { headers: await initialize(a, "2025-11-25") }));
    const session = await a.pending();
    await a.clock.advance(60_000);
    await a.desk.answer(session.id, yes);
    for (let message = await next.message(); ; message = await next.message()) {
      if (message.id !== 2) continue;
      expect(message.result.structuredContent).toMatchObject({ answered: true });
      break;
    }
  });

  it("does not count as cancelled when its client moves to another hub", async () => {
    const { a, b } = await startMcpCluster();
    const path = "/mcp?on-cancel=withdraw";
    const headers = await initialize(a, "2025-11-25", { path });
    const cut = new AbortController();
    const stream = sseStream(await a.post(call(1), { headers, path, signal: cut.signal }));
    const { id: eventId = "" } = await stream.event();
    const session = await a.pending();
    cut.abort();
    await resume(b, headers, eventId);
    await until(async () => (await b.desk.get(session.id)).presence.asker === "attached");
    expect((await b.desk.get(session.id)).status).toBe("pending");
  });
});
