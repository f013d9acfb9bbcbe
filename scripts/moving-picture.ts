import { deflateSync, inflateSync } from "node:zlib";
import { pngChunk, pngSignature } from "../tests/setup/png.ts";

/**
 * Joins screenshots into an animated PNG, which browsers play in an `<img>` and sites such as GitHub and npm pass on as it is. A picture in the
 * file is the rectangle that changed since the one before, with one palette for all of them.
 */
export interface Shot {
  /** As Chromium writes it: 8 bits for each of red, green, blue and maybe alpha, which is left out; not interlaced. */
  png: Uint8Array;
  /** For how long it is shown, in ms. */
  delay: number;
}

interface Pixels {
  width: number;
  height: number;
  /** One number for each pixel: 0xRRGGBB. */
  colours: Uint32Array;
}

interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The index of what a picture leaves as the one before had it. */
const unchanged = 0;
/** How many colours an index of one byte leaves beside that one. */
const maxColours = 255;

export function movingPicture(shots: readonly Shot[]): Buffer {
  const pictures = shots.map(({ png }) => readPng(png));
  const [first] = pictures;
  if (first === undefined) throw new Error("A moving picture needs at least one.");
  const { width, height } = first;
  const { palette, indexOf } = paletteFor(pictures.map(({ colours }) => colours));

  const parts: { area: Area; rows: Buffer; delay: number }[] = [];
  let shown: Uint32Array | undefined;
  for (const [index, { colours }] of pictures.entries()) {
    const picture = { width, height, colours: colours.map(indexOf) };
    const area = shown === undefined ? { left: 0, top: 0, width, height } : areaOfChange(shown, picture);
    const delay = shots[index]?.delay ?? 0;
    const last = parts.at(-1);
    if (area !== undefined) parts.push({ area, rows: rowsOf(picture, area, shown), delay });
    else if (last !== undefined) last.delay += delay;
    shown = picture.colours;
  }

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits for each index into a palette.
  header.set([8, 3, 0, 0, 0], 8);
  const counts = Buffer.alloc(8);
  // How often it is played stays 0: for ever.
  counts.writeUInt32BE(parts.length);
  let sequence = 0;
  const numbered = (name: string, data: Buffer): Buffer => {
    const number = Buffer.alloc(4);
    number.writeUInt32BE(sequence++);
    return pngChunk(name, Buffer.concat([number, data]));
  };
  return Buffer.concat([
    pngSignature,
    pngChunk("IHDR", header),
    pngChunk("PLTE", Buffer.from([0, ...palette].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    pngChunk("tRNS", Buffer.from([0])),
    pngChunk("acTL", counts),
    ...parts.flatMap(({ area, rows, delay }, index) => {
      const control = numbered("fcTL", controlOf(area, delay, index === 0));
      const data = deflateSync(rows, { level: 9, memLevel: 9 });
      return [control, index === 0 ? pngChunk("IDAT", data) : numbered("fdAT", data)];
    }),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Where a picture of the file lies, for how long it is shown, and that it is put over the one before. */
function controlOf({ left, top, width, height }: Area, delay: number, isFirst: boolean): Buffer {
  const data = Buffer.alloc(22);
  for (const [index, value] of [width, height, left, top].entries()) data.writeUInt32BE(value, index * 4);
  data.writeUInt16BE(delay, 16);
  data.writeUInt16BE(1_000, 18);
  data[21] = isFirst ? 0 : 1;
  return data;
}

/** The indexes of an area, each row after the number of its filter, which is none. */
function rowsOf({ width, colours }: Pixels, area: Area, shown: Uint32Array | undefined): Buffer {
  const rows = Buffer.alloc((area.width + 1) * area.height);
  let at = 0;
  for (let y = area.top; y < area.top + area.height; y += 1) {
    at += 1;
    for (let x = area.left; x < area.left + area.width; x += 1) {
      const place = y * width + x;
      rows[at++] = colours[place] === shown?.[place] ? unchanged : (colours[place] ?? unchanged);
    }
  }
  return rows;
}

/** The smallest area with all that differs; undefined if nothing does. */
function areaOfChange(before: Uint32Array, { width, colours }: Pixels): Area | undefined {
  let [left, top, right, bottom] = [width, -1, -1, -1];
  for (let place = 0; place < colours.length; place += 1) {
    if (colours[place] === before[place]) continue;
    const x = place % width;
    bottom = Math.floor(place / width);
    if (top < 0) top = bottom;
    left = Math.min(left, x);
    right = Math.max(right, x);
  }
  return top < 0 ? undefined : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

const distance = (a: number, b: number): number =>
  Math.max(Math.abs((a >> 16) - (b >> 16)), Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)), Math.abs((a & 255) - (b & 255)));

/** The most frequent colours, each as far from the others as it takes for all to have one that is near. */
function paletteFor(pictures: readonly Uint32Array[]): { palette: number[]; indexOf(colour: number): number } {
  const counts = new Map<number, number>();
  for (const colours of pictures) for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  let palette: number[] = [];
  for (let apart = 1; ; apart += 1) {
    palette = [];
    for (const colour of frequent) {
      if (palette.every((chosen) => distance(chosen, colour) >= apart)) palette.push(colour);
      if (palette.length > maxColours) break;
    }
    if (palette.length <= maxColours) break;
  }
  const indexes = new Map<number, number>();
  const nearest = (colour: number): number => {
    let best = 0;
    for (const [index, chosen] of palette.entries()) if (distance(chosen, colour) < distance(palette[best] ?? 0, colour)) best = index;
    return best + 1;
  };
  return {
    palette,
    indexOf(colour) {
      const index = indexes.get(colour) ?? nearest(colour);
      indexes.set(colour, index);
      return index;
    },
  };
}

/** Reads a screenshot. */
export function readPng(png: Uint8Array): Pixels {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const data: Buffer[] = [];
  let header = Buffer.alloc(0);
  for (let at = pngSignature.length; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") header = Buffer.from(body);
    if (name === "IDAT") data.push(body);
    at += length + 12;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, kind, , , interlaced] = header.subarray(8);
  if (depth !== 8 || (kind !== 2 && kind !== 6) || interlaced !== 0) throw new Error("This is no screenshot of Chromium.");
  const bytes = kind === 2 ? 3 : 4;
  const rows = unfiltered(inflateSync(Buffer.concat(data)), width * bytes, bytes);
  const colours = new Uint32Array(width * height);
  for (let place = 0; place < colours.length; place += 1) colours[place] = rows.readUIntBE(place * bytes, 3);
  return { width, height, colours };
}

/** What a filter expects a byte to be, from those before it, above it, and before the one above. */
const filters: readonly ((left: number, above: number, both: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  paeth,
];

/** Undoes the filter of each row, which left how its bytes differ from what they were expected to be. */
function unfiltered(filtered: Buffer, length: number, bytes: number): Buffer {
  const rows = Buffer.alloc((filtered.length / (length + 1)) * length);
  for (let row = 0; row * length < rows.length; row += 1) {
    const from = row * (length + 1);
    const expect = filters[filtered[from] ?? 0] ?? paeth;
    for (let column = 0; column < length; column += 1) {
      const at = row * length + column;
      const left = column < bytes ? 0 : (rows[at - bytes] ?? 0);
      const above = row === 0 ? 0 : (rows[at - length] ?? 0);
      const both = column < bytes || row === 0 ? 0 : (rows[at - length - bytes] ?? 0);
      rows[at] = (filtered[from + 1 + column] ?? 0) + expect(left, above, both);
    }
  }
  return rows;
}

/** That of the three which is nearest to what they would give together. */
function paeth(left: number, above: number, both: number): number {
  const [toLeft, toAbove, toBoth] = [above - both, left - both, left + above - 2 * both].map(Math.abs) as [number, number, number];
  if (toLeft <= toAbove && toLeft <= toBoth) return left;
  return toAbove <= toBoth ? above : both;
}
