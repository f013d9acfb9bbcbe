import { resolve } from "node:path";
import type { AgentClient, ClientName } from "@askbox/core/clients";
import { type DialectName, defaultTool, type Fallback } from "@askbox/mcp";
import type { FileChange } from "./plan.ts";

/**
 * What a client is: where its settings are, what an entry looks like there, and how it reaches the hub, by a command or an address.
 */

export const scopes = ["user", "project"] as const;
/** For one person everywhere, or for everyone who works in one folder. */
export type Scope = (typeof scopes)[number];

/** What the places of settings depend on, and a way to read them. */
export interface System {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  home: string;
  /** The project's folder. */
  project: string;
  /** Whether the file or folder exists. */
  exists(path: string): boolean;
  /** The contents of a settings file, as far as it can be read. */
  settings(path: string): unknown;
}

/** How a client reaches askbox. */
export type Reach =
  | { kind: "stdio"; command: string; args: readonly string[]; env: Readonly<Record<string, string>> }
  /** `token`: only for clients that cannot read it from the environment. */
  | { kind: "http" | "sse"; url: string; token?: string | undefined };

/** What to set up. */
export interface Setup {
  scope: Scope;
  system: System;
  reach: Reach;
  /** The tools that the server offers there. */
  tools: readonly DialectName[];
  /** Tell the agent to ask through askbox rather than with its own tool. */
  prefer: boolean;
  /** Disable the client's own question tool. */
  exclusive: boolean;
  /** Let the client start without askbox, if its entry would otherwise require it. */
  optional?: boolean | undefined;
  /** The command line for a client's hook; absent without hooks. */
  hookCommand?: string | undefined;
  /** The command line that forwards the client's permission requests, if it does not reach the hub by URL; absent without approvals. */
  approvals?: string | undefined;
  /** Report every call that writes, runs or reaches something, for the list of what ran without a person. Only with approvals. */
  ran?: boolean | undefined;
  /** The same for a hook that runs before every call: it does next to nothing unless a denied call may be let through. */
  overruled?: string | undefined;
  /** The command line of a client's hook that waits for answers while an agent is idle; absent if nothing waits. */
  wake?: string | undefined;
  /** Make the client ask a person before it acts, if its own default is to decide by itself. */
  askFirst?: boolean | undefined;
  /** For a client that lets the user review new hooks: those of askbox. Absent if the client should ask the person itself. */
  trusted?: TrustedHooks | undefined;
  /** Other servers' entries that askbox takes the place of, by where they are in the file with askbox's entry. */
  replace?: readonly (readonly string[])[] | undefined;
  /** The text of the skill; absent without it. */
  skill?: SkillTexts | undefined;
}

/** Hashes of hooks, by the client's keys for them. */
type TrustedHooks = Readonly<Record<string, string>>;

export interface SkillTexts {
  /** A SKILL.md. */
  skill: string;
  /** The same for a file that agents read completely. */
  instruction: string;
}

/** How to prepare a worktree. */
interface WorktreeOptions {
  system: System;
  /** The hub's `/sse` with the agent's id; the token comes from the environment. */
  reach: Reach;
  tools: readonly string[];
  /** The file with git's ignore patterns for this clone only; absent outside a repository. */
  exclude?: string | undefined;
}

/** One client: what is known about it, and its settings. */
export interface Client extends AgentClient, ClientSettings {
  name: ClientName;
  /** Whether its permission requests can come to the inbox. */
  asksForApproval: boolean;
}

/** Where a client's settings are and what askbox's entry looks like there. */
export interface ClientSettings {
  /** How to detect it on a machine: programs on the PATH, and folders it creates. */
  signs(system: System): { programs: readonly string[]; folders: readonly string[] };
  /** Its default tools. */
  tools: readonly DialectName[];
  /** The call timeout that `install` sets, in seconds; absent if it has no such setting. */
  raisedTo?: number;
  /** Whether it reads a token from the environment; if not, the token is in its file. */
  tokenFromEnvironment: boolean;
  /** How a client that by default decides most requests by itself is made to ask; absent for one that asks. */
  mode?: {
    /** The setting in a file, as far as it is set. */
    read(system: System, scope: Scope): { file: string; at: string; value: unknown };
    /** Whether the client asks a person with this value. */
    asks(value: unknown): boolean;
    /** The value that makes it ask. */
    asking: string;
  };
  /** Which requests its hooks bring to the inbox, as far as they are set up; absent for a client without such hooks. */
  hooked?(system: System, scope: Scope): { approvals: boolean; forms?: boolean; denials: boolean };
  /** Who decides about its calls as it is set up, and what of that reaches the inbox. `asks`: a person is asked for whatever no rule allows. */
  decides?(system: System, scope: Scope): { file: string; at: string; value: unknown; asks: boolean; words: string };
  /** Whether its entry requires askbox unless the setup is optional. */
  takesOptional?: boolean;
  /** Whether its hooks can report every call, for the list of what ran without a person. */
  reportsCalls?: boolean;
  /** The file with the entry. Undefined if it has none in that scope. */
  file(system: System, scope: Scope): string | undefined;
  /** Where the entry is in it. */
  entryAt(system: System, file: string): readonly string[];
  /** Where the same file of the user lists servers for this project alone; absent if it doesn't. */
  projectServersAt?(system: System): readonly (readonly string[])[];
  /** All changes to write. Throws `VALIDATION` for what the client does not support. */
  changes(setup: Setup, file: string): FileChange[];
  /**
   * What the client's settings must contain so that it trusts the setup's hooks without a review, given the contents of its files, by path;
   * undefined if it can't be found out.
   */
  trust?(setup: Setup, texts: ReadonlyMap<string, string>): Promise<TrustedHooks | undefined>;
  /** All files that prepare a worktree for an agent; absent if that is not supported. */
  worktree?(options: WorktreeOptions): FileChange[];
  /** askbox's plugin in this client, which only the client itself can remove; undefined without one. */
  plugin?(system: System): InstalledPlugin | undefined;
  /** What a person should know or do as well; one sentence each. */
  notes?(setup: Setup): string[];
}

