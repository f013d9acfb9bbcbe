import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { AskboxError } from "@askbox/core";
import { ensurePrivateFolder, homeFiles, makePrivate, writePrivateFile } from "@askbox/home";
import { attachmentsOf } from "../open-store.ts";
import {
  attachmentsIn,
  attachmentsName,
  type BackupOptions,
  databaseName,
  digestOf,
  type Manifest,
  manifestName,
  smallFiles,
  storeOf,
} from "./contents.ts";
import { isInterrupted } from "./restore.ts";

interface BackupRequest extends BackupOptions {
  /** The folder to create. Its parent must exist. */
  target: string;
  /** This program's version. */
  version: string;
}

/**
 * Copies everything that a home needs into a new folder that only its owner can read: the database as it is at one moment, tokens, settings.
 * A hub may be running. The folder appears under its name once it is complete. Throws `CONFLICT` if it already exists, and
 * `STORE_UNAVAILABLE`, `STORE_DAMAGED`.
 */
export async function backUp(request: BackupRequest): Promise<Manifest> {
  const { folders, version } = request;
  const target = resolve(request.target);
  if (existsSync(target)) throw new AskboxError("CONFLICT", `${target} already exists; choose another name for the backup.`);
  if (!existsSync(dirname(target))) {
    throw new AskboxError("VALIDATION", `The folder ${dirname(target)} for the backup does not exist; create it first.`);
  }
  if (isInterrupted(folders)) {
    throw new AskboxError("CONFLICT", "A restore of this home was interrupted; start a hub, which finishes it, and then back up.");
  }
  const { kind: store, database } = storeOf(request);
  const hasDatabase = database !== undefined && existsSync(database);
  const files = homeFiles(folders);
  // A running hub's entry becomes that of the last hub.
  const small = smallFiles(files).map(({ name, path }) => ({
    name,
    path: path === files.lastHub && existsSync(files.hub) ? files.hub : path,
  }));
  const unfinished = `${target}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  try {
    ensurePrivateFolder(unfinished);
    const names: string[] = [];
    for (const { name, path } of small) {
      if (!existsSync(path)) continue;
      mkdirSync(dirname(join(unfinished, name)), { recursive: true, mode: 0o700 });
      writePrivateFile(join(unfinished, name), await readFile(path));
      names.push(name);
    }
    if (hasDatabase) {
      const { copySqliteStore } = await import("@askbox/store-sqlite");
      await copySqliteStore(database, join(unfinished, databaseName));
      names.push(databaseName);
    }
    const attachments = database === undefined ? undefined : await copyAttachments(attachmentsOf(database, files), unfinished);
    const listed = await Promise.all(names.map(async (name) => ({ name, ...(await digestOf(join(unfinished, name))) })));
    const manifest: Manifest = { format: 1, version, createdAt: Date.now(), store, attachments, files: listed };
    writePrivateFile(join(unfinished, manifestName), `${JSON.stringify(manifest, undefined, 2)}\n`);
    renameSync(unfinished, target);
    return manifest;
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** After the database, so that every file that it names is there, unless its session was removed in between. */
async function copyAttachments(folder: string, target: string): Promise<{ count: number; bytes: number }> {
  let [count, bytes] = [0, 0];
  for (const path of attachmentsIn(folder)) {
    const copy = join(target, attachmentsName, path);
    mkdirSync(dirname(copy), { recursive: true, mode: 0o700 });
    try {
      await copyFile(join(folder, path), copy);
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") continue;
      throw error;
    }
    makePrivate(copy);
    count += 1;
    bytes += statSync(copy).size;
  }
  return { count, bytes };
}
