import { dirname } from "node:path";
import { AskboxError } from "@askbox/core";
import type { ClientName } from "@askbox/home";
import type { Client, Place, Scope, Setup } from "./client.ts";
import { clientNamed } from "./clients/index.ts";
import type { Ledger } from "./files/ledger.ts";
import { bytesOf, readSettingsFile, refuseOutside, writeSettingsFile } from "./files/settings-file.ts";
import { isSamePlace } from "./formats/change.ts";
import { type FileChange, formats, planFiles, type Step } from "./plan.ts";

/** What is to be done for a client, before it is done. */
export interface Plan {
  client: Client;
  steps: Step[];
  /** What the person should know besides; a sentence each. */
  notes: string[];
}

export interface InstallOptions {
  ledger: Ledger;
  client: ClientName;
  setup: Setup;
  /** Who puts it there: `person`, or `hub`: askbox by itself, since its config says so. */
  by?: "person" | "hub";
}

/** Plans how askbox gets into a client's settings. Throws `VALIDATION` when it cannot, and nothing is written then. */
export function planInstall({ ledger, client: name, setup, by = "person" }: InstallOptions): Plan {
  const client = clientNamed(name);
  const { place, scope, reach } = setup;
  const file = fileOf(client, place, scope);
  if (reach.kind !== "stdio" && reach.token !== undefined && scope === "project") {
    throw new AskboxError(
      "VALIDATION",
      `${client.title} cannot take a token from the environment, and a project's file is no place for one; use --scope user, or leave --http out.`,
    );
  }
  const steps = planFiles(ledger, ownerOf(name, place, scope, by), client.changes(setup, file), foldersOf(place, scope, file));
  return { client, steps, notes: client.notes?.(setup) ?? [] };
}

export interface UninstallOptions {
  ledger: Ledger;
  client: ClientName;
  place: Place;
  scope: Scope;
  by?: "person" | "hub";
}

/** Plans how it gets out again: whatever was written for this client in this scope, and its entry, whoever wrote that. */
export function planUninstall({ ledger, client: name, place, scope, by = "person" }: UninstallOptions): Plan {
  const client = clientNamed(name);
  const file = fileOf(client, place, scope);
  const steps = planFiles(ledger, ownerOf(name, place, scope, by), [], []);
  const isKnown = steps.some(({ path }) => path === file);
  const stray = by === "hub" || isKnown ? undefined : planStray(ledger, client, place, file, foldersOf(place, scope, file));
  return { client, steps: stray === undefined ? steps : [...steps, stray], notes: [] };
}

/** Files that others write together with askbox: settings of one worktree. */
export function planWorktree(ledger: Ledger, folder: string, files: readonly FileChange[], exclude?: string): Step[] {
  return planFiles(ledger, `worktree ${folder}`, files, [folder, ...(exclude === undefined ? [] : [dirname(exclude)])]);
}

/** Where the files of a scope may be: in the project, or with the person and where the client keeps its settings. */
const foldersOf = (place: Place, scope: Scope, file: string): string[] =>
  scope === "project" ? [place.project] : [place.home, dirname(file)];

/** An entry that no install of this machine has put there. */
function planStray(ledger: Ledger, client: Client, place: Place, path: string, folders: readonly string[]): Step | undefined {
  const at = client.entryAt(place, path);
  const change = { kind: "set", at, to: null, ours: true } as const;
  const others = Object.values(ledger.record(path)?.layers ?? {}).flat();
  const file = readSettingsFile(path);
  if (file.bytes === undefined || others.some((applied) => isSamePlace(applied.change, change))) return undefined;
  const format = formats[path.endsWith(".toml") ? "toml" : "jsonc"];
  const after = format.undo(file.text, { change });
  refuseOutside(file, folders);
  return {
    path,
    target: file.target,
    before: file.text,
    after,
    action: after === file.text ? "none" : "change",
    carryOut: () => void (after !== file.text && writeSettingsFile(file, bytesOf(file, after))),
  };
}

function fileOf(client: Client, place: Place, scope: Scope): string {
  const file = client.file(place, scope);
  if (file === undefined) throw new AskboxError("VALIDATION", `${client.title} has no settings of a project; use --scope user.`);
  return file;
}

/** How the ledger names whoever has something in a file. */
export function ownerOf(name: ClientName, place: Place, scope: Scope, by: "person" | "hub"): string {
  return `${by === "hub" ? "hub " : ""}${name} ${scope}${scope === "project" ? ` ${place.project}` : ""}`;
}