interface InstalledPlugin {
  /** The settings that enable it. */
  file: string;
  /** What it already does, as the end of a sentence. */
  brings: string;
  /** How to remove it: the client's own command, or an edit. */
  remove: string;
}

/** The plugin and its marketplace, as clients write them. */
export const pluginId = "askbox@askbox";

/** The name of askbox's entry. */
export const entryName = "askbox";
/** The environment variable with the token. */
export const tokenVariable = "ASKBOX_TOKEN";

/** The variables by which askbox finds its folders; a client may not pass them on. */
const folders = ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

/** How many seconds before the limit set by `install` a call returns. */
const margin = 10;

/** The seconds after which a call of this client returns with a ticket; undefined if the table of clients decides. */
export const maxWaitOf = ({ raisedTo }: Pick<Client, "raisedTo">): number | undefined =>
  raisedTo === undefined ? undefined : raisedTo - margin;

export interface StdioOptions {
  /** The absolute command line that starts `askbox`. */
  launch: readonly string[];
  tools: readonly string[];
  /** Seconds after which a call returns with a ticket; absent if the table of clients decides. */
  maxWait?: number | undefined;
  /** How the agent may ask if askbox cannot be reached; absent if it has its client's own tool. */
  fallback?: Fallback | undefined;
  /** Milliseconds that a question waits; absent for the tool's own time. */
  timeout?: number | undefined;
  agent?: string | undefined;
  hub?: string | undefined;
  tokenFile?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
}

/** `askbox mcp` as a client starts it. It contains no secret. */
export function stdioReach(options: StdioOptions): Reach & { kind: "stdio" } {
  const { launch, tools, maxWait, fallback, timeout, agent, hub, tokenFile, env, cwd } = options;
  const [command = "askbox", ...start] = launch;
  const flags = [
    ...(tools.join() === defaultTool ? [] : ["--tools", tools.join(",")]),
    ...(maxWait === undefined ? [] : ["--max-wait", String(maxWait)]),
    ...(fallback === undefined ? [] : ["--fallback", fallback]),
    ...(timeout === undefined ? [] : ["--timeout", String(timeout)]),
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(hub === undefined ? [] : ["--hub", hub]),
    ...(tokenFile === undefined ? [] : ["--token-file", resolve(cwd, tokenFile)]),
  ];
  const home = env["ASKBOX_HOME"];
  // keys: the variables in a list of our own.
  const handed: Record<string, string> = {};
  // A path relative to this shell's folder would be wrong for the client.
  if (home) handed["ASKBOX_HOME"] = home.startsWith("~") ? home : resolve(cwd, home);
  else for (const name of folders) if (env[name]) handed[name] = env[name];
  const remote = env["ASKBOX_HUB"];
  if (remote && hub === undefined) handed["ASKBOX_HUB"] = remote;
  return { kind: "stdio", command, args: [...start, "mcp", ...flags], env: handed };
}

export interface HttpOptions {
  /** The hub's own address. */
  hub: string;
  kind?: "http" | "sse";
  tools: readonly string[];
  maxWait?: number | undefined;
  fallback?: Fallback | undefined;
  /** Milliseconds that a question waits; absent for the tool's own time. */
  timeout?: number | undefined;
  agent?: string | undefined;
  /** Only for a client that cannot read it from the environment. */
  token?: string | undefined;
}

/** The URL of the hub's MCP endpoint. */
export function httpReach({ hub, kind = "http", tools, maxWait, fallback, timeout, agent, token }: HttpOptions): Reach {
  const url = new URL(kind === "sse" ? "sse" : "mcp", hub.endsWith("/") ? hub : `${hub}/`);
  if (agent !== undefined) url.searchParams.set("agent", agent);
  if (tools.join() !== defaultTool) url.searchParams.set("tools", tools.join(","));
  if (maxWait !== undefined) url.searchParams.set("max-wait", String(maxWait));
  if (fallback !== undefined) url.searchParams.set("fallback", fallback);
  if (timeout !== undefined) url.searchParams.set("timeout", String(timeout));
  return { kind, url: url.href.replaceAll("%2C", ","), token };
}
