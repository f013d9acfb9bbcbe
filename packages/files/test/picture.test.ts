import { deflateSync } from "node:zlib";
import jpeg from "jpeg-js";
import { describe, expect, it } from "vitest";
import { pictures } from "../src/picture/picture.ts";
import { asItIs, dimensionsOf, orientationOf, withoutMetadata } from "../src/picture/picture-bytes.ts";
import { decodePng, fitted, pngChunk, turned } from "../src/picture/pixels.ts";
import { inTurn } from "../src/turns.ts";
import { storedFile } from "./stored-file.ts";

interface Png {
  width: number;
  height: number;
  depth?: number;
  color?: number;
  interlace?: number;
  rows?: Uint8Array;
  more?: Buffer[];
}

function png({
  width,
  height,
  depth = 8,
  color = 2,
  interlace = 0,
  rows = new Uint8Array((width * 3 + 1) * height),
  more = [],
}: Png): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, color, 0, 0, interlace], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    pngChunk("IHDR", head),
    ...more,
    pngChunk("IDAT", deflateSync(rows, { level: 1 })),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Pixels that no coding makes small. */
function noise(width: number, height: number): Buffer<ArrayBuffer> {
  const data = Buffer.alloc(width * height * 4, 255);
  let state = 1;
  for (let at = 0; at < data.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    if (at % 4 < 3) data[at] = state >>> 16;
  }
  return data;
}

const exif = (turn: number) => Buffer.from(`ffe100224578696600004d4d002a000000080001011200030000000100${`0${turn}`}000000000000`, "hex");

/** A JPEG with a place in its EXIF, a comment and a second file behind its end. */
function jpegOf(width: number, height: number, turn = 1, data = Buffer.alloc(width * height * 4, 128)): Buffer {
  const plain = jpeg.encode({ width, height, data }, 90).data;
  const comment = Buffer.concat([Buffer.from("fffe000e", "hex"), Buffer.from("GPS 52.5,13.4")]).subarray(0, 16);
  return Buffer.concat([plain.subarray(0, 2), exif(turn), comment, plain.subarray(2), Buffer.from("PK\u0003\u0004 secret")]);
}

/** The beginning of a JPEG of this size whose brightness is sampled so. */
const jpegHead = (width: number, height: number, factors: number): Buffer => {
  const sizes = [height, width].map((side) => side.toString(16).padStart(4, "0")).join("");
  return Buffer.from(`ffd8ffc0001108${sizes}0301${factors.toString(16)}00021100031100ffd9`, "hex");
};

async function shown(bytes: Uint8Array, as?: "image/png") {
  const { blobs, key } = await storedFile(bytes);
  return pictures(blobs)(key, as);
}
const pictureOf = async (bytes: Uint8Array, as?: "image/png") => {
  const picture = await shown(bytes, as);
  if (typeof picture === "string") throw new Error(picture);
  return { ...picture, ...dimensionsOf(picture.data, picture.mimeType) };
};

