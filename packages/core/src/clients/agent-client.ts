/** What is known about the client of a coding agent. */
export interface AgentClient {
  /** Its official name. */
  title: string;
  /** The `clientInfo.name` that it reports to MCP servers; absent if that is askbox's name for it, or unknown. */
  reportsAs?: string;
  /** Whether its permission requests can come to the inbox. `followsDaemon`: an MCP server fetches them, from a daemon; otherwise a hook does. */
  approvals?: { followsDaemon: boolean };
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
