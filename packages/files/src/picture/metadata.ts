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
