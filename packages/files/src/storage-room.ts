import type { AskboxError } from "@askbox/core";
import type { BlobKey, Blobs } from "@askbox/core/stores";
import { defaultFileLimits, type FileLimits, sessionFull, storeFull } from "./limits.ts";

/** Counts what is stored and what is about to be, so that two writers cannot both take the last room. */
export interface StorageRoom {
  readonly limits: Readonly<Record<keyof FileLimits, number>>;
  /** Reserves room for an upload of this size until the returned function is called. Throws `PAYLOAD_TOO_LARGE`. */
  reserve(upload: BlobKey, size: number, owner?: OwnerLimit): Promise<() => void>;
}

/** How much may be stored under one session id, and what to say of more. */
interface OwnerLimit {
  most: number;
  full(size: number, stored: number, most: number): AskboxError;
}

export function storageRoom(blobs: Blobs, overrides: FileLimits): StorageRoom {
  const limits = { ...defaultFileLimits, ...overrides };
  /** What uploads in progress will still add, by session. */
  const expected = new Map<string, number>();
  const sumOf = (sizes: Iterable<number>) => [...sizes].reduce((sum, size) => sum + size, 0);
  return {
    limits,
    async reserve({ sessionId, id }, size, { most, full } = { most: limits.session, full: sessionFull }) {
      const all = await blobs.list();
      const others = all.filter((one) => one.sessionId !== sessionId || one.id !== id);
      // From here on without a pause.
      const own = sumOf(others.filter((one) => one.sessionId === sessionId).map((one) => one.size)) + (expected.get(sessionId) ?? 0);
      if (own + size > most) throw full(size, own, most);
      const stored = sumOf(others.map((one) => one.size)) + sumOf(expected.values());
      if (stored + size > limits.total) throw storeFull(size, stored, limits.total);
      expected.set(sessionId, (expected.get(sessionId) ?? 0) + size);
      return () => {
        const rest = (expected.get(sessionId) ?? 0) - size;
        if (rest > 0) expected.set(sessionId, rest);
        else expected.delete(sessionId);
      };
    },
  };
}
