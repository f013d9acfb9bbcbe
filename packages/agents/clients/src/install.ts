import { dirname } from "node:path";
import { AskboxError, type Log } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import type { HomeFiles } from "@askbox/home";
import { type DialectName, dialectTraits, toolDefinitions } from "@askbox/mcp";
import { type Client, entryName, maxWaitOf, type Scope, type Setup, type System, scopes, stdioReach } from "./client.ts";
import { clientNamed, clients } from "./clients/index.ts";
import { inProject } from "./clients/parts.ts";
import { type Ledger, openLedger } from "./files/ledger.ts";
import { bytesOf, readSettingsFile, refuseOutside, refuseProtected, writeSettingsFile } from "./files/settings-file.ts";
import { isSamePlace } from "./formats/format.ts";
import { valueAt } from "./json.ts";
import { type FileChange, formatOf, formats, planFiles, type Step } from "./plan.ts";

/**
 * What installing and removing do: a plan of changes to files, described before they are made; each is recorded in the ledger, so that
 * removing puts back exactly what was there. Clients that were added without a command are added here too, and the agent of a worktree.
 */

/** The planned changes for a client. */
export interface Plan {
  client: Client;
  steps: Step[];
  /** What the person should also know; one sentence each. */
  notes: string[];
}

export interface InstallOptions {
  ledger: Ledger;
  client: ClientName;
  setup: Setup;
  /** Who adds it: `person`, or `hub` if askbox does so automatically because of its config. */
  by?: "person" | "hub";
}

/** Plans how to add askbox to a client's settings. Throws `VALIDATION` if that is not possible; nothing is written. */
export function planInstall({ ledger, client: name, setup, by = "person" }: InstallOptions): Plan {
  const client = clientNamed(name);
  const { system, scope, reach } = setup;
  const file = fileOf(client, system, scope);
  if (reach.kind !== "stdio" && reach.token !== undefined && scope === "project") {
    throw new AskboxError(
      "VALIDATION",
      `${client.title} cannot read a token from the environment, and a project's file must not contain one; use --scope user, or omit --http.`,
    );
  }
  const steps = planFiles(
    ledger,
    ownerOf(ledger, client, { system, scope, by }),
    withoutReplaced(client.changes(setup, file), file, setup.replace ?? []),
    foldersOf(system, scope, file),
  );
  const plugin = client.plugin?.(system);
  const both =
    plugin === undefined
      ? []
      : [`${client.title} has askbox's plugin too, which brings ${plugin.brings}; to keep only this entry: ${plugin.remove}`];
  return { client, steps, notes: [...(client.notes?.(setup) ?? []), ...both] };
}

/** The changes, and before those of askbox's entry the removal of the entries that it replaces. */
function withoutReplaced(files: FileChange[], file: string, replaced: readonly (readonly string[])[]): FileChange[] {
  const removals = replaced.map((at) => ({ kind: "set", at, to: null }) as const);
  return files.map((one) => (one.path === file ? { ...one, changes: [...removals, ...one.changes] } : one));
}

export interface UninstallOptions {
  ledger: Ledger;
  client: ClientName;
  system: System;
  scope: Scope;
  by?: "person" | "hub";
}

/** Plans how to remove it: everything written for this client in this scope, and its entry, no matter who added it. */
export function planUninstall({ ledger, client: name, system, scope, by = "person" }: UninstallOptions): Plan {
  const client = clientNamed(name);
  const file = fileOf(client, system, scope);
  const steps = planFiles(ledger, ownerOf(ledger, client, { system, scope, by }), [], []);
  const isKnown = steps.some(({ path }) => path === file);
  const stray = by === "hub" || isKnown ? undefined : planStray(ledger, client, system, file, foldersOf(system, scope, file));
  const plugin = client.plugin?.(system);
  const left = plugin === undefined ? [] : [`${client.title} still has askbox's plugin, which askbox can't remove: ${plugin.remove}`];
  return { client, steps: stray === undefined ? steps : [...steps, stray], notes: left };
}

/** Files that others edit together with askbox: settings of one worktree. */
export function planWorktree(ledger: Ledger, folder: string, files: readonly FileChange[], exclude?: string): Step[] {
  return planFiles(ledger, `worktree ${folder}`, files, [folder, ...(exclude === undefined ? [] : [dirname(exclude)])]);
}

/** The folders that may contain the files of a scope: the project, or the person's home and the client's settings folder. */
const foldersOf = (system: System, scope: Scope, file: string): string[] =>
  scope === "project" ? [system.project] : [system.home, dirname(file)];

/** An entry that no install on this machine has added. */
function planStray(ledger: Ledger, client: Client, system: System, path: string, folders: readonly string[]): Step | undefined {
  const at = client.entryAt(system, path);
  const change = { kind: "set", at, to: null, ours: true } as const;
  const others = Object.values(ledger.record(path)?.layers ?? {}).flat();
  const file = readSettingsFile(path);
  if (file.bytes === undefined || others.some((applied) => isSamePlace(applied.change, change))) return undefined;
  const format = formats[formatOf(path)];
  const after = format.undo(file.text, { change });
  refuseOutside(file, folders);
  if (after !== file.text) refuseProtected(file);
  return {
    path,
    target: file.target,
    before: file.text,
    after,
    action: after === file.text ? "none" : "change",
    carryOut: () => void (after !== file.text && writeSettingsFile(file, bytesOf(file, after))),
  };
}

function fileOf(client: Client, system: System, scope: Scope): string {
  const file = client.file(system, scope);
  if (file === undefined) throw new AskboxError("VALIDATION", `${client.title} has no project settings; use --scope user.`);
  return file;
}

