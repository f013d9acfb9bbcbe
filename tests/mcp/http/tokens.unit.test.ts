import { describe, expect, it } from "vitest";
import { untilHolds as until } from "../../support/until.ts";
import { call, initialize, type McpHub, modern, question, type RequestOptions, startMcpHub, yes } from "./hub.ts";
import { sseStream } from "./sse-stream.ts";

async function token(hub: McpHub, wish: object): Promise<string> {
  const made = await hub.post({ scope: "asker", ...wish }, { path: "/api/tokens", as: "desk" });
  expect(made.status).toBe(201);
  return (await made.json()).token;
}
const revoke = (hub: McpHub, name: string) => hub.post(undefined, { path: `/api/tokens/${name}`, method: "DELETE", as: "desk" });
const withToken = (text: string, headers: Record<string, string> = {}): RequestOptions => ({
  headers: { ...headers, authorization: `Bearer ${text}` },
});

describe("a named token over MCP", () => {
  it("created for an agent asks in that agent's name, whatever the address and the call say", async () => {
    const hub = await startMcpHub();
    const ci = await token(hub, { name: "ci", agentId: "builder" });
    const { message, headers } = modern(1, "tools/call", { name: "ask_user", arguments: question }, { "askbox/agent": "of-call" });
    const stream = sseStream(await hub.post(message, { ...withToken(ci, headers), path: "/mcp?agent=of-address" }));
    const { id, asker } = await hub.pending();
    expect(asker.agentId).toBe("builder");
    await hub.desk.answer(id, yes);
    expect((await stream.message()).result.structuredContent).toMatchObject({ answered: true });
  });

  // promise: agents-kept-apart
  it.each([
    ["not shared, gets no answer of another of the token's agents", {}, "isError"],
    ["shared, gets that of another of the token's agents", { shared: true }, "structuredContent"],
  ])("that is %s by its id", async (_, wish, field) => {
    const hub = await startMcpHub();
    const pool = await token(hub, { name: "pool", ...wish });
    const asked = modern(1, "tools/call", { name: "ask_user", arguments: question });
    const stream = sseStream(await hub.post(asked.message, { ...withToken(pool, asked.headers), path: "/mcp?agent=one" }));
    const { id: sessionId } = await hub.pending();
    await hub.desk.answer(sessionId, yes);
    await stream.message();
    const got = async (agent: string) => {
      const { message, headers } = modern(2, "tools/call", { name: "get_answer", arguments: { sessionId } });
      return (await sseStream(await hub.post(message, { ...withToken(pool, headers), path: `/mcp?agent=${agent}` })).message()).result;
    };
    const taken = await got("two");
    expect(taken).toHaveProperty(field, field === "isError" ? true : expect.objectContaining({ answered: true }));
    expect((await got("one")).structuredContent).toMatchObject({ answered: true });
  });

  it.each(["desk", "metrics"])("with the scope %s cannot ask", async (scope) => {
    const hub = await startMcpHub();
    const other = await token(hub, { name: "other", scope });
    for (const path of ["/mcp", "/sse", "/messages?sessionId=x"]) {
      const refused = await hub.post(call(1), { ...withToken(other), path, method: path === "/sse" ? "GET" : "POST" });
      expect([path, refused.status]).toEqual([path, 403]);
      expect(refused.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="asker"');
    }
  });

  it.each(["2025-03-26", "2025-06-18", "2025-11-25"])(
    "ends its sessions of %s and their waits when revoked; the question stays",
    async (revision) => {
      const hub = await startMcpHub();
      const ci = await token(hub, { name: "ci" });
      const headers = await initialize(hub, revision, withToken(ci));
      const stream = sseStream(await hub.post(call(1), withToken(ci, headers)));
      const { id } = await hub.pending();
      await revoke(hub, "ci");
      await expect(stream.message()).rejects.toThrow();
      await until(async () => (await hub.desk.get(id)).presence.asker === "away");
      expect((await hub.desk.get(id)).status).toBe("pending");
      expect((await hub.post(call(2), withToken(ci, headers))).status).toBe(401);
      await until(() => hub.requests() === 0);
    },
  );

  it("ends its calls of 2026-07-28, and its stream of 2024-11-05, when revoked", async () => {
    const hub = await startMcpHub();
    const ci = await token(hub, { name: "ci" });
    const { message, headers } = modern(1, "tools/call", { name: "ask_user", arguments: question });
    const streams = [
      sseStream(await hub.post(message, withToken(ci, headers))),
      sseStream(await hub.post(undefined, { ...withToken(ci), path: "/sse", method: "GET" })),
    ];
    await streams[1]?.event();
    const { id } = await hub.pending();
    await revoke(hub, "ci");
    for (const stream of streams) await expect(stream.message()).rejects.toThrow();
    await until(async () => (await hub.desk.get(id)).presence.asker === "away");
    await until(() => hub.requests() === 0);
  });

  it("does not affect other sessions when revoked", async () => {
    const hub = await startMcpHub();
    await token(hub, { name: "ci" });
    const headers = await initialize(hub, "2025-06-18");
    const stream = sseStream(await hub.post(call(1), { headers }));
    const { id } = await hub.pending();
    await revoke(hub, "ci");
    await hub.desk.answer(id, yes);
    expect((await stream.message()).result.structuredContent).toMatchObject({ answered: true });
  });
});

describe("the 101st ask in a minute over MCP", () => {
  it("is rejected with a sentence that tells the agent when to retry", async () => {
    const hub = await startMcpHub();
    const asked = async (id: number) => {
      const { message, headers } = modern(id, "tools/call", { name: "ask_user", arguments: question });
      return sseStream(await hub.post(message, { headers })).message();
    };
    for (let n = 0; n < 100; n += 1) {
      const call = asked(n);
      await hub.desk.answer((await hub.pending()).id, yes);
      expect((await call).result.structuredContent).toMatchObject({ answered: true });
    }
    const { result } = await asked(100);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("More than 100 asks in a minute; ask again in 60 seconds.") }],
    });
  });
});
