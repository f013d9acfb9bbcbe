import type { Platform } from "@askbox/core";
import { type FakeClock, testPlatform } from "@askbox/core/testing";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { McpServer as OldMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { type CallToolResult, InMemoryTransport, McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { type ElicitationOptions, elicit, memoryElicitationStore, once, withElicitation } from "../src/index.ts";
import { LowLevelTools } from "./low-level-tools.ts";

/** A protocol revision; for those that SDK 1.x knows, with its two kinds of servers. */
export const eras = ["2025-11-25", "2026-07-28", "2025-11-25 by SDK 1.x", "2025-11-25 by a Server of SDK 1.x"] as const;
type Era = (typeof eras)[number];

/** How a scripted person fills in a form. */
export interface Shown {
  message: string;
  mode?: string;
  url?: string;
  elicitationId?: string;
  requestedSchema?: { properties: Record<string, unknown>; required?: string[] };
}
type Person = (form: Shown, signal: AbortSignal) => unknown;

/** Turns of the event loop, for messages over a transport. */
const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

export const fakePlatform = (): Platform & { clock: FakeClock } => testPlatform({ settle: () => turns(20) });

export interface Setup extends ElicitationOptions {
  era?: Era;
  /** Answers the client's forms; without it the client declares no forms. */
  person?: Person;
  capabilities?: ClientOptions["capabilities"];
  clientName?: string;
  register: (server: McpServer) => void;
}

/** A connected server of this revision with its tools; the returned function closes it. All kinds register tools the same way, except for their types. */
async function serve(
  era: Era,
  far: InMemoryTransport,
  register: (server: McpServer) => void,
  options: ElicitationOptions,
): Promise<() => Promise<void>> {
  const info = { name: "somebody", version: "1" };
  if (era === "2025-11-25 by SDK 1.x") {
    const server = withElicitation(new OldMcpServer(info), options);
    register(server as unknown as McpServer);
    await server.connect(far as never);
    return () => server.close();
  }
  if (era === "2025-11-25 by a Server of SDK 1.x") {
    const tools = new LowLevelTools(info, (server) => withElicitation(server, options));
    register(tools as unknown as McpServer);
    await tools.server.connect(far as never);
    return () => tools.server.close();
  }
  const factory = () => {
    const server = withElicitation(new McpServer(info), options);
    register(server);
    return server;
  };
  const handle = serveStdio(factory, { transport: far });
  return () => handle.close();
}

/** A third-party server with its tools, and a client connected to it; both end with the test. */
export async function connect({ era = "2025-11-25", person, capabilities, clientName = "some-client", register, ...options }: Setup) {
  const platform = fakePlatform();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const wrapped = { platform, store: memoryElicitationStore(platform.clock), ...withoutUndefined(options) };
  const close = await serve(era, far, register, wrapped);
  const client = new Client(
    { name: clientName, version: "1" },
    {
      capabilities: capabilities ?? (person === undefined ? {} : { elicitation: { form: {}, url: {} } }),
      ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
    },
  );
  if (person !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, ctx) => (await person(params as Shown, ctx.mcpReq.signal)) as never);
  }
  onTestFinished(async () => {
    await client.close();
    await close();
  });
  await client.connect(near);
  const call = async (name: string, args: Record<string, unknown> = {}, callOptions: { signal?: AbortSignal } = {}) =>
    (await client.callTool({ name, arguments: args }, callOptions)) as CallToolResult;
  return { client, platform, call };
}

const withoutUndefined = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export const textOf = (result: CallToolResult): string => {
  const [first] = result.content;
  return first?.type === "text" ? first.text : "";
};

export const said = (text: string): CallToolResult => ({ content: [{ type: "text", text }] });

export interface Pending {
  elicitId: string;
  message: string;
  schema: { type: string; properties: Record<string, unknown> };
  instructions: string;
}

export const pendingOf = (result: CallToolResult): Pending => {
  const pending = result._meta?.["elicitationPending"];
  if (pending === undefined) throw new Error(`No question is pending: ${JSON.stringify(result)}`);
  return pending as Pending;
};

/** The code of an error result. */
export const codeOf = (result: CallToolResult): string | undefined =>
  (result._meta?.["askbox/error"] as { code: string } | undefined)?.code;

/** A wizard with three steps that counts what it does. */
export function wizard(server: McpServer, counts: { runs: number; orders: number }): void {
  server.registerTool("wizard", { inputSchema: z.object({ topic: z.string() }) }, async ({ topic }, ctx: ServerContext) => {
    counts.runs += 1;
    const first = await elicit(ctx, `Step 1 of ${topic}: who are you?`, z.object({ name: z.string() }));
    if (first.status !== "accept") return said(`stopped at 1: ${first.status}`);
    const order = await once(ctx, "order", () => {
      counts.orders += 1;
      return { number: counts.orders };
    });
    const second = await elicit(
      ctx,
      `Hi ${first.content.name}, order ${order.number}: which colour?`,
      z.object({ color: z.enum(["red", "green"]) }),
    );
    if (second.status !== "accept") return said(`stopped at 2: ${second.status}`);
    const third = await elicit(ctx, "And how many?", z.object({ count: z.number().int().min(1).max(9) }));
    if (third.status !== "accept") return said(`stopped at 3: ${third.status}`);
    return said(`${third.content.count} ${second.content.color} for ${first.content.name}, order ${order.number}`);
  });
}
