import { dirname } from "node:path";
import { AskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/core/clients";
import type { Client, Scope, Setup, System } from "./client.ts";
import { clientNamed } from "./clients/index.ts";
import type { Ledger } from "./files/ledger.ts";
import { bytesOf, readSettingsFile, refuseOutside, refuseProtected, writeSettingsFile } from "./files/settings-file.ts";
import { isSamePlace } from "./formats/change.ts";
import { type FileChange, formats, planFiles, type Step } from "./plan.ts";

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
  const format = formats[path.endsWith(".toml") ? "toml" : "jsonc"];
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
