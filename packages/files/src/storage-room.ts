import { setImmediate } from "node:timers/promises";
import type { AskboxError, SessionStore } from "@askbox/core";
import { type BlobKey, type Blobs, isFileId, type StoredBlob } from "@askbox/core/stores";
import { waitingOf } from "./asker-uploads.ts";
import { askersFull, defaultFileLimits, type FileLimits, peoplesShare, sessionFull, storeFull, tokenFull, uploadsFull } from "./limits.ts";

/** Counts what is stored and what is about to be, so that two writers cannot both take the last room. */
export interface StorageRoom {
  readonly limits: Readonly<Record<keyof FileLimits, number>>;
  /** Reserves room for an upload of this size until the returned function is called. Throws `PAYLOAD_TOO_LARGE`. */
  reserve(upload: BlobKey, size: number, options?: ReserveOptions): Promise<() => void>;
}

interface ReserveOptions {
  /** The token that uploads it. Absent for a person, who may also use what askers may not fill. */
  owner?: string | undefined;
  /** Of its content, if it is known: it takes no room if the token has the same file already. */
  sha256?: string | undefined;
  /** How much may be stored under the session id, and what to say of more. */
  most?: number | undefined;
  full?: ((size: number, stored: number, most: number) => AskboxError) | undefined;
}

type Sized = Pick<StoredBlob, "sessionId" | "id" | "size">;

/** How many sessions are read at once. */
const readAtOnce = 50;

/**
 * If the store shares equal files, the same one counts once for each token whose questions or uploads have it. Not once for all: what a token
 * may still store would tell it what others have stored.
 */
export function storageRoom(blobs: Blobs, store: Pick<SessionStore, "get">, overrides: FileLimits): StorageRoom {
  const given = { ...defaultFileLimits, ...overrides };
  const limits = { ...given, token: overrides.token ?? given.total / 2 };
  /** Uploads in progress. */
  const expected = new Set<Sized>();
  const sessions = sessionOwners(store);
  const bytesOf = (files: readonly Sized[]): number => {
    const sizes = new Map(files.map((file) => [blobs.sharesEqual && isFileId(file.id) ? file.id : nameOf(file), file.size]));
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  };

  return {
    limits,
    async reserve(upload, size, { owner, sha256, most = limits.session, full = sessionFull } = {}) {
      const all = await blobs.list();
      await sessions.learn(all, upload, owner);
      // From here on without a pause.
      const inProgress = new Set([upload, ...expected].map(nameOf));
      const others = [...all.filter((one) => !inProgress.has(nameOf(one))), ...expected];
      const ofOwner = Map.groupBy(others, ({ sessionId }) => sessions.ownerOf(sessionId) ?? sessionId);
      const own = owner === undefined ? [] : (ofOwner.get(owner) ?? []);
      const present = others.filter(({ sessionId }) => sessionId === upload.sessionId);
      // An upload that a question of its token shows no longer waits for one.
      const shown = new Set(own.filter(({ sessionId }) => sessionId !== upload.sessionId).map(({ id }) => id));
      const here = bytesOf(full === uploadsFull ? present.filter(({ id }) => !shown.has(id)) : present);
      if (here + size > most) throw full(size, here, most);
      const more = blobs.sharesEqual && own.some(({ id }) => id === sha256) ? 0 : size;
      const stored = [...ofOwner.values()].reduce((sum, files) => sum + bytesOf(files), 0);
      if (stored + more > limits.total) throw storeFull(size, stored, limits.total);
      const forAskers = Math.floor(limits.total * (1 - peoplesShare));
      if (owner !== undefined && stored + more > forAskers) throw askersFull(size, stored, forAskers);
      if (owner !== undefined && bytesOf(own) + more > limits.token) throw tokenFull(size, bytesOf(own), limits.token);
      const entry = { ...upload, size };
      expected.add(entry);
      return () => void expected.delete(entry);
    },
  };
}

const nameOf = ({ sessionId, id }: BlobKey): string => `${sessionId} ${id}`;

/** Whose sessions these are: a session's owner never changes, and is read once. */
function sessionOwners(store: Pick<SessionStore, "get">) {
  const owners = new Map<string, string>();
  const learnOwner = (sessionId: string, owner: string) => owners.set(sessionId, owner).set(waitingOf(owner), owner);
  return {
    ownerOf: (sessionId: string): string | undefined => owners.get(sessionId),
    /** `upload` and `by`: of an upload that may come before its session. */
    async learn(files: readonly BlobKey[], upload: BlobKey, by: string | undefined): Promise<void> {
      const listed = new Set(files.map(({ sessionId }) => sessionId));
      if (owners.size > 1_000 + 2 * listed.size)
        for (const sessionId of owners.keys()) if (!listed.has(sessionId)) owners.delete(sessionId);
      const unknown = [...listed].filter((sessionId) => !owners.has(sessionId));
      for (let at = 0; at < unknown.length; at += readAtOnce) {
        if (at > 0) await setImmediate();
        const records = await Promise.all(unknown.slice(at, at + readAtOnce).map((sessionId) => store.get(sessionId)));
        for (const record of records) if (record !== undefined) learnOwner(record.id, record.owner);
      }
      if (by !== undefined) learnOwner(upload.sessionId, by);
    },
  };
}
