import { deflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { type AttackedHub, attackedHub } from "./support/attacked-hub.ts";

async function upload(hub: AttackedHub, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const headers = { authorization: `Bearer ${hub.tokens.asker}` };
  const response = await fetch(new URL("/api/files?name=picture", hub.url), { method: "POST", headers, body: bytes });
  const { src, detail } = (await response.json()) as { src?: string; detail?: string };
  if (src === undefined) throw new Error(detail);
  return src;
}

/** Asks with a picture, and returns its address, reduced for an agent. */
async function askWith(hub: AttackedHub, bytes: Buffer<ArrayBuffer>, question: string): Promise<string> {
  const body = { questions: [{ question, images: [await upload(hub, bytes)] }] };
  const session = (await (await hub.fetch("/api/sessions", { as: "asker", method: "POST", body })).json()) as {
    id: string;
    questions: { images: { sha256: string }[] }[];
  };
  return `/api/files?session=${session.id}&id=${session.questions[0]?.images[0]?.sha256}&fit=1`;
}

const chunk = (kind: string, data: Buffer) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(kind, 4, "latin1");
  return Buffer.concat([head, data, Buffer.alloc(4)]);
};

/** A PNG that announces this size, of zeros. */
function png(width: number, height: number, depth: number, bytes: number): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(bytes), { level: 9 });
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

/** A JPEG of a size that is never decoded, with EXIF segments that each claim 65,535 fields. */
function exifBomb(bytes: number): Buffer<ArrayBuffer> {
  const size = Buffer.from("ffc0000b080010001001011100", "hex");
  const segment = Buffer.from(`ffe10012${"457869660000"}${"4d4d002a00000008"}ffff`, "hex");
  const many = Array.from({ length: Math.floor(bytes / segment.length) }, () => segment);
  return Buffer.concat([Buffer.from("ffd8", "hex"), size, ...many, Buffer.from("ffd9", "hex")]);
}

// promise: pictures-hold-up-nobody
test("pictures made to be slow to read hold up nobody else, and one made to take memory takes none", async () => {
  const hub = await attackedHub();
  const paths = [
    await askWith(hub, exifBomb(3_000_000), "Is it this?"),
    await askWith(hub, exifBomb(15_000_000), "Or this?"),
    await askWith(hub, png(10_000, 10_000, 16, 60_000_000), "Or this one?"),
  ];
  await hub.cost();
  const given = await Promise.all(paths.map(async (path) => (await hub.fetch(path, { as: "asker" })).status));
  // Without its metadata, the first two have next to nothing left.
  expect(given).toEqual([200, 200, 400]);
  const { stall, memory } = await hub.cost();
  expect(stall, "processor time in ms in which it answered nobody").toBeLessThan(400);
  expect(memory).toBeLessThan(300);
});

test("a person's small picture comes before the rest of an agent's, and what nobody waits for is not read", {
  tags: "nightly",
}, async () => {
  const hub = await attackedHub();
  // Each takes a second or so to be decoded.
  const large = png(5_000, 5_000, 8, 75_005_000);
  const agents = await Promise.all(
    [1, 2, 3, 4].map((number) => askWith(hub, Buffer.concat([large, Buffer.of(number)]), `Is it ${number}?`)),
  );
  const small = await askWith(hub, png(2_100, 10, 8, 63_010), "Is it the small one?");
  const gone = new AbortController();
  const order: string[] = [];
  const get = async (path: string, as: "asker" | "desk", signal?: AbortSignal) => {
    const response = await fetch(new URL(path, hub.url), {
      headers: { authorization: `Bearer ${hub.tokens[as]}` },
      signal: signal ?? null,
    });
    await response.arrayBuffer();
    if (!order.includes(path)) order.push(path);
    return response.status;
  };
  const wanted = agents.map((path) => get(path, "asker"));
  const abandoned = agents.map((path) => get(path, "asker", gone.signal).catch(() => 0));
  expect(await get(small, "desk")).toBe(200);
  gone.abort();
  await Promise.all([...wanted, ...abandoned]);
  expect(order.indexOf(small), "after the one that was being read, at most").toBeLessThanOrEqual(1);
});
