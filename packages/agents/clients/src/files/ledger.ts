import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { changeAloneNow, type HomeFiles, readJsonFile, refuseForeign, writePrivateFile } from "@askbox/home";
import * as z from "zod";
import type { Applied } from "../formats/format.ts";
import type { Json } from "../json.ts";

const json = z.json() as z.ZodType<Json>;
const path = z.array(z.string());
const changeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("set"), at: path, to: json, ours: z.boolean().optional() }),
  z.object({ kind: z.literal("include"), at: path, item: json }),
  z.object({ kind: z.literal("block"), text: z.string() }),
  z.object({ kind: z.literal("line"), text: z.string() }),
  z.object({ kind: z.literal("whole"), text: z.string() }),
]);
const recordSchema = z.object({
  format: z.enum(["jsonc", "toml", "yaml", "text"]),
  /** SHA-256 of the file as askbox left it. */
  after: z.string(),
  /** A copy of the original file; absent if there was none, or if it already contained askbox's entry. */
  backup: z.string().optional(),
  /** Whether askbox created the file. */
  created: z.boolean(),
  /** Whether `backup` or `created` describe the file without askbox. */
  exact: z.boolean(),
  madeFolders: z.array(z.string()),
  /** The file behind the path's links when it was written. */
  target: z.string().optional(),
  /** What each owner has added; an owner is a client in a scope. */
  layers: z.record(z.string(), z.array(z.object({ change: changeSchema, before: json.optional(), made: z.array(path).optional() }))),
});
const ledgerSchema = z.object({ version: z.literal(1), files: z.record(z.string(), recordSchema) });

export type FileRecord = Omit<z.infer<typeof recordSchema>, "layers"> & { layers: Record<string, Applied[]> };

/** Records what askbox has written where, so that it can undo exactly that. Stored in its own data folder, readable by its owner only. */
export interface Ledger {
  record(path: string): FileRecord | undefined;
  set(path: string, record: FileRecord | undefined): void;
  /** Paths in which this owner has something. */
  pathsOf(owner: string): string[];
  owners(): string[];
  /** Stores a copy and returns its name. */
  keep(path: string, bytes: Buffer): string;
  backup(name: string): Buffer | undefined;
  dropBackup(name: string): void;
}

export const digest = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Throws `FORBIDDEN` if another user could have written it, since it decides what may be removed or restored. */
export function openLedger({ clients, clientBackups }: Pick<HomeFiles, "clients" | "clientBackups">): Ledger {
  refuseForeign(clients);
  const load = (): Record<string, FileRecord> => {
    const read = ledgerSchema.safeParse(readJsonFile(clients));
    return read.success ? (read.data.files as Record<string, FileRecord>) : {};
  };
  // keys: paths that we have written, which are absolute.
  let files: Record<string, FileRecord> = load();
  const backupPath = (name: string) => join(clientBackups, name);
  return {
    record: (path) => (Object.hasOwn(files, path) ? files[path] : undefined),
    set(path, record) {
      changeAloneNow(clients, () => {
        // Another command may have written to other files since.
        files = load();
        if (record === undefined) delete files[path];
        else files[path] = record;
        writePrivateFile(clients, `${JSON.stringify({ version: 1, files }, undefined, 2)}\n`);
      });
    },
    pathsOf: (owner) => Object.keys(files).filter((path) => Object.hasOwn(files[path]?.layers ?? {}, owner)),
    owners: () => [...new Set(Object.values(files).flatMap(({ layers }) => Object.keys(layers)))],
    keep(path, bytes) {
      const name = `${digest(Buffer.from(path)).slice(0, 16)}-${digest(bytes).slice(0, 16)}`;
      writePrivateFile(backupPath(name), bytes);
      return name;
    },
    backup: (name) => (existsSync(backupPath(name)) ? readFileSync(backupPath(name)) : undefined),
    dropBackup: (name) => rmSync(backupPath(name), { force: true }),
  };
}
