import { Client as ModernClient, type Transport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { AgentClient, CallOptions, ToolResult } from "../../requirements/requirement.ts";

/** The SDK, and for v2 the era of the protocol. */
export type ClientKind = "SDK v1" | "SDK v2, 2025 era" | "SDK v2, 2026 era";
export const clientKinds: readonly ClientKind[] = ["SDK v1", "SDK v2, 2025 era", "SDK v2, 2026 era"];

/** Longer than any test. */
const timeout = 120_000;

export async function connectClient(kind: ClientKind, name: string, transport: Transport): Promise<AgentClient> {
  return kind === "SDK v1" ? connectOld(name, transport) : connectModern(name, transport, kind === "SDK v2, 2026 era");
}

async function connectOld(name: string, transport: Transport): Promise<AgentClient> {
  const client = new OldClient({ name, version: "1.2.3" });
  await client.connect(transport as Parameters<OldClient["connect"]>[0]);
  return {
    listTools: async () => (await client.listTools()).tools,
    instructions: () => client.getInstructions(),
    serverName: () => client.getServerVersion()?.name,
    async callTool(tool, args, options) {
      const params = { name: tool, arguments: args as Record<string, unknown> };
      // `callTool` also validates the structured content; it would not send null for arguments.
      const result =
        args === null
          ? await client.request({ method: "tools/call", params }, CallToolResultSchema, requestOptions(options))
          : await client.callTool(params, CallToolResultSchema, requestOptions(options));
      return toolResult(result);
    },
    close: () => client.close(),
  };
}

async function connectModern(name: string, transport: Transport, modern: boolean): Promise<AgentClient> {
  const client = new ModernClient({ name, version: "1.2.3" }, modern ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {});
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools,
    instructions: () => client.getInstructions(),
    serverName: () => client.getServerVersion()?.name,
    async callTool(tool, args, options) {
      const params = { name: tool, arguments: args as Record<string, unknown> };
      const result =
        args === null
          ? await client.request({ method: "tools/call", params }, requestOptions(options))
          : await client.callTool(params, requestOptions(options));
      return toolResult(result);
    },
    close: () => client.close(),
  };
}

function requestOptions({ signal, onProgress }: CallOptions = {}) {
  return { timeout: timeout, signal, onprogress: onProgress };
}

function toolResult(result: Record<string, unknown>): ToolResult {
  const content = result["content"] as { type: string; text: string }[];
  const texts = content.map(({ type, text }) => (type === "text" ? text : ""));
  return {
    isError: result["isError"] === true,
    text: texts[0] ?? "",
    texts,
    structuredContent: result["structuredContent"] as Record<string, unknown> | undefined,
  };
}
