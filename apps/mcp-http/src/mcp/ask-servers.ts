import { fileURLToPath } from "node:url";
import type { AskerInfo, Log } from "@askbox/core";
import type { MountContext } from "@askbox/hub";
import { type AskServer, type CallEnd, type Caller, createAskServer } from "@askbox/mcp";
import { createMcpHandler, type McpHttpHandler, type RequestId } from "@modelcontextprotocol/server";
import { createAskers } from "./askers.ts";
import { type CallSource, readCallMeta, readCallSource } from "./call-source.ts";

/** How many kinds of registration are kept at once; with one that makes way goes which question its agent asked last. */
const mostServers = 200;
/** Milliseconds between two comments on a stream that is silent. */
export const keepAlive = 15_000;

/** askbox's tools for one token and one way of registering them. */
export interface HttpAskServer {
  factory: AskServer["factory"];
  /** Serves revisions since 2026-07-28. */
  modern: McpHttpHandler;
}

export interface AskServers {
  /** The server for a request of this owner. Throws `VALIDATION` when its address is wrong. */
  serverFor(owner: string, request: Request): HttpAskServer;
  /** Tells the calls that wait that the hub goes away, and resolves when they have been told. */
  close(): Promise<void>;
}

export interface AskServersOptions {
  context: MountContext;
  version: string;
  /** Milliseconds, for asks that name none. */
  defaultTimeout: number;
  /** Whether the response to this request has reached its client. */
  written(request: Request, id: RequestId): Promise<boolean>;
  onCallEnd: ((end: CallEnd) => void) | undefined;
  log: Log;
}

export function createAskServers({ context, version, defaultTimeout, written, onCallEnd, log }: AskServersOptions): AskServers {
  const askers = createAskers(context);
  const servers = new Map<string, HttpAskServer & { ask: AskServer }>();

  const create = (owner: string, { tools, timeout, maxWait, onCancel }: CallSource) => {
    const ask = createAskServer({
      asker: async () => askers.of(owner),
      identity,
      written,
      platform: context.platform,
      tools,
      version,
      defaultTimeout: timeout ?? defaultTimeout,
      maxWait: maxWait === undefined ? undefined : maxWait * 1_000,
      onCancel,
      onCallEnd,
      log,
    });
    const modern = createMcpHandler(ask.factory, {
      legacy: "reject",
      // A stream from the first moment, since nobody knows how long a person takes.
      responseMode: "sse",
      keepAliveMs: keepAlive,
      onerror: ({ message }) => log("debug", message),
    });
    return { ask, factory: ask.factory, modern };
  };

  return {
    serverFor(owner, request) {
      const source = readCallSource(request);
      const key = JSON.stringify([owner, source.tools, source.timeout, source.maxWait, source.onCancel]);
      const server = servers.get(key) ?? create(owner, source);
      servers.delete(key);
      servers.set(key, server);
      const [oldest] = servers.keys();
      if (servers.size > mostServers && oldest !== undefined) servers.delete(oldest);
      return server;
    },
    async close() {
      askers.close();
      await Promise.all([...servers.values()].map(({ ask }) => ask.whenIdle()));
      await Promise.all([...servers.values()].map(({ modern }) => modern.close()));
    },
  };
}

/** Who asks, as it says itself: the call's `_meta` before headers before address, and for the project the client's first root after them. */
async function identity({ request, meta, roots }: Caller): Promise<Omit<AskerInfo, "client">> {
  const own = readCallMeta(meta);
  const given: Partial<CallSource> = request === undefined ? {} : readCallSource(request);
  const agentId = own.agent ?? given.agent;
  const project = own.project ?? given.project ?? firstFolder(await roots());
  return { ...(project !== undefined && { project }), ...(agentId !== undefined && { agentId }) };
}

function firstFolder(roots: readonly string[]): string | undefined {
  const root = roots.find((uri) => URL.canParse(uri) && new URL(uri).protocol === "file:");
  try {
    return root === undefined ? undefined : fileURLToPath(root);
  } catch {
    // A folder of another kind of system, which is nobody's here.
    return undefined;
  }
}