describe("a picture for an agent", () => {
  it("that is small is the same picture without place, comment and whatever follows it", async () => {
    const small = jpegOf(40, 30, 6);
    const { data, mimeType } = await pictureOf(small);
    expect(mimeType).toBe("image/jpeg");
    expect(String(Buffer.from(data))).not.toMatch(/GPS|secret/);
    expect(orientationOf(data)).toBe(6);
    expect(jpeg.decode(data).data).toEqual(jpeg.decode(small).data);
    const text = pngChunk("tEXt", Buffer.from("Author\0Ada"));
    const plain = png({ width: 4, height: 3 });
    expect((await pictureOf(Buffer.concat([png({ width: 4, height: 3, more: [text] }), Buffer.from("<script>")]))).data).toEqual(plain);
  });

  it("that is large is reduced to 2000 pixels and 450 KB, and stands upright", async () => {
    const photo = await pictureOf(jpegOf(2_100, 300, 6, noise(2_100, 300)));
    expect([photo.mimeType, photo.height]).toEqual(["image/jpeg", 1_600]);
    expect(photo.width).toBeLessThan(300);
    expect(photo.data.length).toBeLessThanOrEqual(450_000);
    const screenshot = await pictureOf(png({ width: 2_400, height: 300 }));
    expect([screenshot.width, screenshot.height, screenshot.mimeType]).toEqual([2_000, 250, "image/jpeg"]);
  });

  it("that is large is loaded when its turn comes, so that those that wait take no memory", async () => {
    const { blobs, key, loads } = await storedFile(jpegOf(2_100, 300, 1, noise(2_100, 300)));
    const show = pictures(blobs);
    const both = await Promise.all([show(key), show(key, "image/png")]);
    expect(both).toMatchObject([{ mimeType: "image/jpeg" }, { mimeType: "image/png" }]);
    expect(loads).toEqual(["begins", "ends", "begins", "ends"]);
  });

  it("that somebody has seen is kept for the next, and wanted twice at once it is read once", async () => {
    const { blobs, key, loads } = await storedFile(jpegOf(2_100, 300, 1, noise(2_100, 300)));
    const show = pictures(blobs);
    const [first, second] = await Promise.all([show(key), show(key)]);
    expect(second).toBe(first);
    expect(await show(key)).toBe(first);
    expect(loads).toEqual(["begins", "ends"]);
  });

  it("is read after those that others want, however many one wants, and not at all when nobody waits any more", async () => {
    const { blobs, key, loads } = await storedFile(jpegOf(2_100, 300, 1, noise(2_100, 300)));
    const order: string[] = [];
    const want = (owner: string, name: string, signal?: AbortSignal) => inTurn(async () => void order.push(name), { owner, signal });
    const busy = Promise.withResolvers<void>();
    const running = inTurn(() => busy.promise, { owner: "agent" });
    const gone = new AbortController();
    const wanted = [..."abcdef"].map((name) => want("agent", name, name > "b" ? gone.signal : undefined).catch(() => "left"));
    const asked = pictures(blobs)(key, "image/jpeg", { owner: "agent", signal: gone.signal }).catch(() => "left");
    const person = want("person", "small");
    gone.abort();
    expect(await asked).toBe("left");
    busy.resolve();
    await Promise.all([running, person, ...wanted]);
    expect(order).toEqual(["small", "a", "b"]);
    expect(loads).toEqual([]);
  });

  it.each([
    // Each says that it has 65,535 fields, and none is the turn.
    ["many EXIF segments", Buffer.from(`ffe10012${"457869660000"}${"4d4d002a00000008"}ffff`, "hex"), 60_000],
    ["more parts than any picture has", Buffer.from("ffe20002", "hex"), 100_000],
  ])("takes no longer for more than its bytes: %s", (_, part, count) => {
    const file = Buffer.concat([Buffer.from("ffd8", "hex"), ...Array.from({ length: count }, () => part), Buffer.from("ffd9", "hex")]);
    let reads = 0;
    const { getUint16 } = DataView.prototype;
    DataView.prototype.getUint16 = function (...where) {
      reads += 1;
      if (reads > 2 * file.length) throw new RangeError("too many reads");
      return getUint16.apply(this, where);
    };
    try {
      expect(orientationOf(file)).toBe(1);
      withoutMetadata(file, "image/jpeg");
    } finally {
      DataView.prototype.getUint16 = getUint16;
    }
    expect(reads).toBeLessThan(2 * file.length);
  });

  it.each([
    ["a PNG of 33 megapixels and 16 bits", png({ width: 11_000, height: 3_000, depth: 16, rows: new Uint8Array(10) }), true],
    ["a PNG of as many and 8 bits", png({ width: 11_000, height: 3_000, rows: new Uint8Array(10) }), false],
    ["a JPEG of 10 megapixels with all of its colours", jpegHead(4_000, 2_500, 0x11), true],
    ["a JPEG of as many with a quarter of them, as cameras write it", jpegHead(4_000, 2_500, 0x22), false],
  ])("is refused by what decoding would take, not by its pixels alone: %s", (_, file, isRefused) => {
    const said = asItIs(file, file[0] === 0xff ? "image/jpeg" : "image/png", "image/png", 320_000_000);
    expect(typeof said === "string").toBe(isRefused);
  });

  it.each([
    [
      "a PNG of 400 megapixels",
      png({ width: 20_000, height: 20_000, rows: new Uint8Array(10) }),
      "It has 400 megapixels, which is too much to show.",
    ],
    [
      "a PNG with less than it announces",
      png({ width: 3_000, height: 3_000, rows: new Uint8Array(10) }),
      "The picture cannot be reduced to be shown.",
    ],
    [
      "a PNG with far more than it announces",
      png({ width: 2_001, height: 1, rows: new Uint8Array(50_000_000) }),
      "The picture cannot be reduced to be shown.",
    ],
    ["a PNG that ends early", png({ width: 10, height: 10 }).subarray(0, 50), "The picture is damaged."],
    ["a JPEG that ends early", jpegOf(40, 30).subarray(0, 300), "The picture is damaged."],
    ["a JPEG without a size", Buffer.from("ffd8ffd9", "hex"), "The picture is damaged."],
    ["a text", Buffer.from("hello"), "It is not a picture that can be shown."],
    ["a drawing with scripts", Buffer.from("<svg/>"), "It is not a picture that can be shown."],
  ])("is refused in a sentence: %s", async (_what, bytes, sentence) => {
    expect(await shown(bytes)).toBe(sentence);
  });
});

