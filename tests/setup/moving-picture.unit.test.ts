import { crc32, deflateSync, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { movingPicture, readPng } from "../../scripts/moving-picture.ts";
import { pngChunk, pngSignature } from "./png.ts";

const [width, height] = [4, 3];
const [white, red, blue] = [0xffffff, 0xc02020, 0x2040ff];

/** A picture in three bytes a pixel, its rows filtered as said. */
function screenshot(colours: readonly number[], filter = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const plain = Buffer.from(colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const at = (row: number, column: number) => (row < 0 || column < 0 ? 0 : (plain[row * width * 3 + column] ?? 0));
  const rows = Array.from({ length: height }, (_, row) => [
    filter,
    ...Array.from({ length: width * 3 }, (_, column) => {
      const [left, above, both] = [at(row, column - 3), at(row - 1, column), at(row - 1, column - 3)];
      const guess = left + above - both;
      const near = [left, above, both].toSorted((a, b) => Math.abs(guess - a) - Math.abs(guess - b))[0] ?? 0;
      const expected = [0, left, above, Math.floor((left + above) / 2), near][filter] ?? 0;
      return (at(row, column) - expected) & 255;
    }),
  ]);
  return Buffer.concat([
    pngSignature,
    pngChunk("IHDR", header),
    pngChunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunksOf(file: Buffer): { name: string; data: Buffer }[] {
  expect(file.subarray(0, 8)).toEqual(pngSignature);
  const chunks: { name: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    expect(file.readUInt32BE(at + 8 + length), "the chunk's sum").toBe(crc32(file.subarray(at + 4, at + 8 + length)));
    chunks.push({ name: file.toString("latin1", at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) });
    at += length + 12;
  }
  return chunks;
}

/** What is seen, and for how long: each picture put over the one before. */
function played(file: Buffer): { colours: number[]; delay: number; size: number[] }[] {
  const chunks = chunksOf(file);
  const palette = chunks.find(({ name }) => name === "PLTE")?.data ?? Buffer.alloc(0);
  const canvas: number[] = Array.from({ length: width * height }, () => -1);
  const seen: ReturnType<typeof played> = [];
  let control = Buffer.alloc(0);
  for (const { name, data } of chunks) {
    if (name === "fcTL") control = Buffer.from(data);
    if (name !== "IDAT" && name !== "fdAT") continue;
    const [wide = 0, high = 0, left = 0, top = 0] = [4, 8, 12, 16].map((at) => control.readUInt32BE(at));
    const rows = inflateSync(name === "IDAT" ? data : data.subarray(4));
    for (let y = 0; y < high; y += 1)
      for (let x = 0; x < wide; x += 1) {
        const index = rows[y * (wide + 1) + 1 + x] ?? 0;
        if (index !== 0) canvas[(top + y) * width + left + x] = palette.readUIntBE(index * 3, 3);
      }
    expect(control.readUInt16BE(22), "the unit of the delay").toBe(1_000);
    seen.push({ colours: [...canvas], delay: control.readUInt16BE(20), size: [wide, high] });
  }
  return seen;
}

const plain = Array.from({ length: width * height }, () => white);
const dotted = plain.with(5, red);
const both = dotted.with(6, blue);

describe("a moving picture", () => {
  test("shows each picture for its time, and has only what changed", () => {
    const file = movingPicture([
      { png: screenshot(plain), delay: 400 },
      { png: screenshot(dotted), delay: 90 },
      { png: screenshot(both), delay: 1_000 },
      { png: screenshot(plain), delay: 10 },
    ]);
    expect(played(file)).toEqual([
      { colours: plain, delay: 400, size: [4, 3] },
      { colours: dotted, delay: 90, size: [1, 1] },
      { colours: both, delay: 1_000, size: [1, 1] },
      { colours: plain, delay: 10, size: [2, 1] },
    ]);
  });

  test("counts its pictures before the first one, numbers its parts from 0, and plays for ever", () => {
    const chunks = chunksOf(
      movingPicture([
        { png: screenshot(plain), delay: 1 },
        { png: screenshot(dotted), delay: 1 },
        { png: screenshot(both), delay: 1 },
      ]),
    );
    expect(chunks.map(({ name }) => name).join(" ")).toBe("IHDR PLTE tRNS acTL fcTL IDAT fcTL fdAT fcTL fdAT IEND");
    const counts = chunks.find(({ name }) => name === "acTL")?.data;
    expect([counts?.readUInt32BE(0), counts?.readUInt32BE(4)]).toEqual([3, 0]);
    const numbered = chunks.filter(({ name }) => name === "fcTL" || name === "fdAT");
    expect(numbered.map(({ data }) => data.readUInt32BE(0))).toEqual([0, 1, 2, 3, 4]);
  });

  test("joins pictures that are alike, so that their times add up", () => {
    const shots = [plain, plain, dotted, dotted, dotted].map((colours) => ({ png: screenshot(colours), delay: 50 }));
    expect(played(movingPicture(shots)).map(({ delay }) => delay)).toEqual([100, 150]);
  });

  test("keeps the frequent colours as they are, and none is far from what it was, however many there are", () => {
    const shots = Array.from({ length: 60 }, (_, shot) => ({
      png: screenshot(plain.map((_, place) => (place < 6 ? white : (shot * 4 + (place % 4)) * 0x010300 + 0x20))),
      delay: 20,
    }));
    const seen = played(movingPicture(shots));
    const part = (colour: number, bits: number) => (colour >> bits) & 255;
    for (const [index, { png }] of shots.entries()) {
      const before = readPng(png).colours;
      expect(seen[index]?.colours.slice(0, 6)).toEqual(plain.slice(0, 6));
      for (const [place, colour] of (seen[index]?.colours ?? []).entries())
        for (const bits of [0, 8, 16]) expect(Math.abs(part(colour, bits) - part(before[place] ?? 0, bits))).toBeLessThan(8);
    }
  });
});

test.each([0, 1, 2, 3, 4])("a screenshot whose rows have filter %i is read", (filter) => {
  const colours = Array.from({ length: width * height }, (_, place) => (place * 0x1b2d3f) & 0xffffff);
  expect([...readPng(screenshot(colours, filter)).colours]).toEqual(colours);
});
