import { type IncomingHttpHeaders, request } from "node:http";
import { connect as connectSocket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { untilHolds as until } from "../../support/until.ts";
import { call, initialize, type McpHub, modern, question, startMcpHub, yes } from "./hub.ts";
import { sseStream } from "./sse-stream.ts";

const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });

/** `node:http` and not `fetch`, which cannot set the Host header. */
function send(hub: McpHub, headers: Record<string, string>): Promise<{ status: number | undefined; headers: IncomingHttpHeaders }> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL("/mcp", hub.url), { method: "POST", agent: false, headers }, (response) => {
      response.resume();
      resolve({ status: response.statusCode, headers: response.headers });
    });
    sent.on("error", reject);
    sent.end(ping);
  });
}

/** A connection that sends this and nothing more; resolves with the response when the hub has closed it. */
function trickle(hub: McpHub, text: string): Promise<string> {
  const { hostname, port } = new URL(hub.url);
  const socket = connectSocket(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let back = "";
  return new Promise((resolve) => {
    socket.on("data", (piece) => {
      back += piece;
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(back));
    socket.write(text);
  });
}

describe("access to /mcp", () => {
  it("requires a token, and the error says where to read how to get one", async () => {
    const hub = await startMcpHub();
    const metadata = `${hub.url}/.well-known/oauth-protected-resource/mcp`;
    const refused = await hub.post(ping, { as: "nobody" });
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toBe(`Bearer realm="askbox", scope="asker", resource_metadata="${metadata}"`);
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: `${hub.url}/mcp`,
      resource_name: "askbox",
      bearer_methods_supported: ["header"],
      scopes_supported: ["asker"],
    });
    const unknown = await hub.post(ping, { headers: { authorization: "Bearer abx_unknown" } });
    expect([unknown.status, unknown.headers.get("www-authenticate")]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  });

  it("is denied to a token with another scope", async () => {
    const hub = await startMcpHub();
    const refused = await hub.post(ping, { as: "desk" });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="asker"');
  });

  // promise: host-and-origin-checked
  it("is denied for other host names and for pages of other origins, whatever token they send", async () => {
    const hub = await startMcpHub();
    const authorization = `Bearer ${hub.tokens.asker}`;
    expect((await send(hub, { authorization, host: "rebound.example" })).status).toBe(403);
    expect((await send(hub, { authorization, origin: "https://elsewhere.example" })).status).toBe(403);
  });

  // promise: requests-limited
  it("is limited by a token's request rate, with 429 and Retry-After", async () => {
    const hub = await startMcpHub({ limits: { requestsPerMinute: 3 } });
    const headers = await initialize(hub, "2025-06-18");
    expect((await hub.post(ping, { headers })).status).toBe(200);
    const refused = await hub.post(ping, { headers });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "20"]);
    expect(await refused.json()).toMatchObject({ code: "RATE_LIMITED", detail: expect.stringContaining("send again in 20 seconds") });
    await hub.clock.advance(20_000);
    expect((await hub.post(ping, { headers })).status).toBe(200);
  });

  it("is limited by the rate of asks, which the agent is told", async () => {
    const hub = await startMcpHub({ limits: { asksPerMinute: 1 } });
    const headers = await initialize(hub, "2025-06-18");
    const first = sseStream(await hub.post(call(1), { headers }));
    await hub.desk.answer((await hub.pending()).id, yes);
    await first.message();
    const { result } = await sseStream(await hub.post(call(2), { headers })).message();
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("More than 1 asks in a minute") }] });
  });
});

