import { type DialectName, defaultTool } from "@askbox/mcp";
import type { Client, Scope, System } from "./client.ts";
import { entryName } from "./client.ts";
import type { Ledger } from "./files/ledger.ts";
import { isObject, valueAt } from "./json.ts";

/** A feedback server that askbox can stand in for: its program's names, as entries start it, and its tools. */
interface FeedbackServer {
  programs: readonly string[];
  tools: readonly DialectName[];
}

const servers: readonly FeedbackServer[] = [
  { programs: ["mcp-feedback-enhanced"], tools: ["interactive_feedback"] },
  { programs: ["interactive-feedback-mcp", "interactive-feedback"], tools: ["interactive_feedback"] },
  { programs: ["cunzhi", "寸止"], tools: ["zhi"] },
  { programs: ["interactive-mcp"], tools: ["request_user_input"] },
  { programs: ["seamless-agent", "seamless-agent-mcp"], tools: [defaultTool, "plan_review", "walkthrough_review"] },
];

/** What `--replace` looks for. */
export const replaceable: readonly string[] = servers.map(({ programs: [program = ""] }) => program);

/** The entry of a feedback server in a client's settings. */
export interface FeedbackEntry {
  /** Its name in the list of servers. */
  name: string;
  /** Where it is in the file. */
  at: readonly string[];
  tools: readonly DialectName[];
  /** Milliseconds, if the entry sets how long a question waits. */
  timeout?: number | undefined;
}

interface Search {
  ledger: Ledger;
  client: Client;
  system: System;
  scope: Scope;
  /** As whom the ledger knows the client. */
  owner: string;
}

/** The feedback servers in the file with askbox's entry that are started in this project, and those that an earlier install has replaced there. */
export function feedbackEntries({ ledger, client, system, scope, owner }: Search): FeedbackEntry[] {
  const file = client.file(system, scope);
  if (file === undefined) return [];
  const settings = system.settings(file);
  const lists = [client.entryAt(system, file).slice(0, -1), ...(client.projectServersAt?.(system) ?? [])];
  const replaced = (ledger.record(file)?.layers[owner] ?? []).flatMap(({ change, before }) =>
    change.kind === "set" && change.to === null ? [{ at: change.at, entry: before as unknown }] : [],
  );
  const present = lists.flatMap((list) => {
    const servers = valueAt(settings, list);
    return Object.entries(isObject(servers) ? servers : {}).map(([name, entry]) => ({ at: [...list, name], entry }));
  });
  const found = new Map([...replaced, ...present].map(({ at, entry }) => [JSON.stringify(at), { at, entry }]));
  return [...found.values()].flatMap(({ at, entry }) => {
    const name = at.at(-1) ?? entryName;
    const server = name === entryName ? undefined : serverOf(name, entry);
    return server === undefined
      ? []
      : [{ name, at, tools: server.tools.flatMap((tool) => toolsIn(client, tool)), timeout: timeoutOf(server, entry) }];
  });
}

/** Some clients have their own tool of this name, and drop another's. */
const toolsIn = ({ tools }: Client, tool: DialectName) => (tool === defaultTool ? tools : [tool]);

function serverOf(name: string, entry: unknown): FeedbackServer | undefined {
  const names = new Set([...wordsOf(entry), name].flatMap((word) => word.split(/[\\/]/)).map(programOf));
  return servers.find(({ programs }) => programs.some((program) => names.has(program)));
}

/** A program's name without a version, a marker of its kind or an ending: `mcp-feedback-enhanced` of `mcp-feedback-enhanced@latest`. */
const programOf = (word: string): string => (word.toLowerCase().split(/[@=]/, 1)[0] ?? "").replace(/\.(?:exe|git|js|cmd)$/, "");

/** The command line, folder and address of an entry, in any client's fields. */
function wordsOf(entry: unknown): string[] {
  if (!isObject(entry)) return [];
  const { command, cmd, args, cwd, url, uri, serverUrl, httpUrl } = entry;
  return [command, cmd, args, cwd, url, uri, serverUrl, httpUrl].flat().filter((word) => typeof word === "string");
}

/** interactive-mcp's `-t` or `--timeout`, in seconds there. */
function timeoutOf({ tools }: FeedbackServer, entry: unknown): number | undefined {
  if (!tools.includes("request_user_input")) return undefined;
  const words = wordsOf(entry);
  const seconds = Number(words[words.findIndex((word) => word === "-t" || word === "--timeout") + 1]);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(Math.max(Math.round(seconds * 1_000), 10_000), 1_800_000) : undefined;
}
