import { createHash, randomUUID } from "node:crypto";
import { AskboxError } from "@askbox/core";
import type { AskedImage, Blobs, Image, TakeImages } from "@askbox/core/stores";
import { uploadIn, waitingOf } from "./asker-uploads.ts";
import { cleanName } from "./file-name.ts";
import { extensionOf, fileType, isPicture } from "./file-type.ts";
import { fileTooLarge, maxPixels, picturesFull } from "./limits.ts";
import { dimensionsOf } from "./picture/dimensions.ts";
import type { StorageRoom } from "./storage-room.ts";

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