/** How the ledger names the owner of an entry: a client has one for each project, and for each of its settings folders. */
export function ownerOf(
  ledger: Pick<Ledger, "pathsOf">,
  client: Client,
  { system, scope, by }: { system: System; scope: Scope; by: "person" | "hub" },
): string {
  const plain = `${by === "hub" ? "hub " : ""}${client.name} ${scope}`;
  if (scope === "project") return `${plain} ${system.project}`;
  const [file, usual] = [client.file(system, scope), client.file({ ...system, env: {} }, scope)];
  // Earlier versions named all folders alike.
  if (by === "hub" || file === undefined || file === usual || ledger.pathsOf(plain).includes(file)) return plain;
  return `${plain} ${dirname(file)}`;
}

/** A file that `install` writes for a client if it doesn't exist yet. */
export interface DescribedFile {
  path: string;
  format: FileChange["format"];
  text: string;
}

/** A machine for documentation, not a real one: `~` is the person's home, and paths in a project have no prefix. */
function describedSystem(): System {
  return { platform: "linux", env: {}, home: "~", project: "", exists: () => false, settings: () => undefined };
}

/** What `askbox install` writes, generated by the same code. Undefined if the client has no settings in that scope. */
export function describeInstall(client: Client, scope: Scope, launch: readonly string[]): DescribedFile[] | undefined {
  const system = describedSystem();
  const file = client.file(system, scope);
  if (file === undefined) return undefined;
  const { tools, raisedTo } = client;
  const reach = stdioReach({ launch, tools, maxWait: raisedTo === undefined ? undefined : raisedTo - 10, env: {}, cwd: "/" });
  const setup: Setup = { scope, system, reach, tools, prefer: false, exclusive: false };
  return client.changes(setup, file).map(({ path, format, changes }) => ({
    path,
    format,
    text: changes.reduce((text, change) => formats[format].apply(text, change).text, ""),
  }));
}

/** The main file of each scope. */
export function settingsFiles(client: Client): Partial<Record<Scope, string>> {
  const system = describedSystem();
  return Object.fromEntries(
    scopes.flatMap((scope) => {
      const file = client.file(system, scope);
      return file === undefined ? [] : [[scope, file]];
    }),
  );
}

/** The id of the agent for which a worktree was prepared; undefined if it was not. */
export function worktreeAgent(system: System): string | undefined {
  const url = valueAt(system.settings(inProject(system, ".mcp.json")), ["mcpServers", entryName, "url"]);
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  return new URL(url).searchParams.get("agent") ?? undefined;
}

/** The two blocks for the agent's system prompt: what not to use, and what to use instead. */
export function promptBlocks(tool: DialectName, agentId: string): [unavailable: string, instead: string] {
  const takesId = dialectTraits(tool).agentId;
  const [definition] = toolDefinitions([tool]);
  const required = definition?.inputSchema["required"];
  const call = takesId && Array.isArray(required) ? `${tool}(${required.join(", ")})` : tool;
  const id = takesId ? `\nAlways pass agent_id="${agentId}" exactly as given.` : "";
  return [
    `Do NOT use the \`AskUserQuestion\` tool: it is disabled in headless mode and always fails.
Do NOT invoke skills (brainstorming, writing-plans, debugging, etc.): they are for interactive sessions, and no skill may be used to ask a person.`,
    `## Asking a person
You have ${/^[aeiou]/.test(call) ? "an" : "a"} \`${call}\` tool through MCP. It waits until a person has answered.
Use it whenever the answer would change your approach, and before anything that is hard to undo.${id}
An error is not an answer: say so and stop.`,
  ];
}

export interface AutoRegisterOptions {
  /** The clients listed in the config. */
  names: readonly ClientName[];
  files: Pick<HomeFiles, "clients" | "clientBackups">;
  system: System;
  /** The command line that starts `askbox`. */
  launch: readonly string[];
  log: Log;
}

/**
 * Adds askbox to the settings of the listed clients, and removes it from those that are no longer listed. Entries that a person made are
 * not changed. If a client's file cannot be changed, that is logged.
 */
export function autoRegister({ names, files, system, launch, log }: AutoRegisterOptions): void {
  const attempt = (name: ClientName, what: string, work: () => void) => {
    try {
      work();
    } catch (error) {
      log("warn", `${clientNamed(name).title} could not be ${what}`, { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const remove = (name: ClientName) =>
    attempt(name, "unregistered", () => {
      const { steps } = planUninstall({ ledger: openLedger(files), client: name, system, scope: "user", by: "hub" });
      for (const step of steps) step.carryOut();
      if (steps.length > 0) log("info", `askbox was removed from ${clientNamed(name).title}'s settings`);
    });

  const before = openLedger(files);
  for (const client of clients) {
    const isOurs = before.pathsOf(ownerOf(before, client, { system, scope: "user", by: "hub" })).length > 0;
    if (isOurs && !names.includes(client.name)) remove(client.name);
  }
  for (const name of names) {
    attempt(name, "registered", () => {
      const ledger = openLedger(files);
      const client = clientNamed(name);
      const file = client.file(system, "user") ?? "";
      const isOurs = ledger.pathsOf(ownerOf(ledger, client, { system, scope: "user", by: "hub" })).includes(file);
      const isThere = valueAt(system.settings(file), client.entryAt(system, file)) !== undefined;
      if (isThere && !isOurs) return log("debug", `${client.title} already has an entry ${entryName}; it was not changed`);
      const tools = client.tools;
      const reach = stdioReach({ launch, tools, maxWait: maxWaitOf(client), env: system.env, cwd: system.project });
      const setup = { scope: "user", system, reach, tools, prefer: false, exclusive: false } as const;
      const { steps } = planInstall({ ledger, client: name, setup, by: "hub" });
      for (const step of steps) step.carryOut();
      log("info", `askbox was added to ${client.title}'s settings`, { file });
    });
  }
}
