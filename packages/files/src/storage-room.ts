import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import {
  type AnswerSet,
  type AskboxError,
  type Draft,
  type DraftField,
  isAskboxError,
  type SessionRecord,
  type SessionStore,
} from "@askbox/core";
import { allImages } from "@askbox/core/questions";
import { type BlobKey, type Blobs, isFileId, type StoredBlob } from "@askbox/core/stores";
import { askersFull, defaultFileLimits, type FileLimits, peoplesShare, sessionFull, storeFull, tokenFull, uploadsFull } from "./limits.ts";
import { cleanName } from "./name-and-type.ts";

/**
 * How full the store of files is, for whom, and what leaves it. An upload must fit three times: into its session, into what its token may
 * store, and into the whole, of which a part is kept for people. It is counted before it is written and once more afterwards, since
 * another hub may have taken the same room; the loser is removed. Files that no question, answer, message or draft names go after a day,
 * those of removed sessions at once.
 */

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

/** Where the uploads of a token wait until a question shows them: no session has such an id, and no other token leads to it. */
export const waitingOf = (owner: string): string => `asker${createHash("sha256").update(owner).digest("hex").slice(0, 40)}`;

const scheme = "upload:";

/** How a question names an upload of its asker. */
export const sourceOf = (sha256: string, name: string): string => `${scheme}${sha256}/${encodeURIComponent(name)}`;

/** The upload that a `src` names; undefined if it names none. */
export function uploadIn(src: string): { sha256: string; name: string } | undefined {
  const [sha256 = "", name = ""] = src.startsWith(scheme) ? src.slice(scheme.length).split("/", 2) : [];
  if (!isFileId(sha256)) return undefined;
  try {
    return { sha256, name: cleanName(decodeURIComponent(name), "") };
  } catch {
    return undefined;
  }
}

/** Removes the uploads that have waited too long, so that they take no room from the next. */
export async function discardWaiting(blobs: Blobs, owner: string, now: number): Promise<void> {
  for (const file of await blobs.list(waitingOf(owner))) await blobs.remove(file, { storedBefore: now - graceWithoutSession });
}

/** How long files without a session are kept, in ms: those of a question are stored before it is, and an asker's uploads wait for one. */
const graceWithoutSession = 600_000;
/** How long an upload that nothing names is kept, in ms: a day, for a person who writes an answer without a draft. */
const grace = 86_400_000;

/**
 * Removes the files of sessions that are gone, and those that no question, answer, reply, message or draft names for a day. Resolves with how many. What is
 * removed twice, or in several hubs at once, does no harm.
 */
export async function sweepFiles({ blobs, store, now }: { blobs: Blobs; store: SessionStore; now: number }): Promise<number> {
  // Listed before the sessions are read: a file that is named from now on was touched before.
  const all = Map.groupBy(await blobs.list(), ({ sessionId }) => sessionId);
  if (all.size === 0) return 0;
  const drafted = await draftedFiles(store);
  let removed = 0;
  for (const [sessionId, files] of all) {
    const record = await store.get(sessionId);
    const named = new Set(record === undefined ? [] : [...shownFiles(record), ...answeredFiles(record), ...(drafted.get(sessionId) ?? [])]);
    for (const file of files) {
      if (named.has(file.id)) continue;
      if (await blobs.remove(file, { storedBefore: now - (record === undefined ? graceWithoutSession : grace) })) removed += 1;
    }
  }
  return removed;
}

/** Removes everything of a session that was removed. */
export async function removeFilesOf(blobs: Blobs, sessionId: string): Promise<void> {
  for (const file of await blobs.list(sessionId)) await blobs.remove(file);
}

/** The ids of the files that drafts name, by session; also by the one that was replaced, from which a draft was taken over. */
async function draftedFiles(store: SessionStore): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const draft of await store.listDrafts()) {
    const names = draftFiles(draft);
    if (names.length === 0) continue;
    const replaced = (await store.get(draft.sessionId))?.replaces;
    for (const id of [draft.sessionId, ...(replaced === undefined ? [] : [replaced])]) found.set(id, [...(found.get(id) ?? []), ...names]);
  }
  return found;
}

/** The ids of the files that a draft names, or an answer in it that can still be undone. */
export const draftFiles = (draft: Draft): string[] => idsOf([draft, ...Object.values(draft.fields), ...setParts(draft.scheduled)]);

/** The ids of the pictures that the questions show. */
export const shownFiles = ({ request }: SessionRecord): string[] =>
  allImages(request.questions).flatMap((image) => ("sha256" in image ? image.sha256 : []));

/** The ids of the files that the answers, a reply or messages name. */
export const answeredFiles = ({ context: { outcome }, reply, thread }: SessionRecord): string[] =>
  idsOf([...setParts(outcome?.kind === "answered" ? outcome : undefined), ...setParts(reply), ...thread]);

const setParts = (set: AnswerSet | undefined) => (set === undefined ? [] : [set, ...set.answers]);

const idsOf = (fields: readonly Pick<DraftField, "files">[]): string[] =>
  fields.flatMap(({ files = [] }) => files.map(({ sha256 }) => sha256));
