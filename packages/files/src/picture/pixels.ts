import { crc32, deflateSync, inflateSync } from "node:zlib";
import { channelsOf, type Dimensions } from "./picture-bytes.ts";

/**
 * Pixels in memory, and PNG as their file: made smaller, turned upright, decoded and encoded. A damaged PNG throws; whoever decodes has
 * checked before what it takes.
 */

/** Pixels as RGBA, a byte each. */
export interface Pixels extends Dimensions {
  data: Uint8Array;
}

/** The picture made smaller so that neither side is longer than this, each pixel the mean of those that it covers, on white. */
export function fitted({ width, height, data }: Pixels, longest: number): Pixels {
  const scale = Math.min(1, longest / Math.max(width, height));
  const [w, h] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const out = new Uint8Array(w * h * 4);
  for (let y = 0; y < h; y += 1) {
    const [top, bottom] = [Math.floor((y * height) / h), Math.max(Math.floor((y * height) / h) + 1, Math.floor(((y + 1) * height) / h))];
    for (let x = 0; x < w; x += 1) {
      const left = Math.floor((x * width) / w);
      const right = Math.max(left + 1, Math.floor(((x + 1) * width) / w));
      let [red, green, blue, alpha] = [0, 0, 0, 0];
      for (let row = top; row < bottom; row += 1) {
        for (let at = (row * width + left) * 4, end = (row * width + right) * 4; at < end; at += 4) {
          const opacity = data[at + 3] ?? 0;
          red += (data[at] ?? 0) * opacity;
          green += (data[at + 1] ?? 0) * opacity;
          blue += (data[at + 2] ?? 0) * opacity;
          alpha += opacity;
        }
      }
      const full = (bottom - top) * (right - left) * 255;
      const at = (y * w + x) * 4;
      const white = 255 * (full - alpha);
      out[at] = (red + white) / full;
      out[at + 1] = (green + white) / full;
      out[at + 2] = (blue + white) / full;
      out[at + 3] = 255;
    }
  }
  return { width: w, height: h, data: out };
}

/** The picture turned as EXIF's orientation, 1 to 8, says. */
export function turned({ width, height, data }: Pixels, turn: number): Pixels {
  if (turn <= 1) return { width, height, data };
  const isSideways = turn >= 5;
  const [w, h] = isSideways ? [height, width] : [width, height];
  const out = new Uint32Array(w * h);
  const source = new Uint32Array(data.buffer, data.byteOffset, width * height);
  for (let y = 0; y < h; y += 1) {
    for (let x = 0; x < w; x += 1) {
      const [across, down] = isSideways ? [y, x] : [x, y];
      const isMirrored = isSideways ? turn === 7 || turn === 8 : turn === 2 || turn === 3;
      const isUpset = isSideways ? turn === 6 || turn === 7 : turn === 3 || turn === 4;
      out[y * w + x] = source[(isUpset ? height - 1 - down : down) * width + (isMirrored ? width - 1 - across : across)] ?? 0;
    }
  }
  return { width: w, height: h, data: new Uint8Array(out.buffer) };
}

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
