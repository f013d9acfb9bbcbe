import { setImmediate } from "node:timers/promises";
import { type AskboxError, isAskboxError, type SessionStore } from "@askbox/core";
import { type BlobKey, type Blobs, isFileId, type StoredBlob } from "@askbox/core/stores";
import { waitingOf } from "./asker-uploads.ts";
import { askersFull, defaultFileLimits, type FileLimits, peoplesShare, sessionFull, storeFull, tokenFull, uploadsFull } from "./limits.ts";
import { shownFiles } from "./sweep.ts";

/** Counts what is stored and what is about to be, so that two writers cannot both take the last room. */
export interface StorageRoom {
  readonly limits: Readonly<Record<keyof FileLimits, number>>;
  /**
   * Calls `write`, which stores an upload of this size and resolves with the file that it became, if it is whole. Throws `PAYLOAD_TOO_LARGE`
   * before, and afterwards if others have taken the same room meanwhile; the file is removed then.
   */
  store<File extends StoredBlob | undefined>(
    upload: BlobKey,
    size: number,
    options: StoreOptions,
    write: () => Promise<File>,
  ): Promise<File>;
}

interface StoreOptions {
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
  const { file, session, total } = defaultFileLimits;
  const all = overrides.total ?? total;
  const limits = { file: overrides.file ?? file, session: overrides.session ?? session, total: all, token: overrides.token ?? all / 2 };
  /** Uploads in progress. */
  const expected = new Set<Sized>();
  const sessions = sessionOwners(store);
  const bytesOf = (files: readonly Sized[]): number => {
    const sizes = new Map(files.map((file) => [blobs.sharesEqual && isFileId(file.id) ? file.id : nameOf(file), file.size]));
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  };

  /** Resolves with what is stored. Throws `PAYLOAD_TOO_LARGE` if there is no room for this besides. */
  const mustFit = async (
    upload: BlobKey,
    size: number,
    { owner, sha256, most = limits.session, full = sessionFull }: StoreOptions,
    awaited: ReadonlySet<Sized> = expected,
  ): Promise<readonly StoredBlob[]> => {
    const all = await blobs.list();
    await sessions.learn(all, upload, owner);
    // From here on without a pause.
    const inProgress = new Set([upload, ...expected].map(nameOf));
    const others = [...all.filter((one) => !inProgress.has(nameOf(one))), ...awaited];
    const ofOwner = Map.groupBy(others, sessions.ownerOf);
    const own = owner === undefined ? [] : (ofOwner.get(owner) ?? []);
    const present = others.filter(({ sessionId }) => sessionId === upload.sessionId);
    // An upload that a question of its token shows no longer waits for one.
    const shown = new Set(own.filter(({ sessionId }) => sessionId !== upload.sessionId).map(({ id }) => id));
    const here = bytesOf(full === uploadsFull ? present.filter(({ id }) => !shown.has(id)) : present);
    if (here + size > most) throw full(size, here, most);
    const more = blobs.sharesEqual && own.some(({ id }) => id === sha256) ? 0 : size;
    const ofPeople = bytesOf(ofOwner.get(undefined) ?? []);
    const stored = [...ofOwner.values()].reduce((sum, files) => sum + bytesOf(files), 0);
    if (stored + more > limits.total) throw storeFull(size, stored, limits.total);
    const forAskers = Math.floor(limits.total * (1 - peoplesShare));
    if (owner !== undefined && stored - ofPeople + more > forAskers) throw askersFull(size, stored - ofPeople, forAskers);
    if (owner !== undefined && bytesOf(own) + more > limits.token) throw tokenFull(size, bytesOf(own), limits.token);
    return all;
  };

  return {
    limits,
    async store(upload, size, options, write) {
      const before = await mustFit(upload, size, options);
      const entry = { ...upload, size };
      expected.add(entry);
      const file = await write().finally(() => expected.delete(entry));
      // Another hub may have taken the same room, or an upload that ended while this one was counted. What was there before stays, and what is
      // not whole yet is not counted: that finds this one when it is.
      if (file !== undefined && !before.some((one) => nameOf(one) === nameOf(file))) {
        await mustFit(file, file.size, { ...options, sha256: file.id }, new Set()).catch(async (error: unknown) => {
          if (isAskboxError(error, "PAYLOAD_TOO_LARGE")) await blobs.remove(file, { storedBefore: file.storedAt + 1 });
          throw error;
        });
      }
      return file;
    },
  };
}

const nameOf = ({ sessionId, id }: BlobKey): string => `${sessionId} ${id}`;

/** Whose files of a session are. `isFinal`: its record was read, whose owner and pictures never change. */
interface Owned {
  owner: string;
  ofOwner: { has(id: string): boolean };
  isFinal: boolean;
}

const every = { has: () => true };

/** Whose files these are: an asker's are its uploads and the pictures of its questions. */
function sessionOwners(store: Pick<SessionStore, "get">) {
  const sessions = new Map<string, Owned>();
  const learnUploads = (owner: string) => sessions.set(waitingOf(owner), { owner, ofOwner: every, isFinal: true });
  return {
    /** Undefined if people have attached it. */
    ownerOf({ sessionId, id }: BlobKey): string | undefined {
      const known = sessions.get(sessionId);
      if (known === undefined) return sessionId;
      return known.ofOwner.has(id) ? known.owner : undefined;
    },
    /** `upload` and `by`: of an upload that may come before its session. */
    async learn(files: readonly BlobKey[], upload: BlobKey, by: string | undefined): Promise<void> {
      const listed = new Set(files.map(({ sessionId }) => sessionId)).add(upload.sessionId);
      if (sessions.size > 1_000 + 2 * listed.size)
        for (const sessionId of sessions.keys()) if (!listed.has(sessionId)) sessions.delete(sessionId);
      if (by !== undefined) {
        learnUploads(by);
        if (!sessions.has(upload.sessionId)) sessions.set(upload.sessionId, { owner: by, ofOwner: every, isFinal: false });
      }
      const unknown = [...listed].filter((sessionId) => sessions.get(sessionId)?.isFinal !== true);
      for (let at = 0; at < unknown.length; at += readAtOnce) {
        if (at > 0) await setImmediate();
        const records = await Promise.all(unknown.slice(at, at + readAtOnce).map((sessionId) => store.get(sessionId)));
        for (const record of records) {
          if (record === undefined) continue;
          sessions.set(record.id, { owner: record.owner, ofOwner: new Set(shownFiles(record)), isFinal: true });
          learnUploads(record.owner);
        }
      }
    },
  };
}
