import { createHash } from "node:crypto";
import { memoryStore } from "@askbox/core";
import { describe, expect, it } from "vitest";
import { memoryBlobs } from "../src/index.ts";
import { askOne, startHub, type TestHub } from "./support.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const blobs = () => memoryBlobs({ now: () => 0, sha256 });

/** The beginning of a PNG of this size, which says all that a hub looks at. */
function png(width: number, height: number, padding = 0): Buffer {
  const bytes = Buffer.alloc(33 + padding);
  bytes.write("89504e470d0a1a0a0000000d49484452", "hex");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

const dataUrl = (bytes: Uint8Array, type = "image/png") => `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
const asking = (...images: unknown[]) => ({ questions: [{ id: "which", question: "Which?", images }] });

async function upload(
  hub: TestHub,
  bytes: Uint8Array,
  { as = "asker", query = "" }: { as?: keyof TestHub["tokens"]; query?: string } = {},
) {
  const headers = { authorization: `Bearer ${hub.tokens[as]}` };
  const response = await hub.settled(fetch(`${hub.url}/api/files?${query}`, { method: "POST", headers, body: Buffer.from(bytes) }));
  // biome-ignore lint/suspicious/noExplicitAny: tests check what they read from a response.
  return { status: response.status, body: (await hub.settled(response.json())) as any };
}

async function read(hub: TestHub, query: string, as: keyof TestHub["tokens"] = "desk") {
  const headers = { authorization: `Bearer ${hub.tokens[as]}` };
  const response = await hub.settled(fetch(`${hub.url}/api/files?${query}`, { headers }));
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await hub.settled(response.arrayBuffer())) };
}

const imagesOf = async (hub: TestHub, id: string) =>
  (await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.questions[0].images;
const ask = (hub: TestHub, ...images: unknown[]) => hub.call("POST", "/api/sessions", { as: "asker", body: asking(...images) });

describe("a picture with a question", () => {
  it("comes as a data URL or by an upload, and is shown to people and to its asker", async () => {
    const hub = await startHub({ blobs: blobs() });
    const [small, large] = [png(3, 2), png(640, 480, 500_000)];
    const { body } = await upload(hub, large, { query: "name=../..%2Fold%20page%07.jpg" });
    expect(body).toMatchObject({ sha256: sha256(large), size: large.length, mimeType: "image/png" });
    const id = await askOne(hub, asking(dataUrl(small, "text/html"), { src: body.src, alt: " The page\n as it\u202e is \u0000now " }));
    const facts = { mimeType: "image/png" };
    expect(await imagesOf(hub, id)).toEqual([
      { ...facts, name: `picture-${sha256(small).slice(0, 6)}.png`, size: 33, sha256: sha256(small), width: 3, height: 2 },
      {
        ...facts,
        name: "old page.jpg",
        size: large.length,
        sha256: sha256(large),
        width: 640,
        height: 480,
        alt: "The page as it is now",
      },
    ]);
    for (const as of ["desk", "asker"] as const) {
      const shown = await read(hub, `session=${id}&id=${sha256(large)}&inline=1`, as);
      expect([shown.status, shown.headers.get("content-type"), shown.bytes.equals(large)]).toEqual([200, "image/png", true]);
      expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
    }
    expect((await read(hub, `session=${id}&id=${sha256(small)}`, "otherAsker")).status).toBe(404);
    const headers = (await hub.settled(fetch(`${hub.url}/api/files?session=${id}&id=${sha256(small)}`))).status;
    expect(headers, "an address alone shows nothing").toBe(401);
  });

  it("can be with an option, and twice in one ask", async () => {
    const hub = await startHub({ blobs: blobs() });
    const src = dataUrl(png(3, 2));
    const id = await askOne(hub, { questions: [{ question: "Which?", images: [src], options: [{ label: "A", images: [{ src }] }, "B"] }] });
    const [question] = (await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.questions;
    expect(question.options[0].images).toEqual(question.images);
    expect(question.options[1].images).toBeUndefined();
  });

  // promise: agent-pictures, agent-paths
  it.each([
    ["a path", "/etc/passwd", "The hub opens no paths and addresses: picture 1 must be a data URL, or the src of an upload to /api/files."],
    ["a path above", "../secret.png", "The hub opens no paths and addresses"],
    ["a file URL", "file:///etc/passwd", "The hub opens no paths and addresses"],
    ["an address", "http://169.254.169.254/latest", "The hub opens no paths and addresses"],
    ["an upload that isn't there", `upload:${"0".repeat(64)}/a.png`, "Picture 1 names an upload that is not stored here (any more)."],
    ["an upload by a path", "upload:../../etc/passwd", "The hub opens no paths and addresses"],
    ["nothing", "", "The hub opens no paths and addresses"],
    ["an SVG that says PNG", dataUrl(Buffer.from("<svg onload='alert(1)'/>")), "Picture 1 is not a PNG, JPEG, GIF or WebP."],
    ["a page that says PNG", dataUrl(Buffer.from("<!doctype html>")), "Picture 1 is not a PNG, JPEG, GIF or WebP."],
    ["a PDF", dataUrl(Buffer.from("%PDF-1.7 89504e47")), "Picture 1 is not a PNG, JPEG, GIF or WebP."],
    ["a data URL without Base64", "data:image/png,%89PNG", "Picture 1 is not a data URL in Base64."],
    ["a data URL with spaces", `data:image/png;base64,${" ".repeat(100_000)}!`, "Picture 1 is not a data URL in Base64."],
    ["a cut one", dataUrl(png(3, 2).subarray(0, 20)), "Picture 1 is damaged."],
    ["one without a size", dataUrl(png(0, 2)), "Picture 1 is damaged."],
    ["a bomb", dataUrl(png(30_000, 30_000)), "Picture 1 has 900 megapixels; at most 100 can be shown."],
    ["the largest bomb", dataUrl(png(0xffffffff, 0xffffffff)), "megapixels; at most 100 can be shown."],
  ])("is refused if it is %s", async (_what, src, sentence) => {
    const kept = blobs();
    const hub = await startHub({ blobs: kept });
    const refused = await ask(hub, src);
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining(sentence)]);
    expect(await kept.list()).toEqual([]);
    expect((await hub.store.list({ limit: 10 })).sessions).toEqual([]);
  });

  // promise: agent-pictures
  it("that is two things at once is only ever sent as the picture", async () => {
    const hub = await startHub({ blobs: blobs() });
    const both = Buffer.concat([Buffer.from("474946383961030002000000003b", "hex"), Buffer.from("<script>alert(1)</script>")]);
    const id = await askOne(hub, asking(dataUrl(both, "text/html")));
    const { headers } = await read(hub, `session=${id}&id=${sha256(both)}&inline=1&name=x.html`);
    expect(headers.get("content-type")).toBe("image/gif");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("sandbox");
  });

  it("may not be another asker's upload, nor may that be read", async () => {
    const kept = blobs();
    const hub = await startHub({ blobs: kept });
    const { src, sha256: id } = (await upload(hub, png(3, 2), { as: "otherAsker" })).body;
    expect((await ask(hub, src)).body.detail).toBe("Picture 1 names an upload that is not stored here (any more).");
    const [waiting] = await kept.list();
    for (const as of ["asker", "otherAsker"] as const) {
      expect((await read(hub, `session=${waiting?.sessionId}&id=${id}`, as)).status).toBe(404);
    }
    for (const as of ["desk", "metrics"] as const) expect((await upload(hub, png(3, 2), { as })).status).toBe(403);
  });

  it("stays if a person discards the same picture from an answer", async () => {
    const hub = await startHub({ blobs: blobs() });
    const id = await askOne(hub, asking(dataUrl(png(3, 2))));
    const query = `session=${id}&id=${sha256(png(3, 2))}`;
    expect((await upload(hub, png(3, 2), { as: "desk", query: `session=${id}` })).status).toBe(201);
    expect((await hub.call("DELETE", `/api/files?${query}`, { as: "desk" })).status).toBe(204);
    expect((await read(hub, query)).status).toBe(200);
  });

  it("is removed with its session; an upload that no question shows, after ten minutes", async () => {
    let now = 0;
    const [store, kept] = [memoryStore(), memoryBlobs({ now: () => now, sha256 })];
    const hub = await startHub({ store, blobs: kept });
    now = hub.clock.now();
    const id = await askOne(hub, asking((await upload(hub, png(3, 2))).body.src));
    await upload(hub, png(9, 9));
    expect(await kept.list()).toHaveLength(3);
    await hub.clock.advance(60_000);
    expect(await kept.list(), "too early").toHaveLength(3);
    await hub.clock.advance(3_600_000);
    await expect.poll(async () => (await kept.list()).map(({ sessionId }) => sessionId)).toEqual([id]);
    await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk", body: {} });
    now = hub.clock.now() + 86_400_000;
    await store.remove({ closedBefore: now });
    await expect.poll(() => kept.list()).toEqual([]);
  });

  it.each([
    ["one file", { file: 40 }, [png(3, 2, 10)], "The file has 43 bytes; one may have at most 40 bytes."],
    [
      "one ask",
      { session: 100 },
      [png(3, 2), png(4, 2)],
      "The pictures of these questions have 66 bytes together; at most 50 bytes are possible.",
    ],
    [
      "the hub",
      { total: 50, token: 50 },
      [png(3, 2), png(4, 2)],
      "The hub stores files of 33 bytes; with 33 bytes more it would be over its limit of 50 bytes",
    ],
  ])("is bounded by what %s may have", async (_what, fileLimits, pictures, sentence) => {
    const hub = await startHub({ blobs: blobs(), fileLimits });
    const refused = await ask(hub, ...pictures.map((bytes) => dataUrl(bytes)));
    expect([refused.status, refused.body.detail]).toEqual([413, expect.stringContaining(sentence)]);
    expect((await hub.store.list({ limit: 10 })).sessions).toEqual([]);
  });

  it("can be uploaded beyond the limit only once earlier uploads are shown or ten minutes old", async () => {
    let now = 0;
    const kept = memoryBlobs({ now: () => now, sha256 });
    const hub = await startHub({ blobs: kept, fileLimits: { session: 20 } });
    now = hub.clock.now();
    for (const width of [1, 2]) expect((await upload(hub, png(width, 1))).status).toBe(201);
    const refused = await upload(hub, png(3, 1));
    expect([refused.status, refused.body.detail]).toEqual([
      413,
      "Your uploads that no question shows yet have 66 bytes; with 33 bytes more they would be over the limit of 80 bytes. Ask with them, or wait ten minutes.",
    ]);
    await hub.clock.advance(600_001);
    now = hub.clock.now();
    expect((await upload(hub, png(3, 1))).status).toBe(201);
    expect(await kept.list()).toHaveLength(1);
  });
});
