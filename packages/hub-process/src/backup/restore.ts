import {
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { AskboxError } from "@askbox/core";
import {
  ensurePrivateFolder,
  type HomeFolders,
  homeFiles,
  makePrivate,
  type ProcessLock,
  readHubFile,
  readJsonFile,
  refuseForeign,
  takeLock,
  writePrivateFile,
} from "@askbox/home";
import * as z from "zod";
import { attachmentsOf } from "../open-store.ts";
import {
  attachmentsIn,
  attachmentsName,
  type BackupOptions,
  databaseName,
  digestOf,
  type Manifest,
  manifestName,
  manifestSchema,
  placeOf,
  smallFiles,
  staging,
  storeOf,
} from "./contents.ts";

/** Far more than a list of 10,000 files needs, in bytes. */
const longestManifest = 4 * 1_024 * 1_024;
/** How long a hub may take to stop, in ms: its own limit of 5 s plus a margin for a busy machine. */
const stopDeadline = 8_000;
const suffixes = ["-wal", "-shm", ""];

interface RestoreRequest extends BackupOptions {
  /** A folder that `backUp` made. */
  source: string;
  /** Called before each step that changes something. */
  step?: (() => void) | undefined;
}

/** What was restored. */
export interface Restored extends Manifest {
  /** The folders in which everything is that was there before. */
  aside: string[];
}

/**
 * Brings a home back to a backup. The whole backup is checked first, and what is there is moved aside, never deleted. Throws `CONFLICT` if a hub
 * is running, `VALIDATION` if it is no backup or a damaged one, and `STORE_UNAVAILABLE`; nothing has changed in the first two cases. One that is
 * killed has either changed nothing yet, or is finished by whoever starts next.
 */
export async function restore(request: RestoreRequest): Promise<Restored> {
  const source = resolve(request.source);
  const { folders, step } = request;
  const files = homeFiles(folders);
  const manifest = await checked(source);
  // By the settings of the backup, which are about to be this home's.
  const { database = files.database } = storeOf({ ...request, folders: { ...folders, config: source } });
  ensurePrivateFolder(folders.data);
  ensurePrivateFolder(folders.config);
  const lock = await lockOf(folders);
  if (lock === undefined) throw new AskboxError("CONFLICT", "A hub of this home is running; stop it with `askbox hub stop`, then restore.");
  try {
    finishRestore(folders);
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
    const moves: Moves = { format: 1, aside: [], into: [] };
    const setAside = (path: string) => {
      if (existsSync(path)) moves.aside.push({ from: path, to: join(freshFolder(dirname(path), stamp), basename(path)) });
    };
    const place = (name: string, path: string | undefined) => {
      if (path === undefined) return;
      const staged = path + staging;
      step?.();
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      rmSync(staged, { force: true, recursive: true });
      if (name === attachmentsName) cpSync(join(source, name), staged, { recursive: true, filter: (from) => !isLink(from) });
      else copyWhole(join(source, name), staged);
      moves.into.push({ from: staged, to: path });
    };
    const names = new Set(manifest.files.map(({ name }) => name));
    for (const path of [files.hub, ...smallFiles(files).flatMap((file) => (names.has(file.name) ? [] : [file.path]))]) setAside(path);
    for (const name of names) {
      const path = name === databaseName ? database : placeOf(name, files);
      if (path !== undefined) for (const suffix of name === databaseName ? suffixes : [""]) setAside(path + suffix);
      place(name, path);
    }
    if (names.has(databaseName)) {
      const attachments = attachmentsOf(database, files);
      setAside(attachments);
      if (manifest.attachments?.count) place(attachmentsName, attachments);
    }
    carryOut(folders, moves, step);
    const aside = new Set(moves.aside.map(({ to }) => dirname(to)));
    return { ...manifest, aside: [...aside] };
  } finally {
    lock.release();
  }
}

/** It is on disk before anything is moved: power can be cut, too. */
function copyWhole(from: string, to: string): void {
  copyFileSync(from, to);
  makePrivate(to);
  const file = openSync(to, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Another than that of a restore in the same second. */
function freshFolder(place: string, stamp: string): string {
  const first = join(place, `before-restore-${stamp}`);
  let path = first;
  for (let number = 2; existsSync(path); number += 1) path = `${first}-${number}`;
  return path;
}

/** The hub's lock; undefined if a hub has it. A hub that is stopping has removed its entry, and keeps the lock for a moment. */
async function lockOf(folders: RestoreRequest["folders"]): Promise<ProcessLock | undefined> {
  const deadline = performance.now() + stopDeadline;
  for (;;) {
    const lock = await takeLock(homeFiles(folders).lock);
    if (lock !== undefined || readHubFile(folders) !== undefined || performance.now() > deadline) return lock;
    await pause(50);
  }
}

/** The list of a backup whose files are all there and unchanged. */
async function checked(source: string): Promise<Manifest> {
  const path = join(source, manifestName);
  refuseForeign(path);
  const manifest = readManifest(path);
  for (const { name, bytes, sha256 } of manifest.files) {
    const file = join(source, name);
    if (isLink(file) || isLink(dirname(file))) throw damaged(source, `${name} is a link`);
    const found = statSync(file, { throwIfNoEntry: false })?.size === bytes ? await digestOf(file) : undefined;
    if (found?.sha256 !== sha256) {
      throw damaged(source, `${name} is not the file that was backed up`);
    }
  }
  const attachments = attachmentsIn(join(source, attachmentsName));
  for (const path of new Set(["", ...attachments.flatMap((each) => [dirname(each), each])]))
    if (isLink(join(source, attachmentsName, path))) throw damaged(source, `${join(attachmentsName, path)} is a link`);
  if (attachments.length !== (manifest.attachments?.count ?? 0)) throw damaged(source, "files of answers are missing");
  for (const path of attachments) {
    if ((await digestOf(join(source, attachmentsName, path))).sha256 !== basename(path))
      throw damaged(source, `the file ${path} has changed`);
  }
  if (manifest.files.some(({ name }) => name === databaseName)) {
    const { checkIntegrity } = await import("@askbox/store-sqlite");
    const { ok, problems } = await checkIntegrity(join(source, databaseName));
    if (!ok) throw damaged(source, problems[0] ?? "its database cannot be read");
  }
  return manifest;
}

/** What a link leads to was never part of the backup. */
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

const damaged = (source: string, what: string) => new AskboxError("VALIDATION", `The backup ${source} is damaged: ${what}.`);

function readManifest(path: string): Manifest {
  const refusal = (what: string) => new AskboxError("VALIDATION", `${dirname(path)} is not a backup of askbox: ${what}.`);
  const state = statSync(path, { throwIfNoEntry: false });
  if (state === undefined) throw refusal(`it has no ${manifestName}`);
  if (state.size > longestManifest) throw refusal(`its ${manifestName} is too long`);
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    throw new AskboxError("VALIDATION", `${path} cannot be read; a newer askbox may have written it.`, { cause });
  }
}

/**
 * What a restore has left to do once everything is copied: renames, which are written down first. A restore that is killed in between is
 * finished by the next hub or restore of the home, and nobody ever sees a mixture.
 */
const movesSchema = z.object({
  format: z.literal(1),
  /** What is there now, and where it goes. */
  aside: z.array(z.object({ from: z.string(), to: z.string() })),
  /** What comes in its place. */
  into: z.array(z.object({ from: z.string(), to: z.string() })),
});
type Moves = z.infer<typeof movesSchema>;

const planOf = (folders: HomeFolders): string => join(folders.data, "restore.json");

/** Moves everything; `step` is called before each step. */
function carryOut(folders: HomeFolders, moves: Moves, step: () => void = () => {}): void {
  step();
  writePrivateFile(planOf(folders), JSON.stringify(moves));
  move(folders, moves, step);
}

/** Whether a restore was interrupted that nobody has finished yet. */
export const isInterrupted = (folders: HomeFolders): boolean => existsSync(planOf(folders));

/** Finishes a restore that was interrupted; returns whether there was one. Throws `STORE_DAMAGED` if that isn't possible. */
export function finishRestore(folders: HomeFolders): boolean {
  if (!isInterrupted(folders)) return false;
  const plan = planOf(folders);
  refuseForeign(plan);
  const moves = movesSchema.safeParse(readJsonFile(plan));
  if (!moves.success) throw interrupted(plan, "its list cannot be read");
  move(folders, moves.data, () => {});
  return true;
}

function move(folders: HomeFolders, { aside, into }: Moves, step: () => void): void {
  for (const { from, to } of aside) {
    step();
    // If it is there, this was done before, and what is in its old place has been restored.
    if (existsSync(to) || !existsSync(from)) continue;
    rename(folders, from, to);
  }
  for (const { from, to } of into) {
    step();
    if (existsSync(from)) rename(folders, from, to);
    else if (!existsSync(to)) throw interrupted(planOf(folders), `${from} is missing`);
  }
  step();
  rmSync(planOf(folders));
}

function rename(folders: HomeFolders, from: string, to: string): void {
  try {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    renameSync(from, to);
  } catch (cause) {
    throw interrupted(planOf(folders), `${from} cannot become ${to} (${String((cause as { code?: string }).code)})`, cause);
  }
}

const interrupted = (plan: string, why: string, cause?: unknown) =>
  new AskboxError(
    "STORE_DAMAGED",
    `A restore of this home was interrupted and cannot be finished: ${why}. Change that and start again; or remove ${plan}, then put back what was there before, which is in the folders before-restore-…, or restore a backup again.`,
    { cause },
  );
