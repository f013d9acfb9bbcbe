import { AskboxError, type AskerInfo, type Log, type Platform } from "@askbox/core";
import { projectSchema } from "@askbox/core/schemas";
import * as z from "zod";
import { type AskServer, createAskServer } from "../ask-server.ts";
import { type AskSurface, askSurfaces } from "../calls/form-channel.ts";
import { conversationOf, type Fallback, fallbacks } from "../clients.ts";
import { type DialectName, defaultTool, dialectNames, isDialectName } from "../dialects/index.ts";
import type { CallEnd, Caller, FileSource } from "../options.ts";
import { createAskers, type OwnedAsker } from "./askers.ts";
import { answerEvents } from "./events.ts";
import { type Elapsed, type HttpMcpServer, type HttpMcpServers, modernHandler, type Owner, type Written } from "./servers.ts";
import type { EventSubscriptions } from "./subscriptions.ts";

/**
 * askbox's own tools over HTTP: what a request's URL and headers say of the caller (`readCallSource`), and the server that serves such calls.
 * A parameter that can't be read is refused with a sentence, as in the flags of `askbox mcp`.
 */

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
  events: boolean | EventSubscriptions | undefined;
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
  events,
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
      events: events ? answerEvents(owner, platform, events === true ? undefined : events) : undefined,
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

/** The query parameters of a registration: `/mcp?agent=…&project=…&tools=…`, named like the flags of `askbox mcp`. */
interface CallSource {
  tools: DialectName[];
  /** The server's name. */
  name: string | undefined;
  agent: string | undefined;
  project: string | undefined;
  /** Seconds; 0 is no limit. */
  maxWait: number | undefined;
  onCancel: "keep" | "withdraw" | undefined;
  fallback: Fallback | undefined;
  surfaces: AskSurface[] | undefined;
  /** Milliseconds. */
  timeout: number | undefined;
}

const agentSchema = z.string().trim().min(1).max(200);
const folderSchema = z.string().trim().min(1).pipe(projectSchema);
const whole = (min: number, max: number) => z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max));

const querySchema = z.object({
  agent: agentSchema.optional(),
  project: folderSchema.optional(),
  tools: z
    .string()
    .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
    .pipe(z.array(z.string().refine(isDialectName)).min(1))
    .optional(),
  name: agentSchema.optional(),
  "max-wait": whole(0, 86_400).optional(),
  "on-cancel": z.enum(["keep", "withdraw"]).optional(),
  fallback: z.enum(fallbacks).optional(),
  surfaces: z
    .string()
    .transform((text) => [...new Set(text.split(",").map((name) => name.trim()))])
    .pipe(z.array(z.enum(askSurfaces)).refine((names) => names.includes("inbox")))
    .optional(),
  timeout: whole(10_000, 1_800_000).optional(),
});

// keys: the parameters of the schema.
const expectations: Readonly<Record<string, string>> = {
  agent: "1 to 200 characters",
  project: "1 to 4096 characters",
  tools: `names of ${dialectNames.join(", ")} with commas between`,
  name: "1 to 200 characters",
  "max-wait": "a whole number of seconds from 0 (no limit) to 86400",
  "on-cancel": "keep or withdraw",
  fallback: "tool, chat or none",
  surfaces: "inbox, or inbox,client",
  timeout: "a whole number of milliseconds from 10000 to 1800000",
};

type Query = z.output<typeof querySchema>;

/** The queries of the URLs that clients use, parsed: each sends the same with every request. */
const queries = new Map<string, Query>();
const maxQueries = 200;

/** Parses the URL; headers provide what it omits. Throws `VALIDATION` with one sentence. Unknown parameters are ignored. */
function readCallSource({ url, headers }: Pick<Request, "url" | "headers">): CallSource {
  const { agent, project, tools, name, fallback, surfaces, timeout, "max-wait": maxWait, "on-cancel": onCancel } = queryOf(url);
  return {
    tools: tools === undefined ? [defaultTool] : tools.filter(isDialectName),
    name,
    agent: valid(agentSchema, headers.get("x-askbox-agent")) ?? agent,
    project: valid(folderSchema, headers.get("x-askbox-project")) ?? project,
    maxWait,
    onCancel,
    fallback,
    surfaces,
    timeout,
  };
}

function queryOf(url: string): Query {
  const known = queries.get(url);
  if (known !== undefined) return known;
  const parsed = querySchema.safeParse(Object.fromEntries(new URL(url).searchParams));
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0]);
    throw new AskboxError("VALIDATION", `The address's ${name} must be ${expectations[name]}; correct the URL that the client is given.`);
  }
  if (queries.size === maxQueries) queries.clear();
  queries.set(url, parsed.data);
  return parsed.data;
}

/** Undefined for a value that isn't there or isn't valid. */
const valid = <Value>(schema: z.ZodType<Value>, value: unknown): Value | undefined =>
  value === null || value === undefined ? undefined : schema.safeParse(value).data;

/** A call's description of itself in its `_meta`, which takes precedence over its URL and headers. Invalid fields are ignored. */
function readCallMeta(meta: Readonly<Record<string, unknown>>): Partial<Pick<CallSource, "agent" | "project">> {
  return { agent: valid(agentSchema, meta["askbox/agent"]), project: valid(folderSchema, meta["askbox/project"]) };
}
