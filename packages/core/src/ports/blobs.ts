import { AskboxError } from "../errors.ts";

/** Which stored bytes: a whole file has the SHA-256 of its content as id (64 hex digits); an upload that isn't finished, its name. */
export interface BlobKey {
  sessionId: string;
  id: string;
}

/** A stored file or an unfinished upload. */
export interface StoredBlob extends BlobKey {
  /** Bytes. */
  size: number;
  /** Wall time at which it was written or last touched. */
  storedAt: number;
}

/**
 * Stores the files of sessions. Test an implementation with `blobsContract` from `@askbox/core/testing`. Every method may reject with
 * `STORE_UNAVAILABLE`. The caller checks sizes, and that the session exists.
 */
export interface Blobs {
  /** Whether equal files of several sessions take room once. `touch` may then count for all of them. Default false. */
  readonly sharesEqual?: boolean | undefined;
  /**
   * Adds a stream to an upload, which its first byte creates, and resolves with the upload's size once all of it is durable. `id` is a name
   * that the caller chose: 8–60 letters, digits, dashes or underlines. A caller may begin at an earlier offset, with the same bytes. If the stream fails, what came before is kept and the call rejects with its error. Throws `CONFLICT` (details.offset:
   * the size) for an offset behind the end, and if the upload is finished meanwhile.
   */
  append(upload: BlobKey, offset: number, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Makes an upload a file, which replaces an equal one of the session; durable when it resolves. Undefined if there is no upload. */
  finish(upload: BlobKey): Promise<StoredBlob | undefined>;
  stat(key: BlobKey): Promise<StoredBlob | undefined>;
  /** Like `stat`, and the file counts as stored now: `remove` with an earlier `storedBefore` leaves it. */
  touch(key: BlobKey): Promise<StoredBlob | undefined>;
  /** The bytes in pieces of at most 64 KB, from `start` (default 0) to before `end` (default its size); undefined if it isn't there. */
  read(key: BlobKey, range?: { start?: number; end?: number }): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Removes a file or upload, or with `storedBefore` only one that is older; resolves with whether it did. */
  remove(key: BlobKey, options?: { storedBefore?: number }): Promise<boolean>;
  /** Everything that is stored, or what belongs to one session, in no particular order. */
  list(sessionId?: string): Promise<StoredBlob[]>;
  /** Releases all resources; closing again does nothing. */
  close(): Promise<void>;
}

const session = /^[0-9a-z]{4,64}$/;
const uploads = /^[A-Za-z0-9_-]{8,60}$/;
const files = /^[0-9a-f]{64}$/;

/** Whether it names a whole file, by its content. */
export const isFileId = (id: string): boolean => files.test(id);
/** Whether it may name an upload. */
export const isUploadId = (id: string): boolean => uploads.test(id);
/** Whether a key may name anything: neither of its parts can be a path. */
export const isBlobKey = ({ sessionId, id }: BlobKey): boolean => session.test(sessionId) && (isFileId(id) || isUploadId(id));

/** Throws `VALIDATION` unless it may name an upload. */
export function checkUpload(key: BlobKey): void {
  if (isBlobKey(key) && isUploadId(key.id)) return;
  throw new AskboxError("VALIDATION", "An upload needs a session id, and a name of 8 to 60 letters, digits, dashes or underlines.");
}

/** The error for an offset behind the end of an upload. */
export const uploadGap = (size: number): AskboxError =>
  new AskboxError("CONFLICT", `The upload has ${size} bytes; continue at that offset.`, { details: { offset: size } });

/** The error for a stream whose upload is finished or gone. */
export const uploadOver = (): AskboxError =>
  new AskboxError("CONFLICT", "The upload is finished or was removed meanwhile.", { details: { offset: 0 } });
