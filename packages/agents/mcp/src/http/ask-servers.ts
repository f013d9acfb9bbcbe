import type { AskerInfo, Log, Platform } from "@askbox/core";
import { type AskServer, createAskServer } from "../ask-server.ts";
import { conversationOf } from "../clients.ts";
import type { CallEnd, Caller, FileSource } from "../options.ts";
import { createAskers, type OwnedAsker } from "./askers.ts";
import { type CallSource, readCallMeta, readCallSource } from "./call-source.ts";
import { modernHandler } from "./modern-handler.ts";
import type { Owner } from "./owner.ts";
import type { Elapsed, HttpMcpServer, HttpMcpServers, Written } from "./servers.ts";

/** How many registrations are cached; dropping one loses which question its agent asked last. */
const maxServers = 200;

export interface AskServersOptions {
  asker: OwnedAsker | ((owner: Owner) => OwnedAsker);
  platform: Platform;
  version: string;
  /** Milliseconds, for asks without a timeout. */
  defaultTimeout: number;
  written: Written;
  elapsed: Elapsed;
  onCallEnd: ((end: CallEnd) => void) | undefined;
  files: FileSource | undefined;
  log: Log;
}

/** askbox's own tools, one server per token and registration. */
export function createAskServers({
  asker,
  platform,
  version,
  defaultTimeout,
  written,
  elapsed,
  onCallEnd,
  files,
  log,
}: AskServersOptions): HttpMcpServers {
  const askers = createAskers(asker, platform.clock);
  const servers = new Map<string, HttpMcpServer & { ask: AskServer }>();

  const create = (owner: Owner, { tools, name, timeout, maxWait, onCancel, fallback, surfaces }: CallSource) => {
    const ask = createAskServer({
      asker: async (caller) => askers.of(owner, conversationOf(caller)),
      identity,
      written,
      elapsed,
      platform,
      tools,
      name,
      version,
      timeout,
      defaultTimeout,
      maxWait: maxWait === undefined ? undefined : maxWait * 1_000,
      onCancel,
      fallback,
      surfaces,
      onCallEnd,
      files,
      log,
    });
    const modern = modernHandler(ask.factory, { log });
    return { ask, factory: ask.factory, modern };
  };

  return {
    serverFor(owner, request) {
      const source = readCallSource(request);
      const { tools, name, timeout, maxWait, onCancel, fallback, surfaces } = source;
      const key = JSON.stringify([owner.owner, owner.agentId, tools, name, timeout, maxWait, onCancel, fallback, surfaces]);
      const server = servers.get(key) ?? create(owner, source);
      servers.delete(key);
      servers.set(key, server);
      const [oldest] = servers.keys();
      if (servers.size > maxServers && oldest !== undefined) servers.delete(oldest);
      return server;
    },
    end(owner) {
      for (const key of [...servers.keys()]) if (JSON.parse(key)[0] === owner) servers.delete(key);
      askers.end(owner);
    },
    async whenOver(request) {
      await Promise.all([...servers.values()].map(({ ask }) => ask.whenOver(request)));
    },
    async endCalls() {
      askers.close();
      await Promise.all([...servers.values()].map(({ ask }) => ask.whenIdle()));
    },
    async close() {
      await Promise.all([...servers.values()].map(({ modern }) => modern.close()));
    },
  };
}

/**
 * The caller's description of itself: the call's `_meta` takes precedence over headers, then the URL and, for the project, the client's
 * first root.
 */
async function identity(caller: Caller): Promise<Omit<AskerInfo, "client">> {
  const { request, meta, roots } = caller;
  const own = readCallMeta(meta);
  const source: Partial<CallSource> = request === undefined ? {} : readCallSource(request);
  const agentId = own.agent ?? source.agent;
  const project = own.project ?? source.project ?? firstFolder(await roots());
  return { project, agentId, conversation: conversationOf(caller) };
}

function firstFolder(roots: readonly string[]): string | undefined {
  for (const root of roots) {
    const url = URL.canParse(root) ? new URL(root) : undefined;
    // A file URL with another host is not a local folder.
    if (url?.protocol === "file:" && url.host === "") return pathOf(url.pathname);
  }
  return undefined;
}

/** The path of a file URL; undefined if it is not properly encoded. Windows paths begin with their drive. */
function pathOf(pathname: string): string | undefined {
  try {
    const path = decodeURIComponent(pathname);
    return /^\/[a-z]:/i.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
  } catch {
    return undefined;
  }
}