describe("a picture for a terminal", () => {
  it("is a new PNG of its pixels, whatever else the file contains", async () => {
    const rows = Uint8Array.of(0, 10, 20, 30, 40, 50, 60, 0, 1, 2, 3, 4, 5, 6);
    const text = pngChunk("tEXt", Buffer.from("Author\0\u001b[31m"));
    const file = Buffer.concat([png({ width: 2, height: 2, rows, more: [text] }), Buffer.from("\u001b]52;c;AAAA\u0007")]);
    const { data, mimeType } = await pictureOf(file, "image/png");
    expect(mimeType).toBe("image/png");
    expect(Buffer.from(data).includes("\u001b")).toBe(false);
    expect(decodePng(data)).toEqual(decodePng(png({ width: 2, height: 2, rows })));
    expect(Buffer.from(data)).toEqual(Buffer.from((await pictureOf(png({ width: 2, height: 2, rows }), "image/png")).data));
  });

  it("fits in a megabyte, even if nothing packs it, and stands upright", async () => {
    const { data, width, height } = await pictureOf(jpegOf(600, 580, 6, noise(600, 580)), "image/png");
    expect(data.length).toBeLessThanOrEqual(1_000_000);
    expect((width ?? 0) < (height ?? 0)).toBe(true);
  });

  it.each([
    ["a GIF", Buffer.from("47494638396110002000", "hex"), "Only PNG and JPEG can be shown in a terminal."],
    ["a damaged PNG", png({ width: 30, height: 30, rows: new Uint8Array(10) }), "The picture cannot be reduced to be shown."],
    ["a text", Buffer.from("\u001b[31m"), "It is not a picture that can be shown."],
  ])("is refused in a sentence: %s", async (_what, bytes, sentence) => {
    expect(await shown(bytes, "image/png")).toBe(sentence);
  });
});

