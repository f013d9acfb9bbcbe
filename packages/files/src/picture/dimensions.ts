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
export function decodedBytes(bytes: Uint8Array, type: string, { width, height }: Dimensions): number {
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
  "image/jpeg": jpeg,
  "image/webp": webp,
};

function jpeg(view: DataView): Dimensions | undefined {
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

function webp(view: DataView): Dimensions | undefined {
  const kind = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15));
  if (kind === "VP8 ") return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  if (kind === "VP8L") {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  return kind === "VP8X" ? { width: three(24), height: three(27) } : undefined;
}
