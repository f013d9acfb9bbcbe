import { createHash, randomUUID } from "node:crypto";
import { type Answerer, AskboxError, type Broker, type Platform } from "@askbox/core";
import { type AskedImage, type Blobs, type Image, isUploadId, type TakeImages } from "@askbox/core/stores";
import * as z from "zod";
import { storedType } from "./checked-files.ts";
import { fileTooLarge, maxPixels, picturesFull, uploadsFull } from "./limits.ts";
import { cleanName, extensionOf, fileType, isPicture } from "./name-and-type.ts";
import { dimensionsOf } from "./picture/picture-bytes.ts";
import { discardWaiting, type StorageRoom, sourceOf, uploadIn, waitingOf } from "./storage-room.ts";

/**
 * The two ways by which a file comes in: a person or an asker uploads one, in pieces if the connection breaks; or a question brings its
 * pictures, as data or as uploads that came before it. Both are bounded before a byte is stored, and hostile until then: a wrong length, a
 * picture that is none or has too many pixels, and an upload of another token are refused with a sentence.
 */

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
type Uploader = { by: Answerer } | { owner: string };

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

/** Bytes of a picture in which its size must stand; a profile and a thumbnail come before it. */
const headOfPicture = 1_048_576;

/** A picture of an ask, and where its bytes come from. */
interface Taken {
  image: Image;
  read(): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** Takes the pictures of asks: from data URLs, and from their asker's own uploads. Never from a path or another address. */
export function takeAskedImages(blobs: Blobs, room: StorageRoom): TakeImages {
  return async (owner, asked) => {
    const taken: Taken[] = [];
    for (const [index, image] of asked.entries()) taken.push(await take(blobs, owner, image, index + 1));
    const files = new Map(taken.map((one) => [one.image.sha256, one]));
    // The rest of the session's room is for the person's files.
    const most = room.limits.session / 2;
    const sum = [...files.values()].reduce((bytes, { image }) => bytes + image.size, 0);
    const large = taken.find(({ image }) => image.size > room.limits.file);
    if (large !== undefined) throw fileTooLarge(large.image.size, room.limits.file);
    if (sum > most) throw picturesFull(sum, most);
    return {
      images: taken.map(({ image }) => image),
      async keep(sessionId) {
        for (const { image, read } of files.values()) {
          if ((await blobs.touch({ sessionId, id: image.sha256 })) !== undefined) continue;
          const upload = { sessionId, id: `picture-${randomUUID()}` };
          const file = await room.store(upload, image.size, { owner, sha256: image.sha256 }, async () => {
            const bytes = await read();
            if (bytes === undefined) return undefined;
            await blobs.append(upload, 0, bytes);
            return blobs.finish(upload);
          });
          if (file?.id !== image.sha256) throw refusal(`The upload of ${JSON.stringify(image.name)} is gone; upload it again.`);
        }
      },
    };
  };
}

async function take(blobs: Blobs, owner: string, { src, alt }: AskedImage, number: number): Promise<Taken> {
  const upload = uploadIn(src);
  const bytes = upload === undefined ? bytesOfDataUrl(src, number) : undefined;
  const key = { sessionId: waitingOf(owner), id: upload?.sha256 ?? "" };
  const stored = upload && (await blobs.touch(key));
  if (upload !== undefined && stored === undefined) throw refusal(`Picture ${number} names an upload that is not stored here (any more).`);
  const head = bytes ?? (await joined(await blobs.read(key, { end: headOfPicture })));
  const mimeType = fileType(head);
  if (!isPicture(mimeType)) throw refusal(`Picture ${number} is not a PNG, JPEG, GIF or WebP.`);
  const size = dimensionsOf(head, mimeType);
  if (size === undefined) throw refusal(`Picture ${number} is damaged.`);
  const pixels = size.width * size.height;
  if (pixels > maxPixels) {
    throw refusal(`Picture ${number} has ${Math.round(pixels / 1e6)} megapixels; at most ${maxPixels / 1e6} can be shown.`);
  }
  const words = alt && cleanText(alt);
  const sha256 = upload?.sha256 ?? createHash("sha256").update(head).digest("hex");
  const image: Image = {
    // The same picture has the same name wherever it stands, since that is part of the question.
    name: cleanName(upload?.name ?? "", `picture-${sha256.slice(0, 6)}.${extensionOf(mimeType)}`),
    mimeType,
    size: bytes?.length ?? stored?.size ?? 0,
    sha256,
    ...size,
    ...(words && { alt: words }),
  };
  return { image, read: async () => (bytes ? pieces(bytes) : blobs.read(key)) };
}

/** Throws `VALIDATION` unless it is one. */
function bytesOfDataUrl(src: string, number: number): Buffer {
  const [head = "", data = ""] = src.slice(0, 400).includes(",") ? splitAt(src, src.indexOf(",")) : [];
  if (/^data:.*;base64$/is.test(head) && /^[\w+/-]+={0,2}$/.test(data)) return Buffer.from(data, "base64");
  throw refusal(
    src.startsWith("data:")
      ? `Picture ${number} is not a data URL in Base64.`
      : `The hub opens no paths and addresses: picture ${number} must be a data URL, or the src of an upload to /api/files.`,
  );
}

const splitAt = (text: string, at: number) => [text.slice(0, at), text.slice(at + 1)];

/** On one line, without control characters and direction marks. */
const cleanText = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu, "")
    .trim();

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function joined(bytes: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of bytes ?? []) all.push(piece);
  return Buffer.concat(all);
}

const refusal = (sentence: string) => new AskboxError("VALIDATION", sentence);

/** Returns the value if it matches the schema. Throws `VALIDATION` with a sentence about what doesn't. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw new AskboxError("VALIDATION", `${first?.path.join(".") || "The request"} is not valid: ${first?.message}.`);
}
