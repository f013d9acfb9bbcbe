import { inflateSync } from "node:zlib";
import { channelsOf } from "./dimensions.ts";
import type { Pixels } from "./pixels.ts";

/** Decodes a PNG; throws for one that is damaged or interlaced. The caller has checked its dimensions. */
export function decodePng(bytes: Uint8Array): Pixels {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height, depth, color, interlace] = [
    view.getUint32(16),
    view.getUint32(20),
    view.getUint8(24),
    view.getUint8(25),
    view.getUint8(28),
  ];
  const channels = channelsOf.get(color);
  if (channels === undefined || interlace !== 0) throw new RangeError("This kind of PNG cannot be reduced.");
  const packed: Uint8Array[] = [];
  let [palette, opacity] = [new Uint8Array(), new Uint8Array()];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    const kind = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (kind === "IDAT") packed.push(chunk);
    if (kind === "PLTE") palette = Uint8Array.from(chunk);
    if (kind === "tRNS") opacity = Uint8Array.from(chunk);
    at += 12 + length;
  }
  const perPixel = Math.max(1, (channels * depth) >> 3);
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  // Never more than the header announces, whatever is packed.
  const whole = (rowBytes + 1) * height;
  // In one piece, since joining pieces takes as much again.
  const raw = inflateSync(Buffer.concat(packed), { maxOutputLength: whole, chunkSize: Math.max(64, whole + 1) });
  if (raw.length < whole) throw new RangeError("The PNG is cut.");
  const data = new Uint8Array(width * height * 4);
  let above = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y += 1) {
    const start = y * (rowBytes + 1);
    const row = raw.subarray(start + 1, start + 1 + rowBytes);
    unfilter(raw[start] ?? 0, row, above, perPixel);
    for (let x = 0; x < width; x += 1) {
      const sample = (channel: number) => sampleAt(row, x * channels + channel, depth);
      const at = (y * width + x) * 4;
      if (color === 3) {
        const index = row[(x * depth) >> 3] ?? 0;
        const entry = depth === 8 ? index : (index >> (8 - depth - ((x * depth) & 7))) & ((1 << depth) - 1);
        data.set([palette[entry * 3] ?? 0, palette[entry * 3 + 1] ?? 0, palette[entry * 3 + 2] ?? 0, opacity[entry] ?? 255], at);
      } else {
        const isGrey = channels < 3;
        data[at] = sample(0);
        data[at + 1] = sample(isGrey ? 0 : 1);
        data[at + 2] = sample(isGrey ? 0 : 2);
        data[at + 3] = channels % 2 === 0 ? sample(channels - 1) : 255;
      }
    }
    above = row;
  }
  return { width, height, data };
}

/** A sample as a byte. */
function sampleAt(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index] ?? 0;
  if (depth === 16) return row[index * 2] ?? 0;
  const bits = ((row[(index * depth) >> 3] ?? 0) >> (8 - depth - ((index * depth) & 7))) & ((1 << depth) - 1);
  return (bits * 255) / ((1 << depth) - 1);
}

function unfilter(kind: number, row: Uint8Array, above: Uint8Array, perPixel: number): void {
  if (kind === 0) return;
  for (let at = 0; at < row.length; at += 1) {
    const left = at >= perPixel ? (row[at - perPixel] ?? 0) : 0;
    const up = above[at] ?? 0;
    const corner = at >= perPixel ? (above[at - perPixel] ?? 0) : 0;
    const guess = kind === 1 ? left : kind === 2 ? up : kind === 3 ? (left + up) >> 1 : paeth(left, up, corner);
    row[at] = (row[at] ?? 0) + guess;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const [a, b, c] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
