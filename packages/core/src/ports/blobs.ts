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
