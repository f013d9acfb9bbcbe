import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { userInfo } from "node:os";
import { basename, dirname, join, win32 } from "node:path";
import { AskboxError } from "@askbox/core";

/**
 * Files that only this user can read, written so that a crash leaves the old or the new one, never half of either. Other users may share
 * the machine: a folder or file that somebody else owns or can write to is refused.
 */

const windows = process.platform === "win32";

/** Creates a folder that only its owner can access. Throws `STORE_UNAVAILABLE` with one sentence if that fails. */
export function ensurePrivateFolder(folder: string, restricted: Restrict | undefined = restrict): void {
  try {
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) === undefined) return;
    try {
      restricted?.(folder, "folder");
    } catch (cause) {
      // Otherwise it would count as restricted the next time.
      rmdirSync(folder);
      throw cause;
    }
  } catch (cause) {
    throw notWritable(folder, cause);
  }
}

/**
 * Writes a file that only its owner can read, atomically: a temporary file in the same folder, then a rename. Throws `STORE_UNAVAILABLE`
 * with one sentence if that fails.
 */
export function writePrivateFile(path: string, contents: string | Uint8Array, restricted: Restrict | undefined = restrict): void {
  const folder = dirname(path);
  ensurePrivateFolder(folder, restricted);
  const temporary = join(folder, `.${basename(path)}.${process.pid}.${randomBytes(4).toString("hex")}`);
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(file, contents);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // Before the rename makes it visible.
    restricted?.(temporary, "file");
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw notWritable(folder, cause);
  }
}

/** Reads a small JSON object; undefined if it is missing or invalid. */
export function readJsonFile(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the file belongs to this user and nobody else could have read it. On Windows the access list is trusted. */
export function isPrivate(path: string): boolean {
  if (windows) return true;
  try {
    const { uid, mode } = statSync(path);
    return uid === process.getuid?.() && (mode & 0o077) === 0;
  } catch {
    return false;
  }
}

/**
 * Rejects a file that another user could have written: it, or its folder, belongs to somebody else or is writable by others. Throws
 * `FORBIDDEN` with one sentence. A missing file or folder is fine. On Windows the access list is trusted.
 */
export function refuseForeign(path: string): void {
  if (windows) return;
  for (const place of [dirname(path), path]) {
    const state = statSync(place, { throwIfNoEntry: false });
    const problem = state && problemOf(state, process.getuid?.());
    if (problem !== undefined) throw new AskboxError("FORBIDDEN", `askbox does not trust ${place}: ${problem}.`);
  }
}

/**
 * Rejects a database that another user could have written, or that is reached by a link: neither it nor the files that SQLite keeps beside
 * it. Throws `FORBIDDEN` with one sentence. Missing files are fine.
 */
export function refuseForeignDatabase(path: string): void {
  for (const file of ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix)) {
    const state = lstatSync(file, { throwIfNoEntry: false });
    const problem = state && (state.isSymbolicLink() ? "it is a link; put the file itself there" : ownProblemOf(state));
    if (problem !== undefined) throw new AskboxError("FORBIDDEN", `askbox does not trust ${file}: ${problem}.`);
  }
}

const ownProblemOf = (state: { uid: number; mode: number }) => (windows ? undefined : problemOf(state, process.getuid?.()));

/**
 * The same for a file that people or their system write: it and its folder may belong to root, and to a group with write access. Throws
 * `FORBIDDEN` with one sentence.
 */
export function refuseStrange(path: string): void {
  if (windows) return;
  for (const place of [dirname(path), path]) {
    const state = stateOf(place);
    const problem = state && strangenessOf(state, process.getuid?.());
    if (problem !== undefined) throw new AskboxError("FORBIDDEN", `askbox does not trust ${place}: ${problem}.`);
  }
}

/** Returns undefined if the file is missing or cannot be inspected; opening it reports the cause. */
function stateOf(path: string): { uid: number; mode: number } | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export function strangenessOf({ uid, mode }: { uid: number; mode: number }, ownUid: number | undefined): string | undefined {
  if (uid !== ownUid && uid !== 0) return "it belongs to another user; set ASKBOX_HOME to a folder of your own";
  if ((mode & 0o002) !== 0) return `everybody can write to it (mode ${(mode & 0o7777).toString(8)}); run chmod o-w on it`;
  return undefined;
}

/** Why another user can write there; undefined if nobody can. */
export function problemOf({ uid, mode }: { uid: number; mode: number }, ownUid: number | undefined): string | undefined {
  if (uid !== ownUid) return "it belongs to another user; set ASKBOX_HOME to a folder of your own";
  if ((mode & 0o022) !== 0) return `others can write to it (mode ${(mode & 0o7777).toString(8)}); run chmod go-w on it`;
  return undefined;
}

/** Removes all rights of other users from an existing file. The target of a link is not changed. */
export function makePrivate(path: string): void {
  try {
    if (lstatSync(path).isSymbolicLink()) return;
    if (restrict === undefined) chmodSync(path, 0o600);
    else restrict(path, "file");
  } catch {
    // Opening the file next reports the cause more precisely.
  }
}

/** The error for an askbox folder that is not writable. */
export function notWritable(folder: string, cause: unknown): AskboxError {
  const why = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new AskboxError(
    "STORE_UNAVAILABLE",
    `askbox cannot write to its folder ${folder}${why}; make it writable, or set ASKBOX_HOME to a folder that is.`,
    { cause },
  );
}

interface WindowsHost {
  env: Readonly<Record<string, string | undefined>>;
  username: string;
  /** Runs a program and waits for it; throws if it fails. */
  run(program: string, args: readonly string[]): void;
}

/** On Windows, restricts a file or a folder with its contents to this user. Throws if that fails. */
type Restrict = (path: string, kind: "file" | "folder") => void;

export function restrictOn({ env, username, run }: WindowsHost): Restrict {
  // By its full path: Windows looks in the current folder first, which may be anybody's project.
  const icacls = win32.join(env["SystemRoot"] ?? "C:\\Windows", "System32", "icacls.exe");
  const user = [env["USERDOMAIN"], username].filter((part) => part !== undefined && part !== "").join("\\");
  return (path, kind) => run(icacls, [path, "/inheritance:r", "/grant:r", `${user}:${kind === "folder" ? "(OI)(CI)F" : "F"}`]);
}

/** Undefined on platforms with file modes. */
export const restrict: Restrict | undefined =
  process.platform === "win32"
    ? restrictOn({
        env: process.env,
        username: userInfo().username,
        run: (program, args) => void execFileSync(program, args, { windowsHide: true, stdio: "ignore", timeout: 10_000 }),
      })
    : undefined;
