import { AskboxError } from "@askbox/core";

/** The relevant primary result codes of SQLite (sqlite.org/rescode.html). */
const codes = {
  error: 1,
  perm: 3,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  toobig: 18,
  constraint: 19,
  mismatch: 20,
  notadb: 26,
};

/** `SQLITE_IOERR_SHORT_READ` and `SQLITE_IOERR_CORRUPTFS`: disk errors that mean a damaged file. */
const damagedReads = [522, 8458];

function resultCode(thrown: unknown): number | undefined {
  const code = thrown instanceof Error && "errcode" in thrown ? thrown.errcode : undefined;
  return typeof code === "number" ? code : undefined;
}

const primary = (thrown: unknown): number | undefined => {
  const code = resultCode(thrown);
  return code === undefined ? undefined : code & 0xff;
};

const isOneOf = (code: number | undefined, ...wanted: number[]): boolean => code !== undefined && wanted.includes(code);

/** Whether the error was caused by what one operation tried to write, so that the others of its transaction can continue without it. */
export function isFaultOfOne(thrown: unknown): boolean {
  const code = primary(thrown);
  return code === undefined || isOneOf(code, codes.toobig, codes.constraint, codes.mismatch);
}

/** Whether the error means that the file is damaged, or not a database. */
export function reportsDamage(thrown: unknown): boolean {
  return isOneOf(primary(thrown), codes.corrupt, codes.notadb) || isOneOf(resultCode(thrown), ...damagedReads);
}

export const isReadOnly = (thrown: unknown): boolean => isOneOf(primary(thrown), codes.readonly);
export const isUnspecific = (thrown: unknown): boolean => isOneOf(primary(thrown), codes.error);
export const isBusy = (thrown: unknown): boolean => isOneOf(primary(thrown), codes.busy, codes.locked);

/** A full disk and another process's lock are temporary; after any other error a new connection is safer. */
export const leavesConnectionSound = (thrown: unknown): boolean =>
  thrown instanceof AskboxError || isOneOf(primary(thrown), codes.full, codes.busy, codes.locked);

/** An AskboxError that says what is wrong with the store and what to do. */
export function storeError(thrown: unknown, path: string): AskboxError {
  if (thrown instanceof AskboxError) return thrown;
  const options = { details: { path }, cause: thrown };
  if (reportsDamage(thrown)) {
    return new AskboxError(
      "STORE_DAMAGED",
      `The store ${path} is damaged; restart askbox, which renames it and recovers what can be read.`,
      options,
    );
  }
  return new AskboxError("STORE_UNAVAILABLE", sentenceFor(thrown, path), options);
}

function sentenceFor(thrown: unknown, path: string): string {
  const systemCode = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const code = primary(thrown);
  if (code === codes.full || systemCode === "ENOSPC" || systemCode === "EDQUOT") {
    return `The disk that holds the store ${path} is full; free some space and try again.`;
  }
  if (
    isOneOf(code, codes.readonly, codes.cantopen, codes.perm) ||
    ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EISDIR", "EEXIST"].includes(systemCode)
  ) {
    return `The store ${path} cannot be written; give this user write access to it and its folder, or choose another place for it.`;
  }
  if (isBusy(thrown)) return `Another process has locked the store ${path}; stop it, or try again when it has finished.`;
  if (code === codes.ioerr) return `The disk that holds the store ${path} reports an error; check the disk and try again.`;
  return `The store ${path} cannot be used: ${thrown instanceof Error ? thrown.message : String(thrown)}.`;
}

/** The error for a record that cannot be stored. */
export function recordError(thrown: unknown): AskboxError {
  if (thrown instanceof AskboxError) return thrown;
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new AskboxError("VALIDATION", `The record cannot be stored as it is: ${reason}.`, { cause: thrown });
}

/** Runs `work`, and throws what it throws as an error of the store. */
export function orStoreError<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw storeError(thrown, path);
  }
}
