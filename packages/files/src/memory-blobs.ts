import type { BlobKey, Blobs, StoredBlob } from "@askbox/core/stores";
import { checkUpload, isBlobKey, isUploadId, uploadGap, uploadOver } from "@askbox/core/stores";

interface Upload {
  key: BlobKey;
  pieces: Uint8Array[];
  size: number;
  storedAt: number;
}

/** What `memoryBlobs` needs of its platform. */
export interface MemoryBlobsOptions {
  now(): number;
  /** SHA-256 of bytes, as lower-case hex. */
  sha256(bytes: Uint8Array): Promise<string> | string;
}

const maxPiece = 65_536;

/** Files in memory, for a hub whose sessions are in memory too. */
export function memoryBlobs({ now, sha256 }: MemoryBlobsOptions): Blobs {
  const uploads = new Map<string, Upload>();
  const nameOf = ({ sessionId, id }: BlobKey) => `${sessionId} ${id}`;
  const find = (key: BlobKey) => (isBlobKey(key) ? uploads.get(nameOf(key)) : undefined);
  const factsOf = ({ key, size, storedAt }: Upload): StoredBlob => ({ sessionId: key.sessionId, id: key.id, size, storedAt });

  return {
    sharesEqual: true,
    async append(key, offset, bytes) {
      checkUpload(key);
      const present = uploads.get(nameOf(key));
      if (offset > (present?.size ?? 0)) throw uploadGap(present?.size ?? 0);
      const upload = present ?? { key, pieces: [], size: 0, storedAt: now() };
      uploads.set(nameOf(key), upload);
      let at = offset;
      for await (const piece of bytes) {
        if (find(key) !== upload) throw uploadOver();
        const fresh = piece.subarray(Math.min(piece.length, Math.max(0, upload.size - at)));
        at += piece.length;
        if (fresh.length > 0) upload.pieces.push(fresh.slice());
        upload.size += fresh.length;
        upload.storedAt = now();
      }
      if (find(key) !== upload) throw uploadOver();
      return upload.size;
    },
    async finish(key) {
      const upload = isUploadId(key.id) ? find(key) : undefined;
      if (upload === undefined) return undefined;
      uploads.delete(nameOf(key));
      const whole = joined(upload.pieces, upload.size);
      const id = await sha256(whole);
      const pieces = [...uploads.values()].find((other) => other.key.id === id)?.pieces ?? [whole];
      const file = { key: { sessionId: key.sessionId, id }, pieces, size: whole.length, storedAt: now() };
      uploads.set(nameOf(file.key), file);
      return factsOf(file);
    },
    async stat(key) {
      const found = find(key);
      return found && factsOf(found);
    },
    async touch(key) {
      const found = find(key);
      if (found !== undefined) found.storedAt = now();
      return found && factsOf(found);
    },
    async read(key, { start = 0, end } = {}) {
      const found = find(key);
      return found && slices(joined(found.pieces, found.size).subarray(start, end));
    },
    async remove(key, { storedBefore = Number.POSITIVE_INFINITY } = {}) {
      const found = find(key);
      return found !== undefined && found.storedAt < storedBefore && uploads.delete(nameOf(key));
    },
    list: async (sessionId) =>
      [...uploads.values()].filter(({ key }) => sessionId === undefined || key.sessionId === sessionId).map(factsOf),
    async close() {
      uploads.clear();
    },
  };
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function* slices(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += maxPiece) yield bytes.subarray(at, at + maxPiece);
}
