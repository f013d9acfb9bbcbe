import type { DefineCommand } from "./command.ts";

export interface ListedCommand {
  name: string;
  alias?: string;
  summary: string;
  /** Imports the command's file; only the command that runs is loaded. */
  load(): Promise<{ command: DefineCommand }>;
}

/** Every subcommand by what it is for, in the order of `--help`. */
export const commandGroups: readonly { title: string; commands: readonly ListedCommand[] }[] = [
  {
    title: "Answer",
    commands: [
      { name: "list", summary: "List questions", load: () => import("./commands/list.ts") },
      { name: "show", summary: "Show one set of questions", load: () => import("./commands/show.ts") },
      { name: "answer", summary: "Answer questions", load: () => import("./commands/answer.ts") },
      { name: "allow", summary: "Allow an agent's permission request", load: () => import("./commands/allow.ts") },
      { name: "deny", summary: "Deny an agent's permission request", load: () => import("./commands/deny.ts") },
      { name: "cancel", summary: "Decline questions", load: () => import("./commands/cancel.ts") },
      { name: "ask-back", summary: "Ask the agent something before you answer", load: () => import("./commands/ask-back.ts") },
      {
        name: "agents",
        summary: "See who waits, works or has gone, and write to them",
        load: () => import("./commands/agents.ts"),
      },
      { name: "extend", summary: "Give questions more time", load: () => import("./commands/extend.ts") },
      { name: "snooze", summary: "Move questions to the end of your list for a while", load: () => import("./commands/snooze.ts") },
      { name: "wake", summary: "Wake an agent with what it has not received", load: () => import("./commands/wake.ts") },
      { name: "open", summary: "Open the web inbox, logged in", load: () => import("./commands/open.ts") },
      {
        name: "grants",
        summary: "Manage what agents may do without asking",
        load: () => import("./commands/grants.ts"),
      },
      { name: "ran", summary: "List what ran without you, and who let it", load: () => import("./commands/ran.ts") },
    ],
  },
  {
    title: "Ask",
    commands: [
      { name: "ask", summary: "Ask a person, and wait for the answer", load: () => import("./commands/ask.ts") },
      { name: "run", summary: "Run an agent that asks in the inbox", load: () => import("./commands/run.ts") },
      { name: "wait", summary: "Keep waiting for earlier questions", load: () => import("./commands/wait.ts") },
    ],
  },
  {
    title: "Set up",
    commands: [
      {
        name: "setup",
        summary: "Set up this machine's clients, and try one",
        load: () => import("./commands/setup.ts"),
      },
      { name: "install", summary: "Set up a client", load: () => import("./commands/install.ts") },
      { name: "uninstall", summary: "Remove askbox from a client", load: () => import("./commands/uninstall.ts") },
      { name: "chat", summary: "Answer in a chat: Telegram, Slack, Discord", load: () => import("./commands/chat.ts") },
      { name: "doctor", summary: "Diagnose problems and suggest fixes", load: () => import("./commands/doctor.ts") },
      { name: "config", summary: "Show and change settings", load: () => import("./commands/config.ts") },
      { name: "completion", summary: "Print completions for bash, zsh or fish", load: () => import("./commands/completion.ts") },
      { name: "demo", summary: "Try askbox: an agent asks, you answer", load: () => import("./commands/demo.ts") },
    ],
  },
  {
    title: "Run",
    commands: [
      { name: "hub", summary: "Run the hub in the foreground, check or stop it", load: () => import("./commands/hub.ts") },
      {
        name: "mcp",
        alias: "server",
        summary: "Serve MCP on stdio, for an agent's client to start",
        load: () => import("./commands/mcp.ts"),
      },
      { name: "acp", summary: "Stand between an editor and its agent", load: () => import("./commands/acp.ts") },
      { name: "hook", summary: "Bring a client's own questions here; run by its hook", load: () => import("./commands/hook.ts") },
      {
        name: "token",
        summary: "Manage tokens for agents, people and monitoring",
        load: () => import("./commands/token.ts"),
      },
      { name: "invite", summary: "Let agents on another machine ask here", load: () => import("./commands/invite.ts") },
      { name: "join", summary: "Ask at the hub of another machine", load: () => import("./commands/join.ts") },
      { name: "ssh", summary: "Let agents on a host that you reach by SSH ask here", load: () => import("./commands/ssh.ts") },
      { name: "machines", summary: "See which machines may ask here, and end that", load: () => import("./commands/machines.ts") },
      { name: "agent", summary: "Register agents by id", load: () => import("./commands/agent.ts") },
      { name: "audit", summary: "Export and verify the record of approvals", load: () => import("./commands/audit.ts") },
      { name: "backup", summary: "Copy the inbox, tokens and settings into a folder", load: () => import("./commands/backup.ts") },
      { name: "restore", summary: "Bring the inbox, tokens and settings back from a backup", load: () => import("./commands/restore.ts") },
    ],
  },
];

export const commandList: readonly ListedCommand[] = commandGroups.flatMap(({ commands }) => commands);

export const loadOverview = (): Promise<typeof import("./commands/overview.ts")> => import("./commands/overview.ts");
