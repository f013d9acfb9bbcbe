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

// keys: types that `fileType` has found.
const readers: Readonly<Record<string, (view: DataView) => Dimensions | undefined>> = {
  "image/png": (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  "image/gif": (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  "image/jpeg": jpeg,
  "image/webp": webp,
};

function jpeg(view: DataView): Dimensions | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    // A start of frame, of any coding; the other three of this range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
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
