import { randomUUID } from "node:crypto";
import { type Answerer, AskboxError, type Broker } from "@askbox/core";
import type { Blobs } from "@askbox/core/stores";
import { isUploadId } from "@askbox/core/stores";
import * as z from "zod";
import { check } from "./check.ts";
import { storedType } from "./checked-files.ts";
import { defaultFileLimits, type FileLimits, fileTooLarge, sessionFull, storeFull } from "./limits.ts";

const bytes = z.coerce.number("must be a number of bytes").pipe(z.int().min(0));
const uploadSchema = z.object({
  session: z.string().min(1).max(100),
  /** The caller's name for the upload, with which it continues. */
  upload: z.string().refine(isUploadId, "must be 8 to 60 letters, digits, dashes or underlines").optional(),
  offset: bytes.default(0),
  size: bytes.optional(),
});

/** What an upload made: the whole file, or how far it is. */
export type Uploaded = { sha256: string; size: number; mimeType: string } | { upload: string; offset: number };

interface UploadsOptions {
  broker: Broker;
  blobs: Blobs;
  limits: FileLimits;
}

/** Takes uploads: bounded before a byte is read, and straight to where they are stored. */
export function takeUploads({ broker, blobs, limits }: UploadsOptions) {
  const most = { ...defaultFileLimits, ...limits };
  /** What uploads in progress will still add, by session. */
  const expected = new Map<string, number>();
  const sumOf = (sizes: Iterable<number>) => [...sizes].reduce((sum, size) => sum + size, 0);

  const reserve = async (sessionId: string, upload: string, size: number): Promise<() => void> => {
    const all = await blobs.list();
    const others = all.filter((one) => one.sessionId !== sessionId || one.id !== upload);
    // From here on without a pause, so that two uploads cannot both take the last room.
    const own = sumOf(others.filter((one) => one.sessionId === sessionId).map((one) => one.size)) + (expected.get(sessionId) ?? 0);
    if (own + size > most.session) throw sessionFull(size, own, most.session);
    const stored = sumOf(others.map((one) => one.size)) + sumOf(expected.values());
    if (stored + size > most.total) throw storeFull(size, stored, most.total);
    expected.set(sessionId, (expected.get(sessionId) ?? 0) + size);
    return () => {
      const rest = (expected.get(sessionId) ?? 0) - size;
      if (rest > 0) expected.set(sessionId, rest);
      else expected.delete(sessionId);
    };
  };

  return async (request: Request, by: Answerer): Promise<Uploaded> => {
    const query = check(uploadSchema, Object.fromEntries(new URL(request.url).searchParams));
    const { offset, upload = randomUUID() } = query;
    const declared = request.headers.get("content-length");
    const length = declared === null ? undefined : Number(declared);
    const size = query.size ?? (length === undefined ? undefined : offset + length);
    if (size === undefined) throw new AskboxError("VALIDATION", "Say how large the file is, with size or the header Content-Length.");
    if (size > most.file) throw fileTooLarge(size, most.file);
    if (offset + (length ?? 0) > size) throw new AskboxError("VALIDATION", `The file has ${size} bytes, and this would be more.`);
    const desk = broker.desk(by);
    const { id: sessionId, status } = await desk.get(query.session).finally(() => desk.close());
    if (status !== "pending" && status !== "timed_out") {
      throw new AskboxError("SESSION_CLOSED", "These questions are already settled; a file can no longer be added.");
    }
    const key = { sessionId, id: upload };
    const release = await reserve(sessionId, upload, size);
    try {
      const now = await blobs.append(key, offset, atMost(request.body, size - offset));
      if (now < size) return { upload, offset: now };
      const file = now === size ? await blobs.finish(key) : undefined;
      if (file === undefined) {
        await blobs.remove(key);
        throw new AskboxError("CONFLICT", "The upload is over: it was finished by another request, or has another size.", {
          details: { offset: 0 },
        });
      }
      return { sha256: file.id, size: file.size, mimeType: await storedType(blobs, file) };
    } finally {
      release();
    }
  };
}

/** The stream's bytes. Throws `VALIDATION` for more than these, and `ABORTED` if the client disconnects. */
async function* atMost(stream: ReadableStream<Uint8Array> | null, most: number): AsyncGenerator<Uint8Array> {
  let rest = most;
  try {
    for await (const piece of stream ?? []) {
      rest -= piece.length;
      if (rest < 0) throw new AskboxError("VALIDATION", "The request has more bytes than it said.");
      yield piece;
    }
  } catch (error) {
    if (error instanceof AskboxError) throw error;
    throw new AskboxError("ABORTED", "The client went away before its upload was complete.", { cause: error });
  }
}