describe("the body of a request to /mcp", () => {
  it("may be 256 KB but not one byte more, however it is sent", async () => {
    const hub = await startMcpHub();
    const headers = await initialize(hub, "2025-06-18");
    const padded = (bytes: number) => ping + " ".repeat(bytes - ping.length);
    expect((await hub.post(padded(262_144), { headers })).status).toBe(200);
    expect((await hub.post(padded(262_145), { headers })).status).toBe(413);
    const chunked = await fetch(new URL("/mcp", hub.url), {
      method: "POST",
      headers: { authorization: `Bearer ${hub.tokens.asker}`, "content-type": "application/json" },
      body: new Blob([padded(262_145)]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  it("must be JSON, and declared as such", async () => {
    const hub = await startMcpHub();
    const malformed = await hub.post("{");
    expect([malformed.status, (await malformed.json()).error.code]).toEqual([400, -32_700]);
    expect((await hub.post(ping, { headers: { "content-type": "text/plain" } })).status).toBe(415);
  });

  it("times out with 408 if headers or body never end, and the connection is closed", async () => {
    const hub = await startMcpHub({ connectionLimits: { headers: 200, request: 300, look: 50 } });
    const head = `POST /mcp HTTP/1.1\r\nHost: ${new URL(hub.url).host}\r\n`;
    const body = `${head}Authorization: Bearer ${hub.tokens.asker}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    expect(await Promise.all([trickle(hub, head), trickle(hub, body)])).toEqual([
      expect.stringContaining("408"),
      expect.stringContaining("408"),
    ]);
  });

  it("closes the oldest idle connections beyond its limit, so that a new one is answered", async () => {
    const hub = await startMcpHub({ connectionLimits: { connections: 20 } });
    const { hostname, port } = new URL(hub.url);
    let closed = 0;
    const sockets = Array.from({ length: 60 }, () =>
      connectSocket(Number(port), hostname)
        .on("error", () => {})
        .on("close", () => {
          closed += 1;
        }),
    );
    onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
    await until(() => closed >= 40);
    expect((await fetch(new URL("/healthz", hub.url))).status).toBe(200);
    expect(sockets.filter((socket) => !socket.destroyed).length).toBeGreaterThan(0);
  });

  it("does not limit how long a call waits", async () => {
    const hub = await startMcpHub({ connectionLimits: { headers: 50, request: 100, look: 20 } });
    const stream = sseStream(await hub.post(call(1), { headers: await initialize(hub, "2025-06-18") }));
    const { id } = await hub.pending();
    // Another connection that is closed shows that the limits have been checked in the meantime.
    await trickle(hub, "POST /mcp HTTP/1.1\r\n");
    await hub.desk.answer(id, yes);
    expect((await stream.message()).result.structuredContent).toMatchObject({ answered: true });
  });
});

describe("the identity of an asker over MCP", () => {
  it("comes from the address, is overridden by headers, and both by the call's _meta", async () => {
    const hub = await startMcpHub();
    const path = "/mcp?agent=of-address&project=/of/address";
    const ask = modern(1, "tools/call", { name: "ask_user", arguments: question });
    const told = modern(2, "tools/call", { name: "ask_user", arguments: question }, { "askbox/agent": "of-call" });
    const byHeader = { "x-askbox-agent": "of-header" };
    for (const [message, headers, agentId] of [
      [ask.message, ask.headers, "of-address"],
      [ask.message, { ...ask.headers, ...byHeader }, "of-header"],
      [told.message, { ...told.headers, ...byHeader }, "of-call"],
    ] as const) {
      const stream = sseStream(await hub.post(message, { path, headers }));
      const { id, asker } = await hub.pending();
      expect(asker).toEqual({ client: { name: "raw", version: "1" }, project: "/of/address", agentId });
      await hub.desk.answer(id, yes);
      await stream.message();
    }
  });

  it("takes the server's name, and the timeout of asks without one, from the address", async () => {
    const hub = await startMcpHub();
    const { message, headers } = modern(1, "tools/call", { name: "ask_user", arguments: question });
    const stream = sseStream(await hub.post(message, { path: "/mcp?timeout=20000", headers }));
    const { id, createdAt, deadlineAt } = await hub.pending();
    expect((deadlineAt ?? 0) - createdAt).toBe(20_000);
    await hub.desk.answer(id, yes);
    await stream.message();
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
    const hello = await hub.post({ jsonrpc: "2.0", id: 1, method: "initialize", params }, { path: "/mcp?name=Desk" });
    expect(await hello.text()).toContain('"name":"Desk"');
  });

  it("selects the tools named in the address, and names unknown ones in an error", async () => {
    const hub = await startMcpHub();
    const list = modern(1, "tools/list");
    const { result } = await (await hub.post(list.message, { path: "/mcp?tools=cn_ask_user", headers: list.headers })).json();
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(["cn_ask_user", "get_answer"]);
    const wrong = await hub.post(list.message, { path: "/mcp?tools=ask_everybody", headers: list.headers });
    expect([wrong.status, (await wrong.json()).detail]).toEqual([400, expect.stringContaining("The address's tools must be")]);
  });
});
