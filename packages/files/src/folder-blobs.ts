import { createHash } from "node:crypto";
import { readdirSync, statSync, unlinkSync } from "node:fs";
import { type FileHandle, link, mkdir, open, readdir, rename, rmdir, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { AskboxError } from "@askbox/core";
import type { BlobKey, Blobs, StoredBlob } from "@askbox/core/stores";
import { checkUpload, isBlobKey, isFileId, isUploadId, oneAtATime, uploadGap, uploadOver } from "@askbox/core/stores";

/** Where `folderBlobs` stores files. */
export interface FolderBlobsOptions {
  /** Created if it is missing, for this user only. One process at a time may write to it. */
  folder: string;
}

/** A stream that is being written to an upload. */
interface Stream {
  isOver: boolean;
  writing: Promise<unknown>;
}

const maxPiece = 65_536;

/** How many files a list looks at in one turn of the event loop, which takes a few ms: a promise for each would take eight times as long. */
const looksAtOnce = 200;

/**
 * Files in a folder, one folder per session: whole ones named by their SHA-256, unfinished ones `NAME.part`. Equal files of several sessions are
 * hard links where the file system has them. What a promise reports is synced to disk.
 */
export function folderBlobs({ folder }: FolderBlobsOptions): Blobs {
  const streams = new Map<string, Set<Stream>>();
  const finishing = new Set<string>();
  /** Where a file with this content was last seen. */
  const paths = new Map<string, string>();
  /** Finished uploads get their place one after another, so that equal ones find each other. */
  const placing = oneAtATime();
  const sessionFolder = (sessionId: string) => join(folder, sessionId);
  const pathOf = ({ sessionId, id }: BlobKey) => join(folder, sessionId, isFileId(id) ? id : `${id}.part`);

  const openUpload = async (upload: BlobKey): Promise<FileHandle> => {
    for (let tries = 0; ; tries += 1) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const isNew = await mkdir(sessionFolder(upload.sessionId), { mode: 0o700 }).then(
        () => true,
        (error: unknown) => {
          if (codeOf(error) === "EEXIST") return false;
          throw error;
        },
      );
      if (isNew) await syncFolder(folder);
      try {
        // Created if it is missing, and never emptied.
        const file = await open(pathOf(upload), "a+", 0o600);
        await file.close();
        return await open(pathOf(upload), "r+");
      } catch (error) {
        // Its empty folder was removed in the meantime.
        if (codeOf(error) !== "ENOENT" || tries > 10) throw error;
      }
    }
  };
  const namesIn = (path: string): string[] => {
    try {
      return readdirSync(path);
    } catch (error) {
      return none(error);
    }
  };
  const factsNow = (key: BlobKey): StoredBlob | undefined => {
    if (!isBlobKey(key)) return undefined;
    const found = statSync(pathOf(key), { throwIfNoEntry: false });
    return found && { sessionId: key.sessionId, id: key.id, size: found.size, storedAt: found.mtimeMs };
  };
  const factsOf = async (key: BlobKey) => factsNow(key);

  /** Moves a whole upload to its place. If this session or another one has an equal file, that one is taken. */
  const place = async (path: string, key: BlobKey): Promise<void> => {
    const target = pathOf(key);
    const same = paths.get(key.id);
    const isThere = (await isEqual(target, path)) || (same !== undefined && (await isEqual(same, path)) && (await linkTo(same, target)));
    await utimes(isThere ? target : path, new Date(), new Date());
    if (isThere) await unlink(path);
    else await rename(path, target);
    paths.set(key.id, target);
  };

  return {
    sharesEqual: true,
    async append(upload, offset, bytes) {
      checkUpload(upload);
      const path = pathOf(upload);
      if (finishing.has(path)) throw uploadOver();
      const present = (await factsOf(upload))?.size ?? 0;
      if (offset > present) throw uploadGap(present);
      const file = await inStore(() => openUpload(upload));
      const stream: Stream = { isOver: false, writing: Promise.resolve() };
      const all = streams.get(path) ?? new Set();
      streams.set(path, all.add(stream));
      const sync = () => inStore(() => file.datasync().finally(() => file.close()));
      try {
        try {
          let at = offset;
          for await (const piece of bytes) {
            if (stream.isOver) throw uploadOver();
            // Written again where it is stored already: it is the same, and another stream may be writing it now.
            const begin = at;
            stream.writing = inStore(() => writeAll(file, piece, begin));
            await stream.writing;
            at += piece.length;
          }
          if (stream.isOver) throw uploadOver();
        } catch (error) {
          await sync().catch(() => {});
          throw error;
        }
        await sync();
      } catch (error) {
        // What is there of it would keep the disk full.
        if (isDiskFull(error)) await unlink(path).catch(missing);
        throw error;
      } finally {
        all.delete(stream);
        if (all.size === 0) streams.delete(path);
      }
      await syncFolder(sessionFolder(upload.sessionId));
      const after = await factsOf(upload);
      if (after === undefined) throw uploadOver();
      return after.size;
    },
    async finish(upload) {
      const path = pathOf(upload);
      if (!isUploadId(upload.id) || finishing.has(path) || (await factsOf(upload)) === undefined) return undefined;
      finishing.add(path);
      try {
        const open = [...(streams.get(path) ?? [])];
        for (const stream of open) stream.isOver = true;
        await Promise.all(open.map(({ writing }) => writing.catch(() => {})));
        return await inStore(async () => {
          const id = await digestOf(path);
          const key = { sessionId: upload.sessionId, id };
          await placing(() => place(path, key));
          await syncFolder(sessionFolder(upload.sessionId));
          return factsOf(key);
        });
      } finally {
        finishing.delete(path);
      }
    },
    stat: factsOf,
    async touch(key) {
      if (!isBlobKey(key)) return undefined;
      const now = new Date();
      await utimes(pathOf(key), now, now).catch(missing);
      return factsOf(key);
    },
    async read(key, { start = 0, end = Number.POSITIVE_INFINITY } = {}) {
      const file = isBlobKey(key) ? await open(pathOf(key), "r").catch(missing) : undefined;
      if (file === undefined) return undefined;
      return file.createReadStream({ start, end: end - 1, highWaterMark: maxPiece }) as AsyncIterable<Uint8Array>;
    },
    async remove(key, { storedBefore = Number.POSITIVE_INFINITY } = {}) {
      if (!isBlobKey(key)) return false;
      const path = pathOf(key);
      // Without a pause between the two, in which it could be touched.
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined || found.mtimeMs >= storedBefore) return false;
      unlinkSync(path);
      if (paths.get(key.id) === path) paths.delete(key.id);
      for (const stream of streams.get(path) ?? []) stream.isOver = true;
      await rmdir(sessionFolder(key.sessionId)).catch(() => {});
      return true;
    },
    async list(sessionId) {
      const sessions = sessionId === undefined ? await readdir(folder).catch(none) : [sessionId];
      const found: StoredBlob[] = [];
      let looked = 0;
      for (const owner of sessions) {
        if (!isBlobKey({ sessionId: owner, id: "x".repeat(8) })) continue;
        for (const name of namesIn(sessionFolder(owner))) {
          looked += 1;
          if (looked % looksAtOnce === 0) await setImmediate();
          const facts = factsNow({ sessionId: owner, id: name.endsWith(".part") ? name.slice(0, -5) : name });
          if (facts === undefined) continue;
          found.push(facts);
          if (isFileId(facts.id)) paths.set(facts.id, pathOf(facts));
        }
      }
      return found;
    },
    close: async () => {},
  };
}

