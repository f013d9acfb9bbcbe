import { bytesText } from "@askbox/core/questions";
import { decodingRoom } from "../limits.ts";

/**
 * What can be done with a picture without decoding it: read its size, say what decoding would take, remove its metadata, and decide
 * whether it can be shown as it is. The bytes come from outside: a header that is cut or lies gives no size, and such a picture is called
 * damaged.
 */

/** As clients pass pictures on untouched: the longest side in pixels, and bytes. */
const longestSide = 2_000;
export const mostBytes = 450_000;

/** What a reduced picture can be. */
export type ReducedType = "image/jpeg" | "image/png";

/** A picture as an agent's client passes it on or a terminal shows it, or a sentence that says why there is none. */
export type ShownPicture = { data: Uint8Array; mimeType: string } | string;

/** The picture as it is but for its metadata, or a sentence that says why it can't be shown; undefined if it has to be reduced, which there is `room` for in bytes. */
export function asItIs(bytes: Uint8Array, type: string, as: ReducedType, room = decodingRoom()): ShownPicture | undefined {
  const size = dimensionsOf(bytes, type);
  const plain = size && withoutMetadata(bytes, type);
  if (size === undefined || plain === undefined) return "The picture is damaged.";
  const isSmall = plain.length <= mostBytes && Math.max(size.width, size.height) <= longestSide;
  if (as === "image/jpeg" && isSmall) return { data: plain, mimeType: type };
  if (!reducible.has(type) && as === "image/png") return "Only PNG and JPEG can be shown in a terminal.";
  if (!reducible.has(type)) return `It is too large to show as it is: ${size.width} × ${size.height}, ${bytesText(bytes.length)}.`;
  if (decodedBytes(bytes, type, size) <= room) return undefined;
  return `It has ${Math.round((size.width * size.height) / 1_000_000)} megapixels, which is too much to show.`;
}

const reducible = new Set(["image/png", "image/jpeg"]);

/** Width and height in pixels. */
export interface Dimensions {
  width: number;
  height: number;
}

/** What a picture's header says of its size; undefined if it says nothing or is damaged. Nothing is decoded. */
export function dimensionsOf(bytes: Uint8Array, type: string): Dimensions | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const read = readers[type]?.(view);
    return read !== undefined && read.width > 0 && read.height > 0 ? read : undefined;
  } catch {
    // The header is cut.
    return undefined;
  }
}

/** Bytes that decoding takes, at the most: the samples as the decoder keeps them, and the pixels as RGBA. */
function decodedBytes(bytes: Uint8Array, type: string, { width, height }: Dimensions): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (type !== "image/png") return width * height * (4 + samplesPerPixel(view) * bytesOfSample);
  const [depth = 8, color = 6] = bytes.subarray(24, 26);
  return Math.ceil((width * (channelsOf.get(color) ?? 4) * depth) / 8) * height + width * height * 4;
}

/** What jpeg-js takes for a sample of a JPEG, measured: coefficients of four bytes, in small arrays that are not freed at once. */
const bytesOfSample = 15;

/** 3 for a JPEG with all of its colours, 1.5 for one with a quarter of them, as cameras write it. */
function samplesPerPixel(view: DataView): number {
  const at = startOfFrame(view);
  if (at === undefined) return 4;
  const factors = Array.from({ length: Math.min(4, view.getUint8(at + 9)) }, (_, index) => view.getUint8(at + 11 + index * 3));
  const [across, down] = [factors.map((factor) => factor >> 4), factors.map((factor) => factor & 15)];
  const most = Math.max(1, ...across) * Math.max(1, ...down);
  return across.reduce((sum, factor, index) => sum + (factor * (down[index] ?? 1)) / most, 0);
}

/** By the colour type of a PNG. */
export const channelsOf: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
]);

// keys: types that `fileType` has found.
const readers: Readonly<Record<string, (view: DataView) => Dimensions | undefined>> = {
  "image/png": (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  "image/gif": (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  "image/jpeg": jpegSize,
  "image/webp": webpSize,
};

function jpegSize(view: DataView): Dimensions | undefined {
  const at = startOfFrame(view);
  return at === undefined ? undefined : { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
}

/** Where a JPEG's size stands. */
function startOfFrame(view: DataView): number | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // A start of frame, of any coding; the other three of this range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return at;
    if (marker === 0xda || marker === 0xd9) return undefined;
    at += 2 + view.getUint16(at + 2);
  }
}

function webpSize(view: DataView): Dimensions | undefined {
  const kind = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15));
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  return kind === "VP8X" ? { width: three(24), height: three(27) } : undefined;
}

/**
 * The picture without what isn't needed to show it: EXIF with the place and the camera, XMP, comments, thumbnails, and whatever follows its
 * end. Nothing is decoded; a JPEG keeps its orientation. Undefined if it is damaged.
 */
