import type { Log } from "@askbox/core";
import type { Mount, MountService } from "@askbox/hub";
import type { CallEnd } from "@askbox/mcp";
import type { CreateHttpMcpServers } from "@askbox/mcp/http";
import { mcpPaths } from "./protected-resource.ts";

export interface MountMcpOptions {
  version: string;
  /** Milliseconds, for asks that name none. */
  defaultTimeout: number;
  /** Told of every call's end. */
  onCallEnd?: (end: CallEnd) => void;
  /** Told of every request that was refused, with the error's code. */
  onRefused?: (code: string) => void;
  /** Told how many agents are connected, whenever that changes. */
  onAgents?: (count: number) => void;
  log?: Log;
  /** Other MCP servers than askbox's own to put on this transport. */
  servers?: CreateHttpMcpServers;
}

/**
 * MCP at `/mcp` for the revisions from 2025-03-26 on, with sessions for the older ones and without since 2026-07-28, and at `/sse` and
 * `/messages` for 2024-11-05. The MCP SDK is loaded with the first request, because most hubs are started by a question that came another way and has to wait for the start.
 */
export function mountMcp(options: MountMcpOptions): MountService {
  return (context) => {
    let endpoint: Promise<Mount> | undefined;
    const load = async () => (await import("./endpoint.ts")).mcpEndpoint(options)(context);
    return {
      paths: mcpPaths,
      async handle(incoming, outgoing) {
        endpoint ??= load();
        await (await endpoint).handle(incoming, outgoing);
      },
      close: async () => void (await (await endpoint)?.close()),
    };
  };
}