async function writeAll(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at, piece.length - at, position + at)).bytesWritten;
}

/** Whether both are there and whole, for two files with the same SHA-256 as names: a crash may have cut one off. */
async function isEqual(path: string, other: string): Promise<boolean> {
  const [one, two] = await Promise.all([path, other].map((each) => stat(each).catch(missing)));
  return one !== undefined && one.size === two?.size;
}

/** Makes `target` the same file as `path`. False if it could not, as on a file system without hard links. */
async function linkTo(path: string, target: string): Promise<boolean> {
  // First, so that it isn't removed as old in the meantime.
  await utimes(path, new Date(), new Date()).catch(missing);
  return link(path, target).then(
    () => true,
    () => false,
  );
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  for await (const piece of file.createReadStream({ highWaterMark: maxPiece })) hash.update(piece as Uint8Array);
  return hash.digest("hex");
}

/** Makes the names in a folder durable. Windows can't, and doesn't need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const folder = await open(path, "r").catch(missing);
  await folder?.sync();
  await folder?.close();
}

async function inStore<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AskboxError) throw error;
    const why = isDiskFull(error) ? "the disk is full; free some space" : `${codeOf(error) ?? String(error)}`;
    throw new AskboxError("STORE_UNAVAILABLE", `The file cannot be stored: ${why}.`, { cause: error });
  }
}

/** Also of an error of `inStore`. */
const isDiskFull = (error: unknown): boolean =>
  ["ENOSPC", "EDQUOT"].includes(String(codeOf(error instanceof AskboxError ? error.cause : error)));
const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);
const isMissing = (error: unknown) => ["ENOENT", "ENOTDIR"].includes(String(codeOf(error)));

function missing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

function none(error: unknown): string[] {
  if (!isMissing(error)) throw error;
  return [];
}