export function withoutMetadata(bytes: Uint8Array, type: string): Uint8Array | undefined {
  try {
    return strippers[type]?.(bytes) ?? bytes;
  } catch {
    return undefined;
  }
}

// keys: types that `fileType` has found.
const strippers: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = { "image/png": png, "image/jpeg": jpeg, "image/webp": webp };

/** Parts of a picture's file; one with more is taken for damaged. Those of photos and screenshots have some hundreds. */
const maxParts = 20_000;
/** Fields of EXIF that are looked at. */
const maxFields = 200;

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textAt = (bytes: Uint8Array, at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));

const shown = new Set([
  "IHDR",
  "PLTE",
  "IDAT",
  "IEND",
  "tRNS",
  "gAMA",
  "cHRM",
  "sRGB",
  "iCCP",
  "sBIT",
  "bKGD",
  "pHYs",
  "acTL",
  "fcTL",
  "fdAT",
]);

function png(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; ; ) {
    const end = at + 12 + view.getUint32(at);
    const kind = textAt(bytes, at + 4, 4);
    if (end > bytes.length) throw new RangeError("cut");
    if (shown.has(kind)) parts.push(bytes.subarray(at, end));
    if (kind === "IEND") return Buffer.concat(parts);
    if (parts.length > maxParts) throw new RangeError("too many parts");
    at = end;
  }
}

function webp(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const parts: Uint8Array[] = [];
  const stop = Math.min(bytes.length, 8 + view.getUint32(4, true));
  for (let at = 12; at + 8 <= stop; ) {
    const kind = textAt(bytes, at, 4);
    const size = view.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    const chunk = bytes.slice(at, Math.min(end, stop));
    // The flags that announce what is left out.
    if (kind === "VP8X") chunk[8] = (chunk[8] ?? 0) & ~0x0c;
    if (kind !== "EXIF" && kind !== "XMP ") parts.push(chunk);
    if (parts.length > maxParts) throw new RangeError("too many parts");
    at = end;
  }
  const body = Buffer.concat(parts);
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([head, body]);
}

function jpeg(bytes: Uint8Array): Uint8Array {
  const view = viewOf(bytes);
  const turn = orientationOf(bytes);
  const parts = [bytes.subarray(0, 2), ...(turn > 1 ? [orientation(turn)] : [])];
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) throw new RangeError("damaged");
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xd9) {
      parts.push(bytes.subarray(at, at + 2));
      return Buffer.concat(parts);
    }
    let end = at + 2 + view.getUint16(at + 2);
    // The pixels follow, up to the next marker.
    if (marker === 0xda) while (!(view.getUint8(end) === 0xff && !isPixel(view.getUint8(end + 1)))) end += 1;
    const isProfile = marker === 0xe2 && textAt(bytes, at + 4, 11) === "ICC_PROFILE";
    const isMetadata = (marker >= 0xe1 && marker <= 0xef && marker !== 0xee && !isProfile) || marker === 0xfe;
    if (!isMetadata) parts.push(bytes.subarray(at, end));
    if (parts.length > maxParts) throw new RangeError("too many parts");
    at = end;
  }
}

/** A byte after 0xff that belongs to the pixels: an escaped one, a restart or a fill. */
const isPixel = (next: number) => next === 0 || (next >= 0xd0 && next <= 0xd7);

/** How a JPEG is to be turned, 1 to 8 as in EXIF; 1 if its first EXIF doesn't say. */
export function orientationOf(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  try {
    for (let at = 2; view.getUint8(at) === 0xff && view.getUint8(at + 1) !== 0xda; at += 2 + view.getUint16(at + 2)) {
      if (view.getUint8(at + 1) !== 0xe1 || textAt(bytes, at + 4, 4) !== "Exif") continue;
      const start = at + 10;
      const isLittle = view.getUint16(start) === 0x4949;
      const directory = start + view.getUint32(start + 4, isLittle);
      for (let entry = 0; entry < Math.min(maxFields, view.getUint16(directory, isLittle)); entry += 1) {
        const field = directory + 2 + entry * 12;
        if (view.getUint16(field, isLittle) !== 0x0112) continue;
        const turn = view.getUint16(field + 8, isLittle);
        return turn >= 1 && turn <= 8 ? turn : 1;
      }
      return 1;
    }
  } catch {
    // It is cut.
  }
  return 1;
}

/** EXIF with nothing but the orientation: a big-endian directory with one entry. */
const orientation = (turn: number): Uint8Array =>
  Buffer.from(`ffe10022${"457869660000"}${"4d4d002a00000008"}${"0001"}${"0112000300000001000"}${turn}${"0000"}${"00000000"}`, "hex");
