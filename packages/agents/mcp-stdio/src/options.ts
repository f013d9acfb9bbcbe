import { agentClients, type ClientName, clientApprovals, clientNames, knownClient } from "@askbox/core/clients";
import { quote } from "@askbox/core/schemas";
import {
  type AskSurface,
  askSurfaces,
  type DialectName,
  defaultTool,
  dialectNames,
  type Fallback,
  fallbacks,
  isDialectName,
} from "@askbox/mcp";

/** `askbox mcp`'s flags. */
export interface StdioServerFlags {
  /** Names of dialects; default `["ask_user"]`. */
  tools?: readonly string[] | undefined;
  /** The server's name. */
  name?: string | undefined;
  /** Milliseconds. */
  timeout?: number | undefined;
  /** Seconds; 0 is no limit. */
  maxWait?: number | undefined;
  onCancel?: "keep" | "withdraw" | undefined;
  fallback?: Fallback | undefined;
  /** Names of surfaces; default `["inbox"]`. */
  surfaces?: readonly string[] | undefined;
  project?: string | undefined;
  agent?: string | undefined;
  /** The client whose permission requests come to the inbox as well. */
  approvals?: string | undefined;
  hub?: string | undefined;
  tokenFile?: string | undefined;
}

/** The validated flags. */
export interface CheckedFlags extends StdioServerFlags {
  tools: DialectName[];
  surfaces: AskSurface[];
}

/** The contract's range in ms; a test ensures that it equals the core's, which is not loaded to list the tools. */
export const timeoutRange = Object.freeze({ min: 10_000, max: 1_800_000 });
/** How the permission requests of clients come to the inbox, as far as they can. */
export const approvalClients: Readonly<Record<string, { followsDaemon: boolean }>> = clientApprovals;
/** A day, in seconds. */
const maxMaxWait = 86_400;

/** Checks what the command-line parser cannot. Returns a sentence that says what is wrong. */
export function checkFlags(flags: StdioServerFlags): CheckedFlags | string {
  const { timeout, maxWait, onCancel, fallback, approvals } = flags;
  const tools: DialectName[] = [];
  for (const name of flags.tools ?? [defaultTool]) {
    if (!isDialectName(name)) return `--tools: there is no tool ${quote(name)}; choose from ${dialectNames.join(", ")}.`;
    if (!tools.includes(name)) tools.push(name);
  }
  if (tools.length === 0) return `--tools: name at least one of ${dialectNames.join(", ")}.`;
  if (timeout !== undefined && !isTimeout(timeout)) {
    return `--timeout: give a whole number of milliseconds from ${timeoutRange.min} to ${timeoutRange.max}.`;
  }
  if (maxWait !== undefined && !(maxWait >= 0 && maxWait <= maxMaxWait)) {
    return `--max-wait: give a number of seconds from 0 (no limit) to ${maxMaxWait}.`;
  }
  if (onCancel !== undefined && onCancel !== "keep" && onCancel !== "withdraw") return "--on-cancel: choose keep or withdraw.";
  if (fallback !== undefined && !fallbacks.includes(fallback)) return "--fallback: choose tool, chat or none.";
  if (approvals !== undefined && !Object.hasOwn(approvalClients, approvals)) {
    return `--approvals: choose ${Object.keys(approvalClients).join(", ")}.`;
  }
  const surfaces = askSurfaces.filter((surface) => (flags.surfaces ?? ["inbox"]).includes(surface));
  if (surfaces.length < new Set(flags.surfaces ?? ["inbox"]).size || !surfaces.includes("inbox"))
    return "--surfaces: choose inbox, or inbox,client.";
  return { ...flags, tools, surfaces };
}

export function isTimeout(value: number): boolean {
  return Number.isInteger(value) && value >= timeoutRange.min && value <= timeoutRange.max;
}

/** Whether a plugin has started this server: its launcher says so. */
export const isPlugin = (env: NodeJS.ProcessEnv): boolean => env["ASKBOX_PLUGIN"] === "1";

/** Askbox's name for the client that reports this one; undefined if nothing is known of how it calls tools. */
export function nameOfClient(client: string): ClientName | undefined {
  const known = knownClient(client);
  return known && clientNames.find((each) => (agentClients[each].reportsAs ?? each) === known.name);
}

/** How a person lifts the limit of a client's calls, as their agent is to tell them: a plugin can't, but `askbox install` can. */
export function pluginHint(client: string): string | undefined {
  const known = knownClient(client);
  const name = nameOfClient(client);
  if (!known?.cap || name === undefined) return undefined;
  return `Tell the person this once: a call waits ${known.cap / 1_000} s here at most, and \`askbox install ${name}\` raises that to half an hour.`;
}
