/** Agents' clients, by askbox's names for them. */
const table = {
  "claude-code": {
    title: "Claude Code",
  },
  codex: {
    title: "Codex",
    reportsAs: "codex-mcp-client",
  },
  opencode: {
    title: "OpenCode",
  },
  cursor: {
    title: "Cursor",
    reportsAs: "cursor-vscode",
  },
  vscode: {
    title: "VS Code",
    reportsAs: "Visual Studio Code",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    reportsAs: "gemini-cli-mcp-client",
  },
  antigravity: {
    title: "Antigravity",
  },
  windsurf: {
    title: "Windsurf",
    reportsAs: "windsurf-client",
  },
  zed: {
    title: "Zed",
    reportsAs: "Zed",
  },
  "copilot-cli": {
    title: "Copilot CLI",
  },
  "qwen-code": {
    title: "Qwen Code",
    reportsAs: "qwen-cli-mcp-client-askbox",
  },
  crush: {
    title: "Crush",
  },
  "kilo-code": {
    title: "Kilo Code",
    reportsAs: "kilo",
  },
  pi: {
    title: "Pi",
  },
  cline: {
    title: "Cline",
    reportsAs: "@cline/core",
  },
  amp: {
    title: "Amp",
  },
  goose: {
    title: "Goose",
    reportsAs: "goose-cli",
  },
  "kimi-code": {
    title: "Kimi Code",
  },
} as const satisfies Record<string, AgentClient>;

/** The name of a client that askbox knows, as in `askbox install NAME`. */
export type ClientName = keyof typeof table;
/** What is known about each client, by its name. */
export const agentClients: Readonly<Record<ClientName, AgentClient>> = Object.freeze(table);
/** The clients that askbox can set itself up in. */
export const clientNames = Object.keys(table) as unknown as readonly [ClientName, ...ClientName[]];

/**
 * The clients whose permission requests can come to the inbox; apart from their names, which pages load without it. `followsDaemon`: an MCP
 * server fetches them, from a daemon; otherwise a hook does.
 */
export const clientApprovals: Readonly<Partial<Record<ClientName, { followsDaemon: boolean }>>> = {
  "claude-code": { followsDaemon: false },
  codex: { followsDaemon: true },
  opencode: { followsDaemon: false },
  "copilot-cli": { followsDaemon: false },
};

const seconds = 1_000;

