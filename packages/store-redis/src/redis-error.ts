import { AskboxError } from "@askbox/core";

/** Either there was no connection and nothing was sent, or it broke and the result is unknown. */
export class ConnectionLost extends Error {
  override readonly name = "ConnectionLost";
  /** Whether the command had been handed to the connection. */
  readonly wasSent: boolean;

  constructor(message: string, wasSent: boolean, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.wasSent = wasSent;
  }
}

/** The server has the change, but its disk or the configured number of replicas have not confirmed it. */
export class Unconfirmed extends Error {
  override readonly name = "Unconfirmed";
}

/** The first word of a Redis error, such as `READONLY`. */
export function replyCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && !(thrown instanceof ConnectionLost || thrown instanceof Unconfirmed)
    ? /^-?([A-Z]{3,})\b/.exec(thrown.message)?.[1]
    : undefined;
}

/** The server cannot be written to now; another may have taken over. */
export const isElsewhere = (thrown: unknown): boolean =>
  ["READONLY", "MOVED", "ASK", "CLUSTERDOWN", "MASTERDOWN", "LOADING", "UNBLOCKED"].includes(replyCode(thrown) ?? "");

/** What to do about a Redis error, by its code. */
// keys: Redis' codes, in capitals.
const sentences: Readonly<Record<string, (label: string) => string>> = {
  OOM: (label) => `The Redis at ${label} is out of memory; raise its maxmemory, or shorten askbox's retention, and try again.`,
  MISCONF: (label) => `The Redis at ${label} cannot write to its disk and refuses changes; see its log, then try again.`,
  READONLY: (label) => `The Redis at ${label} is a replica and cannot be written; give the master's address, or its sentinels'.`,
  LOADING: (label) => `The Redis at ${label} is still loading its data; try again in a moment.`,
  NOAUTH: (label) => `The Redis at ${label} asks for a password; put it in the store's URL, or in a file that its passwordfile names.`,
  WRONGPASS: (label) => `The Redis at ${label} does not accept the user and password; correct them in the store's URL.`,
  NOPERM: (label) =>
    `The Redis at ${label} does not let this user do what askbox needs; allow it the commands and keys that docs/redis.md lists.`,
  NOREPLICAS: (label) => `The Redis at ${label} has too few replicas to accept changes; start them, then try again.`,
  CLUSTERDOWN: (label) => `The Redis cluster at ${label} is down; see its log, then try again.`,
  MASTERDOWN: (label) => `The Redis at ${label} has lost its master; try again when there is one.`,
  BUSY: (label) => `The Redis at ${label} is busy with another program's script; try again in a moment.`,
  WRONGTYPE: (label) => `The Redis at ${label} holds something else under askbox's keys; give the store another prefix.`,
};

/** An AskboxError with one sentence; `wasSent` if the change may have been made. */
export function storeError(thrown: unknown, label: string): AskboxError {
  if (thrown instanceof AskboxError) return thrown;
  const options = { details: { store: label }, cause: thrown };
  if (thrown instanceof ConnectionLost) {
    const what = thrown.wasSent
      ? `The Redis at ${label} did not confirm in time; check whether the change was made before you try again.`
      : `The Redis at ${label} cannot be reached; nothing was changed. Try again when it is back.`;
    return new AskboxError("STORE_UNAVAILABLE", what, { ...options, details: { store: label, unknown: thrown.wasSent } });
  }
  if (thrown instanceof Unconfirmed) {
    return new AskboxError(
      "STORE_UNAVAILABLE",
      `The Redis at ${label} has the change, but its disk or replicas have not confirmed it; check whether it was kept before you try again.`,
      { ...options, details: { store: label, unknown: true } },
    );
  }
  const code = replyCode(thrown);
  const sentence = code === undefined ? undefined : sentences[code]?.(label);
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new AskboxError("STORE_UNAVAILABLE", sentence ?? `The Redis at ${label} cannot be used: ${reason}.`, options);
}
