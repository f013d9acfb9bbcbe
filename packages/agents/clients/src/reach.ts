import { resolve } from "node:path";
import { defaultTool, type Fallback } from "@askbox/mcp";
import type { Client, Reach } from "./client.ts";

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
