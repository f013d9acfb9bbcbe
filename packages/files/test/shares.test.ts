import { createHash } from "node:crypto";
import type { Blobs } from "@askbox/core/stores";
import { describe, expect, it } from "vitest";
import { memoryBlobs } from "../src/index.ts";
import { raw } from "./raw-requests.ts";
import { askOne, startHub, type TestHub } from "./support.ts";

const blobs = (now = () => 0): Blobs => memoryBlobs({ now, sha256: (bytes) => createHash("sha256").update(bytes).digest("hex") });

/** A picture of 33 bytes that differs by its number. */
function picture(number: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(33, number);
  bytes.write("89504e470d0a1a0a0000000d494844520000000300000002", "hex");
  return bytes;
}

let asked = 0;
const ask = async (hub: TestHub, as: "asker" | "otherAsker", ...sources: string[]) => {
  asked += 1;
  const question = { question: `Which, ${asked}?`, images: sources.map((src) => ({ src })) };
  const { status, body } = await hub.call("POST", "/api/sessions", { as, body: { questions: [question] } });
  return status === 201 ? (body.id as string) : (body.detail as string);
};
const dataUrl = (bytes: Uint8Array) => `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`;
const upload = (hub: TestHub, as: "asker" | "otherAsker", bytes: Buffer<ArrayBuffer>) =>
  raw(hub, "POST", "name=a.png", { as, body: bytes });
const attach = (hub: TestHub, session: string, bytes: Buffer<ArrayBuffer>) =>
  raw(hub, "POST", `session=${session}`, { as: "desk", body: bytes });
const isId = expect.stringMatching(/^[0-9a-z]{26}$/);

describe("the files of a token", () => {
  it("may take half of what all may, whatever its questions are, and those of another token have room", async () => {
    const hub = await startHub({ blobs: blobs(), fileLimits: { total: 150 } });
    expect([await ask(hub, "asker", dataUrl(picture(1))), await ask(hub, "asker", dataUrl(picture(2)))]).toEqual([isId, isId]);
    const sentence =
      "The questions and uploads of your token have files of 66 bytes; with 33 bytes more they would be over its limit of 75 bytes, limits.fileBytesPerToken. Files are removed with their questions.";
    expect(await ask(hub, "asker", dataUrl(picture(3)))).toBe(sentence);
    expect(await upload(hub, "asker", picture(3))).toMatchObject({ status: 413, body: { detail: sentence } });
    expect(await ask(hub, "otherAsker", dataUrl(picture(3)))).toEqual(isId);
  });

  it("count after a restart of the hub, too", async () => {
    const kept = blobs();
    const first = await startHub({ blobs: kept, fileLimits: { total: 100 } });
    expect(await ask(first, "asker", dataUrl(picture(1)))).toEqual(isId);
    const second = await startHub({ blobs: kept, store: first.store, fileLimits: { total: 100 } });
    expect(await ask(second, "asker", dataUrl(picture(2)))).toContain("limits.fileBytesPerToken");
  });

  it("count once if they are equal, which says nothing of what another token has stored", async () => {
    const hub: TestHub = await startHub({ blobs: blobs(() => hub.clock.now()), fileLimits: { total: 100, token: 60 } });
    for (let times = 0; times < 2; times += 1) expect(await ask(hub, "asker", dataUrl(picture(1)))).toEqual(isId);
    expect(await ask(hub, "asker", dataUrl(picture(2)))).toContain("limits.fileBytesPerToken");
    // As if its own were the only one.
    const { body } = await upload(hub, "otherAsker", picture(1));
    expect(body).toMatchObject({ size: 33 });
    expect((await upload(hub, "otherAsker", picture(2))).body.detail).toContain("All questions and uploads have files of 66 bytes");
  });

  it("leave a tenth of the room to people, who can attach a file when askers have filled the rest", async () => {
    const hub = await startHub({ blobs: blobs(), fileLimits: { total: 105, token: 105 } });
    const ids = [await ask(hub, "asker", dataUrl(picture(1))), await ask(hub, "asker", dataUrl(picture(2)))];
    expect(ids).toEqual([isId, isId]);
    expect(await ask(hub, "otherAsker", dataUrl(picture(3)))).toBe(
      "All questions and uploads have files of 66 bytes; with 33 bytes more they would be over 94 bytes, and the rest of limits.allFileBytes is for people's answers.",
    );
    expect((await attach(hub, ids[0] ?? "", picture(3))).status).toBe(201);
  });

  it("are not those that people attach to its questions, which fill people's share first", async () => {
    const hub = await startHub({ blobs: blobs(), fileLimits: { total: 330, token: 99 } });
    const id = await ask(hub, "asker", dataUrl(picture(1)));
    for (const number of [2, 3]) expect((await attach(hub, id, picture(number))).status).toBe(201);
    expect(await ask(hub, "asker", dataUrl(picture(4)))).toEqual(isId);
    const other = await startHub({ blobs: blobs(), fileLimits: { total: 110, token: 110 } });
    const first = await ask(other, "asker", dataUrl(picture(1)));
    expect((await attach(other, first, picture(2).subarray(0, 11))).status).toBe(201);
    expect([await ask(other, "asker", dataUrl(picture(2))), await ask(other, "otherAsker", dataUrl(picture(3)))]).toEqual([isId, isId]);
  });

  it("stay within its share when two hubs take uploads at the same moment, and a refused one leaves nothing", async () => {
    const kept = blobs(() => first.clock.now());
    const both = Promise.withResolvers<void>();
    let begun = 0;
    const slow: Blobs = {
      ...kept,
      async append(...args) {
        begun += 1;
        if (begun === 3) both.resolve();
        if (begun > 1) await both.promise;
        return kept.append(...args);
      },
    };
    const first: TestHub = await startHub({ blobs: slow, fileLimits: { total: 150 } });
    const second = await startHub({ blobs: slow, store: first.store, fileLimits: { total: 150 } });
    expect((await upload(first, "asker", picture(1))).status).toBe(201);
    const answers = await Promise.all([upload(first, "asker", picture(2)), upload(second, "asker", picture(3))]);
    expect(answers.map(({ status }) => status)).toContain(413);
    const sizes = (await kept.list()).map(({ size }) => size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(75);
  });
});

it("a limit that is undefined is the default", async () => {
  const hub = await startHub({ blobs: blobs(), fileLimits: { file: undefined, session: undefined, total: undefined, token: undefined } });
  expect((await raw(hub, "POST", "size=20000001", { as: "asker" })).body.detail).toMatch(/at most 20 MB/);
});

it("an upload that a question shows no longer counts as waiting for one", async () => {
  const hub: TestHub = await startHub({ blobs: blobs(() => hub.clock.now()), fileLimits: { session: 70 } });
  for (let number = 1; number <= 15; number += 1) {
    const { status, body } = await upload(hub, "asker", picture(number));
    expect([number, status]).toEqual([number, 201]);
    if (number % 2 === 0) expect(await ask(hub, "asker", body.src)).toEqual(isId);
  }
  expect((await upload(hub, "asker", picture(17))).body.detail).toMatch(/^Your uploads that no question shows yet have 264 bytes/);
  expect(await askOne(hub)).toEqual(isId);
});
