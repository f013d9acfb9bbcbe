import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { ServerNotification, ServerRequest } from "@modelcontextprotocol/sdk/types.js";
import { McpServer, Server, type ServerContext } from "@modelcontextprotocol/server";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import * as z from "zod";
import { type ContextOf, elicit, withElicitation } from "../src/index.ts";
import { connect, eras, pendingOf, said, textOf } from "./support.ts";

const info = { name: "somebody", version: "1" };
const by = (server: McpServer) =>
  void server.registerTool("by", {}, async (ctx) => said((await elicit(ctx, "?", z.object({ sure: z.boolean() }))).by));

describe("withElicitation", () => {
  test.each([{}, null, "server", { server: {} }, new Map()])("rejects %j with a sentence that says what it accepts", (server) => {
    expect(() => withElicitation(server as never)).toThrow(
      /takes an McpServer or Server of @modelcontextprotocol\/server 2, or of @modelcontextprotocol\/sdk 1\.x/,
    );
  });

  test.each([
    ["SDK v2 with a tool", () => withTool(new McpServer(info))],
    ["SDK v2 with tools in its options", () => new McpServer(info, { capabilities: { tools: {} } })],
    ["SDK 1.x with a tool", () => withTool(new OldMcpServer(info) as unknown as McpServer)],
    ["SDK 1.x with tools in its options", () => new OldMcpServer(info, { capabilities: { tools: {} } })],
  ])("rejects a server of %s, whose handlers it cannot reach, and says what to do", (_name, make) => {
    expect(() => withElicitation(make() as McpServer)).toThrow(
      /before its first tool is registered, and leave tools out of the capabilities/,
    );
  });

  test("accepts a Server of SDK v2, whose author sets both handlers", async () => {
    const server = withElicitation(new Server(info, { capabilities: { tools: {} } }));
    server.setRequestHandler("tools/list", () => ({ tools: [{ name: "by", inputSchema: { type: "object" } }] }));
    server.setRequestHandler("tools/call", async (_request, ctx) => said((await elicit(ctx, "Sure?", z.object({}))).by));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client(info);
    await client.connect(near);
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["by", "sendElicitationResult"]);
    const { elicitId } = pendingOf((await client.callTool({ name: "by", arguments: {} })) as never);
    const result = await client.callTool({ name: "sendElicitationResult", arguments: { elicitId, action: "accept" } });
    expect(textOf(result as never)).toBe("model");
  });

  test("infers the context of each SDK's handlers, so that its options are typed", () => {
    expectTypeOf<ContextOf<McpServer>>().toEqualTypeOf<ServerContext>();
    expectTypeOf<ContextOf<Server>>().toEqualTypeOf<ServerContext>();
    expectTypeOf<ContextOf<OldMcpServer>>().toExtend<RequestHandlerExtra<ServerRequest, ServerNotification>>();
    const make = () =>
      withElicitation(new OldMcpServer(info), { owner: ({ authInfo }) => authInfo?.clientId ?? "nobody", redis: undefined });
    expectTypeOf(make).returns.toEqualTypeOf<OldMcpServer>();
  });
});

describe("elicit", () => {
  test.each([undefined, {}, { signal: new AbortController().signal }])("rejects %j in place of a context", async (ctx) => {
    await expect(elicit(ctx as never, "?", z.object({}))).rejects.toThrow(/takes the context of a tool's handler first/);
  });

  test("rejects a schema that is not from zod 4", async () => {
    const { call } = await connect({
      register: (server) => server.registerTool("ask", {}, async (ctx) => said((await elicit(ctx, "?", { _def: {} } as never)).by)),
    });
    expect(textOf(await call("ask"))).toContain('needs a schema of zod 4; with zod 3.25 installed, import it from "zod/v4"');
  });
});

describe("a client that declares experimental.elicitation", () => {
  const experimental = eras.filter((era) => era !== "2026-07-28");

  test.each(experimental)("is asked in its own form, in %s", async (era) => {
    const { client, call } = await connect({ era, register: by, capabilities: { experimental: { elicitation: {} } } });
    client.fallbackRequestHandler = async ({ method }) => ({ action: method === "elicitation/create" ? "decline" : "cancel" });
    expect(textOf(await call("by"))).toBe("client");
  });

  test("is asked another way in 2026-07-28, where the SDK sends it no form", async () => {
    const { call } = await connect({ era: "2026-07-28", register: by, capabilities: { experimental: { elicitation: {} } } });
    expect(pendingOf(await call("by")).message).toBe("?");
  });
});

function withTool(server: McpServer): McpServer {
  by(server);
  return server;
}
