import { createHash } from "node:crypto";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { isBlobKey, isFileId } from "@askbox/core/stores";
import { type HomeFiles, type HomeFolders, homeFiles, loadConfig } from "@askbox/home";
import * as z from "zod";
import { isSharedStore } from "../open-store.ts";

/** The name of the list of a backup's files, which is written last. */
export const manifestName = "backup.json";
export const databaseName = "askbox.db";
/** The folder of the sessions' files. */
export const attachmentsName = "files";
/** What the copy of a file of a backup ends with, in its place beside what is there. */
export const staging = ".restoring";
/** The folder of copied client settings, in the home as in a backup. */
const clientBackups = "client-backups";

/** A backup's list of its files, with which `restore` checks that it is whole. */
export const manifestSchema = z.object({
  format: z.literal(1),
  version: z.string().max(100),
  /** Wall time, ms since the epoch. */
  createdAt: z.number(),
  store: z.enum(["sqlite", "redis", "memory"]),
  /** The files of the sessions, in the folder `files`, each named by its own digest. */
  attachments: z.object({ count: z.int().min(0), bytes: z.int().min(0) }).optional(),
  files: z
    .array(
      z.object({
        // Never a path out of the folder.
        name: z.string().regex(/^(client-backups\/)?[\w-][\w.@+ -]{0,200}$/),
        bytes: z.number().int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(10_000),
});
export type Manifest = z.infer<typeof manifestSchema>;

export interface BackupOptions {
  folders: HomeFolders;
  env: Readonly<Record<string, string | undefined>>;
  /** As in `askbox hub --store`; default the configured one. */
  store?: string | undefined;
}

/** A home's database, or the kind of store that is not a file. */
export function storeOf({ folders, env, store }: BackupOptions): { kind: Manifest["store"]; database?: string } {
  const name = loadConfig({ folders, env, flags: { ...(store !== undefined && { store }) } }).config.store;
  if (name === "memory") return { kind: "memory" };
  if (isSharedStore(name)) return { kind: "redis" };
  const path = /^sqlite:(.+)$/.exec(name)?.[1];
  return { kind: "sqlite", database: path === undefined ? homeFiles(folders).database : resolve(path) };
}

/** The small files of a home by their name in a backup, whether they exist or not. What is only of use for minutes is left out. */
export function smallFiles(files: HomeFiles): { name: string; path: string }[] {
  const { lastHub, desk, devices, agents, grants, tokens, told, pushKey, buttonPresses, chat, clients, probes, webhooks, config } = files;
  const kept = existsSync(files.clientBackups) ? readdirSync(files.clientBackups).filter((name) => !name.endsWith(staging)) : [];
  return [
    ...[lastHub, desk, devices, agents, grants, tokens, told, pushKey, buttonPresses, chat, clients, probes, webhooks, config].map(
      (path) => ({
        name: basename(path),
        path,
      }),
    ),
    ...kept.map((name) => ({ name: `${clientBackups}/${name}`, path: join(files.clientBackups, name) })),
  ].filter(({ path }) => !existsSync(path) || statSync(path).isFile());
}

/** Where a small file of a backup belongs; undefined if this version knows no such file. */
export function placeOf(name: string, files: HomeFiles): string | undefined {
  if (name.startsWith(`${clientBackups}/`)) return join(files.clientBackups, basename(name));
  return smallFiles(files).find((file) => file.name === name)?.path;
}

/** Every whole file of the sessions in a folder, by its path there; empty if there is no folder. */
export function attachmentsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((sessionId) => isBlobKey({ sessionId, id: "0".repeat(64) }) && statSync(join(folder, sessionId)).isDirectory())
    .flatMap((sessionId) =>
      readdirSync(join(folder, sessionId))
        .filter(isFileId)
        .map((id) => join(sessionId, id)),
    );
}

export async function digestOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { bytes: statSync(path).size, sha256: hash.digest("hex") };
}