/** How they call tools, as far as it is known; apart from their names, which pages load without it. */
export const clientCalls: Readonly<Partial<Record<ClientName, ClientCalls>>> = {
  "claude-code": {
    ticketAfter: 110 * seconds,
    cap: 120 * seconds,
    readsReferences: true,
    ownTool: "AskUserQuestion",
    resume: { latest: "claude --continue", byId: "claude --resume" },
    conversation: { env: "CLAUDE_CODE_SESSION_ID" },
    evidence: {
      source: "measured",
      date: "2026-11",
      version: "2.1.330",
      found:
        "Interactive, a call moves to the background after 120 s, heartbeats or not, and its result then counts as no user input; headless there is no cap in 330 s, and nothing in the protocol tells the two apart.",
    },
  },
  codex: {
    ticketAfter: 290 * seconds,
    cap: 300 * seconds,
    readsReferences: true,
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
  opencode: {
    ticketAfter: null,
    cap: null,
    readsReferences: true,
    ownTool: "question",
    resume: { latest: "opencode --continue" },
    evidence: { source: "measured", date: "2026-11", version: "1.18.33", found: "60 s, restarted by each progress notification." },
  },
  vscode: {
    ticketAfter: null,
    cap: null,
    ownTool: "vscode_askQuestions",
    evidence: {
      source: "documented",
      date: "2026-11",
      found: "Issues 311595 and, in Copilot's releases, 14130: a tool call has no limit, and there is no setting for one.",
    },
  },
  "gemini-cli": {
    ticketAfter: 590 * seconds,
    cap: 600 * seconds,
    readsReferences: true,
    ownTool: "ask_user",
    resume: { latest: "gemini --resume" },
    evidence: { source: "measured", date: "2026-11", version: "0.61.0", found: "600 s with and without progress." },
  },
  zed: {
    ticketAfter: 50 * seconds,
    cap: 60 * seconds,
    evidence: {
      source: "documented",
      date: "2026-11",
      found: "context_server_timeout is 60 s unless the server's entry sets its own timeout, in seconds.",
    },
  },
  "copilot-cli": {
    ticketAfter: null,
    cap: null,
    readsReferences: true,
    ownTool: "ask_user",
    resume: { latest: "copilot --continue", byId: "copilot --resume" },
    conversation: { env: "COPILOT_AGENT_SESSION_ID" },
    hook: { client: "copilot-cli", resume: "copilot --resume" },
    evidence: { source: "measured", date: "2026-11", version: "1.0.102", found: "180 s, restarted by each progress notification." },
  },
  "qwen-code": {
    ticketAfter: 590 * seconds,
    cap: 600 * seconds,
    readsReferences: true,
    ownTool: "ask_user_question",
    resume: { latest: "qwen --continue", byId: "qwen --resume" },
    conversation: { env: "QWEN_CODE_SESSION_ID" },
    evidence: {
      source: "measured",
      date: "2026-11",
      version: "0.24.4",
      found: "300 s without progress; with it not in 330 s, and by its own text 600 s unless the server's entry sets a timeout.",
    },
  },
  crush: {
    ticketAfter: 290 * seconds,
    cap: null,
    resume: { latest: "crush --continue" },
    evidence: { source: "documented", date: "2026-11", found: "Its source sets no limit for a call, and sends no progress token." },
  },
  "kilo-code": {
    ticketAfter: null,
    cap: null,
    readsReferences: true,
    ownTool: "question",
    resume: { latest: "kilo --continue" },
    evidence: { source: "measured", date: "2026-11", version: "7.7.7", found: "60 s, restarted by each progress notification." },
  },
  pi: {
    ticketAfter: null,
    cap: null,
    readsReferences: true,
    resume: { latest: "pi --continue" },
    evidence: {
      source: "measured",
      date: "2026-11",
      version: "1.6.0",
      found: "60 s, restarted by each progress notification.",
    },
  },
  cline: {
    ticketAfter: 50 * seconds,
    cap: 60 * seconds,
    readsReferences: true,
    ownTool: "ask_question",
    evidence: {
      source: "measured",
      date: "2026-11",
      version: "3.0.65",
      found: "60 s; it asks for no progress, and doesn't cancel the call.",
    },
  },
  goose: {
    ticketAfter: 290 * seconds,
    cap: 300 * seconds,
    resume: { latest: "goose session --resume" },
    evidence: { source: "documented", date: "2026-11", found: "300 s unless the extension's entry sets a timeout, in seconds." },
  },
  "kimi-code": {
    ticketAfter: 50 * seconds,
    cap: 60 * seconds,
    readsReferences: true,
    ownTool: "AskUserQuestion",
    resume: { latest: "kimi --continue" },
    evidence: { source: "measured", date: "2026-11", version: "2.1.0", found: "60 s; it asks for no progress." },
  },
};

/** What is known about the client of a coding agent. */
export interface AgentClient {
  /** Its official name. */
  title: string;
  /** The `clientInfo.name` that it reports to MCP servers; absent if that is askbox's name for it, or unknown. */
  reportsAs?: string;
}

/** A client's limit for one call, and what its agent can ask with if askbox cannot be reached. */
export interface ClientCalls {
  /** The call returns by then, with a ticket if necessary (ms from its start); null if the client waits as long as progress arrives. */
  ticketAfter: number | null;
  /** From then on the client ignores the call's result (ms); null if never, or if unknown. */
  cap: number | null;
  /** Whether its model gets a tool's schema with its references (`$ref`); absent if that is unknown. Other clients get it without. */
  readsReferences?: true;
  /** The client's own tool for asking a person; absent if none is known. */
  ownTool?: string;
  /**
   * Command lines that resume a conversation: the latest one of a folder, and one by its id (appended) if the client reports it to its
   * servers.
   */
  resume?: { latest: string; byId?: string };
  /** Where it reports its conversation: in this variable of its servers, or in each call's `_meta` under this key. */
  conversation?: { env: string } | { meta: string };
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
