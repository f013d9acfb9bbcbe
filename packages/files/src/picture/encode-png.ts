import { crc32, deflateSync } from "node:zlib";
import type { Pixels } from "./pixels.ts";

const signature = Buffer.from("89504e470d0a1a0a", "hex");

/** A PNG of these pixels without their opacity. */
export function encodePng({ width, height, data }: Pixels): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // 8 bits of red, green and blue.
  head.set([8, 2], 8);
  const rowBytes = width * 3 + 1;
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const row = y * rowBytes;
    // Each sample as its difference to the pixel on the left, which packs better.
    rows[row] = 1;
    for (let x = 0; x < width; x += 1) {
      const from = (y * width + x) * 4;
      for (let channel = 0; channel < 3; channel += 1) {
        const left = x === 0 ? 0 : (data[from - 4 + channel] ?? 0);
        rows[row + 1 + x * 3 + channel] = (data[from + channel] ?? 0) - left;
      }
    }
  }
  return Buffer.concat([signature, pngChunk("IHDR", head), pngChunk("IDAT", deflateSync(rows)), pngChunk("IEND", Buffer.alloc(0))]);
}

/** A part of a PNG, with its checksum. */
export function pngChunk(kind: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
