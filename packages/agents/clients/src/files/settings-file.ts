import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { AskboxError } from "@askbox/core";

/** A client's file as it is on disk. */
export interface SettingsFile {
  /** The path as given. */
  path: string;
  /** The actual file, with all symbolic links resolved; this one is written. */
  target: string;
  /** Absent if the file doesn't exist. */
  bytes?: Buffer;
  /** Its text, without a byte order mark. */
  text: string;
  hasMark: boolean;
}

const mark = "\uFEFF";
/** The maximum size of a settings file, in bytes. */
const largest = 32 * 1_024 * 1_024;
/** The maximum number of chained links. */
const maxLinks = 40;

/** Reads a file, or reports that it doesn't exist. Throws `VALIDATION` with a sentence if it is not text or cannot be read. */
export function readSettingsFile(path: string): SettingsFile {
  const target = behindLinks(path);
  let bytes: Buffer;
  try {
    const state = statSync(target);
    // A device or a pipe, to which a project's own link may point, has no end.
    if (!state.isFile()) throw refusal(`${path} cannot be read, since it is not a file; move it away, then run this again.`);
    if (state.size > largest) throw refusal(`${path} is too large for a settings file.`);
    bytes = readFileSync(target);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return { path, target, text: "", hasMark: false };
    if (cause instanceof AskboxError) throw cause;
    throw refusal(`${path} cannot be read (${code ?? String(cause)}); make it readable, then run this again.`, cause);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw refusal(`${path} is not UTF-8 text; save it as UTF-8, then run this again.`, cause);
  }
  const hasMark = text.startsWith(mark);
  return { path, target, bytes, text: hasMark ? text.slice(mark.length) : text, hasMark };
}

export const bytesOf = (file: SettingsFile, text: string): Buffer => Buffer.from((file.hasMark ? mark : "") + text, "utf8");

/** Whether other users may read it. On Windows the access list of the person's folder decides. */
export function isOpenToOthers({ target }: SettingsFile): boolean {
  return process.platform !== "win32" && ((statSync(target, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0;
}

/**
 * Replaces the file atomically; links stay links and the mode is kept, unless the text contains a token. Returns the folders that were
 * created, outermost first. Throws `CONFLICT` if the file has changed since it was read, `VALIDATION` if it cannot be written.
 */
export function writeSettingsFile(
  file: SettingsFile,
  bytes: Buffer,
  { isPrivate = false, holdsToken = false }: { isPrivate?: boolean; holdsToken?: boolean } = {},
): string[] {
  const folder = dirname(file.target);
  const temporary = join(folder, `.${basename(file.target)}.${process.pid}.${randomBytes(4).toString("hex")}`);
  try {
    const made = makeFolders(folder);
    const mode = file.bytes === undefined ? undefined : statSync(file.target).mode & 0o7777;
    const descriptor = openSync(temporary, "wx", isPrivate ? 0o600 : 0o666);
    try {
      if (mode !== undefined) fchmodSync(descriptor, holdsToken ? mode & 0o700 : mode);
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    refuseWhenChanged(file);
    renameSync(temporary, file.target);
    return made;
  } catch (cause) {
    rmSync(temporary, { force: true });
    if (cause instanceof AskboxError) throw cause;
    throw notWritten(file, cause);
  }
}

/** Removes a file that askbox created, and the folders it created for it if they are empty. */
export function removeSettingsFile(file: SettingsFile, madeFolders: readonly string[]): void {
  try {
    refuseWhenChanged(file);
    rmSync(file.target, { force: true });
  } catch (cause) {
    if (cause instanceof AskboxError) throw cause;
    throw notWritten(file, cause);
  }
  for (const folder of madeFolders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // The folder is in use.
      return;
    }
  }
}

function refuseWhenChanged(file: SettingsFile): void {
  const now = readSettingsFile(file.path);
  const isSame = now.target === file.target && (now.bytes === undefined ? file.bytes === undefined : file.bytes?.equals(now.bytes));
  if (!isSame) throw new AskboxError("CONFLICT", `${file.path} was changed by another program just now; run this again.`);
}

/**
 * Rejects an existing file that its owner has made read-only, or that belongs to somebody else: replacing it would succeed, and undo what
 * they meant. Throws `VALIDATION`.
 */
export function refuseProtected({ path, target, bytes }: SettingsFile): void {
  if (bytes === undefined || process.platform === "win32") return;
  const { mode, uid } = statSync(target);
  if ((mode & 0o200) === 0) throw refusal(`${path} is read-only; make it writable, then run this again.`);
  if (uid !== process.getuid?.()) throw refusal(`${path} belongs to another user; run this as its owner, or take it over first.`);
}

function makeFolders(folder: string): string[] {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return [];
  const made: string[] = [];
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    made.unshift(path);
    if (resolve(path) === resolve(first)) break;
  }
  return made;
}

/**
 * Rejects a file that is outside these folders once links are resolved: a project may contain links, and a write must not follow them out
 * of it. Throws `VALIDATION` with the real path.
 */
export function refuseOutside({ path, target }: SettingsFile, folders: readonly string[]): void {
  const isInside = folders.some((folder) => {
    const [first] = relative(realPath(folder), target).split(sep);
    return first !== ".." && first !== "" && !isAbsolute(first ?? "");
  });
  if (!isInside) throw refusal(`${path} is a link to ${target}, outside ${folders.join(" and ")}; replace the link, then run this again.`);
}

/** The path with all links resolved, including for a file that doesn't exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : join(realPath(folder), basename(path));
  }
}

/** Follows links one by one, so that a dangling link is written at its target. */
function behindLinks(path: string): string {
  let target = resolve(path);
  for (let links = 0; links < maxLinks; links += 1) {
    try {
      if (!lstatSync(target).isSymbolicLink()) return realPath(target);
      target = resolve(dirname(target), readlinkSync(target));
    } catch {
      return realPath(target);
    }
  }
  throw refusal(`${path} is a symbolic link that leads to itself; fix it, then run this again.`);
}

const refusal = (sentence: string, cause?: unknown) => new AskboxError("VALIDATION", sentence, { cause });

function notWritten({ path }: SettingsFile, cause: unknown): AskboxError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  return refusal(`${path} cannot be written (${code}); make it and its folder writable, then run this again.`, cause);
}
