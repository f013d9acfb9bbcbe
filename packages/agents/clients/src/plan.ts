import { AskboxError } from "@askbox/core";
import { digest, type FileRecord, type Ledger } from "./files/ledger.ts";
import {
  bytesOf,
  isOpenToOthers,
  readSettingsFile,
  refuseOutside,
  refuseProtected,
  removeSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from "./files/settings-file.ts";
import { type Applied, type Change, type Format, isSamePlace, Malformed, Obstacle, text } from "./formats/format.ts";
import { jsonc } from "./formats/jsonc.ts";
import { toml } from "./formats/toml.ts";
import { yaml } from "./formats/yaml.ts";

export const formats = { jsonc, toml, yaml, text } as const satisfies Record<string, Format>;
type FormatName = keyof typeof formats;

/** The format of a file of settings, by its name. */
export const formatOf = (path: string): Exclude<FormatName, "text"> =>
  path.endsWith(".toml") ? "toml" : path.endsWith(".yaml") ? "yaml" : "jsonc";

/** What askbox wants to add to a file. */
export interface FileChange {
  path: string;
  format: FormatName;
  changes: readonly Change[];
  /** If the file is new, only its owner may read it. */
  isPrivate?: boolean;
  /** It contains a token: only its owner may read it, even if others could before. */
  holdsToken?: boolean;
}

/** The planned change of one file. Nothing is written before it is applied. */
export interface Step {
  path: string;
  /** The file behind the path's links. */
  target: string;
  before: string;
  after: string;
  /** `none`: it is already up to date. */
  action: "create" | "change" | "remove" | "none";
  carryOut(): void;
}

/**
 * Plans the changes to the files of one owner. `folders`: the allowed locations once links are resolved. Throws `VALIDATION` for a file
 * that cannot be changed; nothing is written.
 */
export function planFiles(ledger: Ledger, owner: string, wanted: readonly FileChange[], folders: readonly string[]): Step[] {
  // Last file first: the folders recorded with a file are empty once later files are removed.
  const left = ledger
    .pathsOf(owner)
    .filter((path) => wanted.every((change) => change.path !== path))
    .toReversed();
  return [...left.map((path) => planRemoval(ledger, owner, path)), ...wanted.map((change) => planChange(ledger, owner, change, folders))];
}

function planChange(ledger: Ledger, owner: string, wanted: FileChange, folders: readonly string[]): Step {
  const { path, isPrivate, holdsToken = false } = wanted;
  const format = formats[wanted.format];
  const file = readSettingsFile(path);
  refuseOutside(file, folders);
  // A file that somebody has removed is created again.
  const record = file.bytes === undefined ? undefined : ledger.record(path);
  const known = record?.layers[owner] ?? [];
  const others = Object.values(record?.layers ?? {}).flat();
  return explained(file, format, () => {
    let { text } = file;
    const layer: Applied[] = [];
    const dropped = known.filter((former) => !wanted.changes.some((change) => isSamePlace(change, former.change)));
    // The last first: what was created for the first one is empty by then.
    for (const former of dropped.toReversed()) text = format.undo(text, former);
    for (const change of wanted.changes) {
      const former = known.find((applied) => isSamePlace(applied.change, change));
      const made = format.apply(text, change);
      text = made.text;
      // The value from before the first install counts, however often it is repeated.
      if (former !== undefined) layer.push({ ...former, change });
      else if (made.applied !== undefined) layer.push(made.applied);
      else {
        const shared = others.find((applied) => isSamePlace(applied.change, change));
        if (shared !== undefined) layer.push({ ...shared, change });
      }
    }
    // What was created for them may still hold the others.
    const made = dropped.flatMap((former) => former.made ?? []);
    const [first] = layer;
    if (first !== undefined && made.length > 0) layer[0] = { ...first, made: [...made, ...(first.made ?? [])] };
    const isNew = file.bytes === undefined;
    const isSame = text === file.text && !isNew && !(holdsToken && isOpenToOthers(file));
    if (!isSame) refuseProtected(file);
    return {
      path,
      target: file.target,
      before: file.text,
      after: text,
      action: isSame ? "none" : isNew ? "create" : "change",
      carryOut() {
        const bytes = isSame && file.bytes !== undefined ? file.bytes : bytesOf(file, text);
        const layers = { ...record?.layers, [owner]: layer };
        if (layer.length === 0) delete layers[owner];
        if (Object.keys(layers).length === 0 && isSame) return;
        const next = { ...origin(ledger, file, record), format: wanted.format, after: digest(bytes), target: file.target };
        if (isSame) return ledger.set(path, { ...next, layers });
        // Recorded first: a record without its change does no harm, but a change without a record could not be undone.
        ledger.set(path, { ...next, layers });
        const madeFolders = writeSettingsFile(file, bytes, { isPrivate: isPrivate === true || holdsToken, holdsToken });
        if (madeFolders.length > 0) ledger.set(path, { ...next, madeFolders: [...madeFolders, ...next.madeFolders], layers });
      },
    };
  });
}

/** The file as it was without askbox, as far as known. */
function origin(
  ledger: Ledger,
  file: SettingsFile,
  record: FileRecord | undefined,
): Omit<FileRecord, "format" | "after" | "target" | "layers"> {
  if (record !== undefined) {
    const isAsLeft = file.bytes !== undefined && digest(file.bytes) === record.after;
    const { backup, created, madeFolders } = record;
    return { created, madeFolders, exact: record.exact && isAsLeft, backup };
  }
  if (file.bytes === undefined) return { created: true, exact: true, madeFolders: [] };
  return { created: false, exact: true, madeFolders: [], backup: ledger.keep(file.path, file.bytes) };
}

function planRemoval(ledger: Ledger, owner: string, path: string): Step {
  const file = readSettingsFile(path);
  const record = ledger.record(path);
  if (record === undefined || file.bytes === undefined) {
    const { target, text: before } = file;
    return { path, target, before, after: before, action: "none", carryOut: () => forget(ledger, path, owner, record) };
  }
  if (record.target !== undefined && record.target !== file.target) {
    throw refusal(`${path} is a link to ${file.target} now, and askbox wrote ${record.target}; put the link back, then run this again.`);
  }
  const format = formats[record.format];
  return explained(file, format, () => {
    const others = Object.keys(record.layers).filter((name) => name !== owner);
    const isAsLeft = file.bytes !== undefined && digest(file.bytes) === record.after;
    const backup = record.backup === undefined ? undefined : ledger.backup(record.backup);
    const isExact = record.exact && isAsLeft && others.length === 0;
    let after = file.text;
    let isGone = false;
    let bytes: Buffer | undefined;
    if (isExact && record.created) isGone = true;
    else if (isExact && backup !== undefined) {
      bytes = backup;
      after = textOf(backup);
    } else {
      for (const applied of (record.layers[owner] ?? []).toReversed()) {
        if (!isSharedWith(record, others, applied)) after = format.undo(after, applied);
      }
      isGone = record.created && others.length === 0 && format.isEmpty(after);
      const original = backup && textOf(backup);
      if (others.length === 0 && original !== undefined) after = endedAs(original, after, file.text);
      bytes = bytesOf(file, after);
    }
    if (isGone) after = "";
    const isSame = !isGone && bytes !== undefined && file.bytes?.equals(bytes) === true;
    if (!isSame) refuseProtected(file);
    return {
      path,
      target: file.target,
      before: file.text,
      after,
      action: isGone ? "remove" : isSame ? "none" : "change",
      carryOut() {
        if (isGone) removeSettingsFile(file, record.madeFolders);
        else if (!isSame && bytes !== undefined) writeSettingsFile(file, bytes);
        forget(ledger, path, owner, record, isAsLeft && bytes !== undefined ? digest(bytes) : undefined);
      },
    };
  });
}

/** The text without what was added, with the end of the original: what was added at a file's end may have ended its last line. */
function endedAs(original: string, text: string, before: string): string {
  if (original.trimEnd() === text.trimEnd()) return original;
  const wasLast = text !== before && before.startsWith(text.trimEnd());
  return wasLast && !original.endsWith("\n") ? text.replace(/\r?\n$/, "") : text;
}

const textOf = (bytes: Buffer): string => bytes.toString("utf8").replace(/^\uFEFF/, "");

/** Two clients may share a file, such as AGENTS.md; what both need stays until the last one is removed. */
function isSharedWith(record: FileRecord, others: readonly string[], { change }: Applied): boolean {
  return others.some((other) => record.layers[other]?.some((applied) => isSamePlace(applied.change, change)));
}

function forget(ledger: Ledger, path: string, owner: string, record: FileRecord | undefined, after?: string): void {
  if (record === undefined) return;
  const { [owner]: _gone, ...layers } = record.layers;
  if (Object.keys(layers).length > 0) return ledger.set(path, { ...record, layers, after: after ?? record.after });
  ledger.set(path, undefined);
  if (record.backup !== undefined) ledger.dropBackup(record.backup);
}

function explained(file: SettingsFile, { name }: Format, plan: () => Step): Step {
  try {
    return plan();
  } catch (error) {
    if (error instanceof Malformed) {
      const { line, column, message } = error;
      throw refusal(
        `${file.path} is not valid ${name}: line ${line}, column ${column}: ${message}. Fix it, then run this again; nothing was changed.`,
        error,
      );
    }
    if (error instanceof Obstacle) {
      throw refusal(`${file.path} cannot be changed: ${error.message}. Fix it, then run this again; nothing was changed.`, error);
    }
    throw error;
  }
}

const refusal = (sentence: string, cause?: unknown) => new AskboxError("VALIDATION", sentence, { cause });
