import type { DefineCommand } from "./command.ts";

export interface ListedCommand {
  name: string;
  alias?: string;
  summary: string;
  /** Loads the command's own file; only the one that runs is loaded. */
  load(): Promise<{ command: DefineCommand }>;
}

/** Every subcommand, in the order of the help. */
export const commandList: readonly ListedCommand[] = [
  { name: "list", summary: "List questions", load: () => import("./commands/list.ts") },
  { name: "show", summary: "Show one set of questions", load: () => import("./commands/show.ts") },
  { name: "answer", summary: "Answer questions", load: () => import("./commands/answer.ts") },
  { name: "allow", summary: "Allow what an agent asks permission for", load: () => import("./commands/allow.ts") },
  { name: "deny", summary: "Deny what an agent asks permission for", load: () => import("./commands/deny.ts") },
  { name: "cancel", summary: "Turn questions down", load: () => import("./commands/cancel.ts") },
  { name: "ask-back", summary: "Ask the agent something before you answer", load: () => import("./commands/ask-back.ts") },
  { name: "extend", summary: "Give questions more time", load: () => import("./commands/extend.ts") },
  { name: "ask", summary: "Ask a person, and wait for the answer", load: () => import("./commands/ask.ts") },
  { name: "open", summary: "Open the web inbox, logged in", load: () => import("./commands/open.ts") },
  { name: "wait", summary: "Go on waiting for questions asked before", load: () => import("./commands/wait.ts") },
  { name: "mcp", alias: "server", summary: "Serve MCP on stdio: what an agent's client starts", load: () => import("./commands/mcp.ts") },
  { name: "hub", summary: "Run the hub in the foreground, or see and stop the one that runs", load: () => import("./commands/hub.ts") },
  { name: "token", summary: "Make, list and revoke tokens for agents, people and monitors", load: () => import("./commands/token.ts") },
  { name: "agent", summary: "Register the agents that may ask under an id", load: () => import("./commands/agent.ts") },
  { name: "grants", summary: "See, make, try and revoke what agents may do without asking", load: () => import("./commands/grants.ts") },
  { name: "config", summary: "See and change the settings", load: () => import("./commands/config.ts") },
  { name: "install", summary: "Set a client up", load: () => import("./commands/install.ts") },
  { name: "uninstall", summary: "Take askbox out of a client again", load: () => import("./commands/uninstall.ts") },
  {
    name: "hook",
    summary: "Carry a client's own questions to the inbox: what its hook runs",
    load: () => import("./commands/hook.ts"),
  },
  { name: "doctor", summary: "Diagnose problems and suggest fixes", load: () => import("./commands/doctor.ts") },
  { name: "completion", summary: "Print completions for bash, zsh or fish", load: () => import("./commands/completion.ts") },
  { name: "demo", summary: "Try askbox: an agent asks, you answer", load: () => import("./commands/demo.ts") },
];

export const loadOverview = (): Promise<typeof import("./commands/overview.ts")> => import("./commands/overview.ts");