it.each([
  ["image/gif", "47494638396110002000", { width: 16, height: 32 }],
  ["image/webp", "52494646000000005745425056503858000000000000000063000031000000", { width: 100, height: 50 }],
  ["image/webp", "5249464600000000574542505650384c000000002f63400c00", { width: 100, height: 50 }],
  ["image/png", "89504e470d0a1a0a", undefined],
])("the size of %s %s is read from its header", (type, hex, size) => {
  expect(dimensionsOf(Buffer.from(hex, "hex"), type)).toEqual(size);
});

it("a WebP loses its EXIF, and the flag that announces it", () => {
  const part = (kind: string, hex: string) => {
    const body = Buffer.from(hex, "hex");
    const head = Buffer.alloc(8);
    head.write(kind, "latin1");
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const file = (flags: string, ...parts: Buffer[]) => {
    const body = Buffer.concat([Buffer.from("WEBP"), part("VP8X", `${flags}000000630000310000`), ...parts]);
    const head = Buffer.alloc(8);
    head.write("RIFF", "latin1");
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const [pixels, place] = [part("VP8 ", "00112233"), part("EXIF", "4d4d")];
  expect(Buffer.from(withoutMetadata(file("18", pixels, place), "image/webp") ?? [])).toEqual(file("10", pixels));
});

it.each([
  ["grey", { depth: 8, color: 0, rows: Uint8Array.of(0, 10, 20) }, [10, 10, 10, 255, 20, 20, 20, 255]],
  ["1-bit grey", { depth: 1, color: 0, rows: Uint8Array.of(0, 0b0100_0000) }, [0, 0, 0, 255, 255, 255, 255, 255]],
  ["16-bit colour", { depth: 16, color: 2, rows: Uint8Array.of(0, 1, 9, 2, 9, 3, 9, 4, 9, 5, 9, 6, 9) }, [1, 2, 3, 255, 4, 5, 6, 255]],
  ["grey with opacity", { depth: 8, color: 4, rows: Uint8Array.of(0, 1, 2, 3, 4) }, [1, 1, 1, 2, 3, 3, 3, 4]],
  ["filtered by the left", { depth: 8, color: 2, rows: Uint8Array.of(1, 1, 2, 3, 1, 1, 1) }, [1, 2, 3, 255, 2, 3, 4, 255]],
  [
    "with a palette",
    {
      depth: 4,
      color: 3,
      rows: Uint8Array.of(0, 0x01),
      more: [pngChunk("PLTE", Buffer.of(1, 2, 3, 4, 5, 6)), pngChunk("tRNS", Buffer.of(7))],
    },
    [1, 2, 3, 7, 4, 5, 6, 255],
  ],
])("a PNG is decoded: %s", (_kind, parts, pixels) => {
  expect([...decodePng(png({ width: 2, height: 1, ...parts })).data]).toEqual(pixels);
});

/** Four pixels, told apart by their red. */
const square = (...reds: number[]) => ({ width: 2, height: 2, data: Uint8Array.from(reds.flatMap((red) => [red, 0, 0, 255])) });
const redsOf = ({ data }: { data: Uint8Array }) => [...data].filter((_, at) => at % 4 === 0);

it.each([
  [1, [1, 2, 3, 4]],
  [2, [2, 1, 4, 3]],
  [3, [4, 3, 2, 1]],
  [4, [3, 4, 1, 2]],
  [5, [1, 3, 2, 4]],
  [6, [3, 1, 4, 2]],
  [7, [4, 2, 3, 1]],
  [8, [2, 4, 1, 3]],
])("a picture with EXIF's orientation %i is turned upright", (turn, reds) => {
  expect(redsOf(turned(square(1, 2, 3, 4), turn))).toEqual(reds);
});

it("a picture is reduced to the mean of its pixels, on white where one can see through", () => {
  expect(redsOf(fitted(square(10, 20, 30, 40), 1))).toEqual([25]);
  const clear = { width: 2, height: 1, data: Uint8Array.of(0, 0, 0, 255, 0, 0, 0, 0) };
  expect([...fitted(clear, 1).data]).toEqual([127, 127, 127, 255]);
});
