import { AskboxError } from "../errors.ts";
import type { BlobKey } from "../ports/blobs.ts";

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
