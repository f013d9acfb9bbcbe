import { describe, expect, it } from "vitest";
import { call, initialize, modern, question, startMcpHub, yes } from "./hub.ts";
import { sseStream } from "./sse-stream.ts";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("a message that MCP over HTTP cannot read", () => {
  it.each([
    ["no JSON", null, -32_700],
    [{ ...ping, params: 5 }, 1, -32_600],
    [{ ...ping, id: "a", jsonrpc: "1.0" }, "a", -32_600],
    [[ping, { ...ping, id: 2, params: { cursor: 5 } }], 2, -32_600],
    [[], null, -32_600],
    [{}, null, -32_600],
  ])("gets an error with its id: %j", async (message, id, code) => {
    const hub = await startMcpHub();
    const response = await hub.post(message, { headers: await initialize(hub, "2025-03-26") });
    expect([response.status, await response.json()]).toMatchObject([400, { id, error: { code } }]);
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
