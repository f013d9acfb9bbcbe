import { randomUUID } from "node:crypto";
import { type Answerer, AskboxError, type Broker, type Platform } from "@askbox/core";
import type { Blobs } from "@askbox/core/stores";
import { isUploadId } from "@askbox/core/stores";
import * as z from "zod";
import { discardWaiting, sourceOf, waitingOf } from "./asker-uploads.ts";
import { check } from "./check.ts";
import { storedType } from "./checked-files.ts";
import { fileTooLarge, uploadsFull } from "./limits.ts";
import type { StorageRoom } from "./storage-room.ts";

const bytes = z.coerce.number("must be a number of bytes").pipe(z.int().min(0));
const uploadSchema = z.object({
  session: z.string().min(1).max(100).optional(),
  /** For an asker's upload. */
  name: z.string().max(1_000).default(""),
  /** The caller's name for the upload, with which it continues. */
  upload: z.string().refine(isUploadId, "must be 8 to 60 letters, digits, dashes or underlines").optional(),
  offset: bytes.default(0),
  size: bytes.optional(),
});

/** What an upload made: the whole file, or how far it is. */
export type Uploaded = { sha256: string; size: number; mimeType: string; src?: string } | { upload: string; offset: number };

/** An asker's uploads that wait may have this many times what a session may: several agents may share a token. */
const waitingShare = 4;

interface UploadsOptions {
  broker: Broker;
  blobs: Blobs;
  room: StorageRoom;
  clock: Platform["clock"];
}

/** Who uploads: a person, to an answer, or an asker, for the questions that it is about to ask. */
export type Uploader = { by: Answerer } | { owner: string };

/** Takes uploads: bounded before a byte is read, and straight to where they are stored. */
export function takeUploads({ broker, blobs, room, clock }: UploadsOptions) {
  /** The session that the upload goes to. Throws `SESSION_NOT_FOUND`, `SESSION_CLOSED`. */
  const placeFor = async (uploader: Uploader, session = ""): Promise<string> => {
    if ("owner" in uploader) {
      await discardWaiting(blobs, uploader.owner, clock.now());
      return waitingOf(uploader.owner);
    }
    const desk = broker.desk(uploader.by);
    const { id, status } = await desk.get(session).finally(() => desk.close());
    if (status === "pending" || status === "timed_out") return id;
    throw new AskboxError("SESSION_CLOSED", "These questions are already settled; a file can no longer be added.");
  };

  return async (request: Request, uploader: Uploader): Promise<Uploaded> => {
    const query = check(uploadSchema, Object.fromEntries(new URL(request.url).searchParams));
    const { offset, upload = randomUUID() } = query;
    const declared = request.headers.get("content-length");
    const length = declared === null ? undefined : Number(declared);
    const size = query.size ?? (length === undefined ? undefined : offset + length);
    if (size === undefined) throw new AskboxError("VALIDATION", "Say how large the file is, with size or the header Content-Length.");
    if (size > room.limits.file) throw fileTooLarge(size, room.limits.file);
    if (offset + (length ?? 0) > size) throw new AskboxError("VALIDATION", `The file has ${size} bytes, and this would be more.`);
    const sessionId = await placeFor(uploader, query.session);
    const key = { sessionId, id: upload };
    const options = "owner" in uploader ? { owner: uploader.owner, most: waitingShare * room.limits.session, full: uploadsFull } : {};
    let now = offset;
    const file = await room.store(key, size, options, async () => {
      now = await blobs.append(key, offset, atMost(request.body, size - offset));
      if (now < size) return undefined;
      const whole = now === size ? await blobs.finish(key) : undefined;
      if (whole !== undefined) return whole;
      await blobs.remove(key);
      throw new AskboxError("CONFLICT", "The upload is over: it was finished by another request, or has another size.", {
        details: { offset: 0 },
      });
    });
    if (file === undefined) return { upload, offset: now };
    const done = { sha256: file.id, size: file.size, mimeType: await storedType(blobs, file) };
    return "owner" in uploader ? { ...done, src: sourceOf(file.id, query.name) } : done;
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
