/** The flags of `askbox mcp` as data, for both the fast parser and the help. Each takes a value. */
export const mcpFlags = {
  tools: { value: "a,b", does: "the tools to offer" },
  name: { value: "S", does: "the server's name as the client sees it" },
  timeout: { value: "MS", does: "milliseconds a question waits by default, 10000 to 1800000" },
  "max-wait": { value: "S", does: "seconds after which a call gets a ticket instead of waiting longer" },
  "on-cancel": { value: "keep|withdraw", does: "what a cancelled call does to its question (default: keep)" },
  fallback: { value: "tool|chat|none", does: "how agents are told to ask while no hub can be reached (default: tool)" },
  surfaces: { value: "a,b", does: "where questions appear: inbox, or inbox,client to add the client's own form (default: inbox)" },
  project: { value: "folder", does: "the project folder (default: the current folder)" },
  agent: { value: "ID", does: "the agent's id, if one client runs several agents" },
  approvals: { value: "client", does: "keep the hub for this client's permission requests: claude-code, codex, opencode, copilot-cli" },
  hub: { value: "URL", does: "use the hub at this address (ASKBOX_HUB)" },
  "token-file": { value: "file", does: "read the token for it from this file" },
} as const;

export type McpFlags = { [Name in keyof typeof mcpFlags]?: string | undefined };
