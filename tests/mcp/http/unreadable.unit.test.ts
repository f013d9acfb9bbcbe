import { describe, expect, it } from "vitest";
import { call, initialize, modern, question, startMcpHub, yes } from "./hub.ts";
import { sseStream } from "./sse-stream.ts";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("a message that MCP over HTTP cannot read", () => {
  it.each([
    ["no JSON", null, -32_700],
    [{ ...ping, params: 5 }, 1, -32_600],
    [{ ...ping, id: "a", jsonrpc: "1.0" }, "a", -32_600],
    [[], null, -32_600],
    [{}, null, -32_600],
  ])("gets an error with its id: %j", async (message, id, code) => {
    const hub = await startMcpHub();
    const response = await hub.post(message, { headers: await initialize(hub, "2025-03-26") });
    expect([response.status, await response.json()]).toMatchObject([400, { id, error: { code } }]);
  });

  it("in a batch gets an error of its own, and the others are served", async () => {
    const hub = await startMcpHub();
    const headers = await initialize(hub, "2025-03-26");
    const long = { ...ping, id: 4, method: "x".repeat(1_001) };
    const stream = sseStream(await hub.post([{ ...ping, id: 2, params: 5 }, ping, { ...ping, id: 3, jsonrpc: 2 }, long], { headers }));
    expect([await stream.message(), await stream.message(), await stream.message()]).toMatchObject([
      { id: 2, error: { code: -32_600 } },
      { id: 3, error: { code: -32_600 } },
      { id: null, error: { code: -32_000, message: expect.stringContaining("at most 1000 characters") } },
    ]);
    expect(await stream.message()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    await expect(stream.message()).rejects.toThrow("The stream has ended");
  });

  it.each([
    ["nothing to answer", { jsonrpc: "2.0", method: "notifications/roots/list_changed" }, 200],
    ["nothing that can be read", "text", 400],
  ])("gets its error in a batch with %s", async (_what, other, status) => {
    const hub = await startMcpHub();
    const response = await hub.post([other, { ...ping, params: 5 }], { headers: await initialize(hub, "2025-03-26") });
    const errors = (await response.json()) as { id: unknown }[];
    expect([response.status, errors.at(-1)]).toMatchObject([status, { id: 1, error: { code: -32_600 } }]);
    expect(errors).toHaveLength(status === 400 ? 2 : 1);
  });

  it("is readable if only nulls are in its way", async () => {
    const hub = await startMcpHub();
    const headers = await initialize(hub, "2025-06-18");
    for (const params of [null, { _meta: null }, { cursor: null, _meta: { progressToken: null } }]) {
      const stream = sseStream(await hub.post({ jsonrpc: "2.0", id: 1, method: "tools/list", params }, { headers }));
      expect(await stream.message()).toMatchObject({ id: 1, result: { tools: expect.anything() } });
    }
    const { message, headers: named } = modern(2, "tools/list", { cursor: null });
    expect(await (await hub.post(message, { headers: named })).json()).toMatchObject({ id: 2, result: { tools: expect.anything() } });
  });
});

describe("a client of MCP over HTTP", () => {
  it("may accept everything, with a slash behind the path", async () => {
    const hub = await startMcpHub();
    const options = { path: "/mcp/", headers: { accept: "*/*" } };
    const ask = modern(1, "tools/call", { name: "ask_user", arguments: question });
    for (const [message, headers] of [
      [call(1), await initialize(hub, "2025-06-18", options)],
      [ask.message, ask.headers],
    ] as const) {
      const response = await hub.post(message, { path: "/mcp/", headers: { ...headers, accept: "text/plain, */*;q=0.8" } });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
      await hub.desk.answer((await hub.pending()).id, yes);
    }
  });
});
