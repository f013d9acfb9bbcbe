/** A client's limit for one call, and what its agent can ask with if askbox cannot be reached. */
export interface KnownClient {
  /** Matches if `clientInfo.name` equals this, or starts with it followed by a space. */
  name: string;
  /** The call returns by then, with a ticket if necessary (ms from its start); null if the client waits as long as progress arrives. */
  ticketAfter: number | null;
  /** From then on the client ignores the call's result (ms); null if never, or if unknown. */
  cap: number | null;
  /** The client's own tool for asking a person; absent if none is known. */
  ownTool?: string;
  /**
   * Command lines that resume a conversation: the latest one of a folder, and one by its id (appended) if the client reports it to its
   * servers.
   */
  resume?: { latest: string; byId?: string };
  /** Where it reports its conversation: in its servers' environment, or in each call's `_meta` under this key. */
  conversation?: { env: true } | { meta: string };
  /** The name used by its hooks, and the command line that resumes a conversation by the id (appended) they report. */
  hook?: { client: string; resume: string };
  evidence: ClientEvidence;
}

/** The evidence for an entry of the table. */
export interface ClientEvidence {
  /** `measured`: tested with the published client and a blocking tool, on Linux. `documented`: its documentation or source. `assumed`: like an unknown one. */
  source: "measured" | "documented" | "assumed";
  /** Year and month. */
  date: string;
  /** The version examined, if any. */
  version?: string;
  /** The finding, as a sentence. */
  found: string;
}

const seconds = 1_000;

/** All limits of known clients. `--max-wait` overrides them. */
export const knownClients: readonly KnownClient[] = Object.freeze([
  {
    name: "claude-code",
    ticketAfter: 110 * seconds,
    cap: 120 * seconds,
    ownTool: "AskUserQuestion",
    resume: { latest: "claude --continue", byId: "claude --resume" },
    conversation: { env: true },
    evidence: {
      source: "measured",
      date: "2026-11",
      version: "2.1.330",
      found:
        "Interactive, a call moves to the background after 120 s, heartbeats or not, and its result then counts as no user input; headless there is no cap in 330 s, and nothing in the protocol tells the two apart.",
    },
  },
  {
    name: "codex-mcp-client",
    ticketAfter: 290 * seconds,
    cap: 300 * seconds,
    ownTool: "request_user_input",
    resume: { latest: "codex resume --last", byId: "codex resume" },
    conversation: { meta: "threadId" },
    hook: { client: "codex", resume: "codex resume" },
    evidence: {
      source: "measured",
      date: "2026-11",
      version: "0.169.0",
      found: "300 s with and without progress, unless tool_timeout_sec is set.",
    },
  },
  {
    name: "opencode",
    ticketAfter: null,
    cap: null,
    ownTool: "question",
    resume: { latest: "opencode --continue" },
    evidence: { source: "measured", date: "2026-11", version: "1.18.33", found: "60 s, restarted by each progress notification." },
  },
  {
    name: "gemini-cli-mcp-client",
    ticketAfter: 590 * seconds,
    cap: 600 * seconds,
    ownTool: "ask_user",
    resume: { latest: "gemini --resume" },
    evidence: { source: "measured", date: "2026-11", version: "0.61.0", found: "600 s with and without progress." },
  },
  {
    name: "Visual Studio Code",
    ticketAfter: null,
    cap: null,
    ownTool: "vscode_askQuestions",
    evidence: {
      source: "documented",
      date: "2026-11",
      found: "Issues 311595 and, in Copilot's releases, 14130: a tool call has no limit, and there is no setting for one.",
    },
  },
  {
    name: "Zed",
    ticketAfter: 50 * seconds,
    cap: 60 * seconds,
    evidence: {
      source: "documented",
      date: "2026-11",
      found: "context_server_timeout is 60 s unless the server's entry sets its own timeout, in seconds.",
    },
  },
]);

/** Most clients without a setting time out after 60 s, the SDK's default. */
export const unknownClient: CallLimit = Object.freeze({ ticketAfter: 50 * seconds, cap: null });
/** Progress usually extends a client's timeout; of the clients that were measured, none then has a limit below 120 s. */
const unknownWithProgress: CallLimit = Object.freeze({ ticketAfter: 110 * seconds, cap: null });

/** When a call has to return. Null: no limit. */
export interface CallLimit {
  /** Milliseconds from the start of the call. */
  ticketAfter: number | null;
  /** Milliseconds from the start of the call. */
  cap: number | null;
}

/** The entry of the MCP client with this name; undefined if there is none. */
export function knownClient(name: string): KnownClient | undefined {
  return knownClients.find((client) => name === client.name || name.startsWith(`${client.name} `));
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The conversation of a call, by the client's own id, as far as the client reports it; `fromEnv` reads it from the environment. */
export function conversationOf(
  { client, meta }: { client: { name: string }; meta: Readonly<Record<string, unknown>> },
  fromEnv: () => string | undefined = () => undefined,
): string | undefined {
  const reported = knownClient(client.name)?.conversation;
  // Processes started from such a client's shells inherit its variables, including other clients.
  if (reported === undefined || "env" in reported) return reported && fromEnv();
  const id = meta[reported.meta];
  return typeof id === "string" && uuid.test(id) ? id.toLowerCase() : undefined;
}

export interface CallLimitOptions {
  /** Milliseconds; overrides the table. 0 is no limit. */
  maxWait?: number | undefined;
  /** Whether the call has a progress token. */
  progress: boolean;
  /** Whether this client has cancelled a call before, after the limit of an unknown client without progress. */
  gaveUp?: boolean | undefined;
}

/**
 * The limit of a client's calls. A client that only waits while progress arrives counts as unknown without a progress token. An unknown
 * client with one gets longer calls, until it cancels one.
 */
export function callLimit(name: string, { maxWait, progress, gaveUp = false }: CallLimitOptions): CallLimit {
  if (maxWait !== undefined) return { ticketAfter: maxWait === 0 ? null : maxWait, cap: null };
  const known = knownClient(name);
  if (known === undefined) return progress && !gaveUp ? unknownWithProgress : unknownClient;
  if (known.ticketAfter === null && !progress) return unknownClient;
  return { ticketAfter: known.ticketAfter, cap: known.cap };
}

/** How an agent may ask if askbox cannot be reached: with its client's own tool, in the chat only, or not at all. */
export const fallbacks = ["tool", "chat", "none"] as const;
/** What an agent should do if nobody can be asked through askbox. */
export type Fallback = (typeof fallbacks)[number];

/** What an agent is told to do if nobody can be asked through askbox, as part of a sentence. */
export function fallbackAdvice(name: string, fallback: Fallback): string {
  if (fallback === "none") return "say so and stop";
  if (fallback === "chat") return "ask in the chat";
  const tool = knownClient(name)?.ownTool;
  return tool === undefined ? "use your own question tool, or ask in the chat" : `use your own ${tool} tool, or ask in the chat`;
}
