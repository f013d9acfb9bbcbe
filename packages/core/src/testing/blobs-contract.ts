import type { Blobs, StoredBlob } from "../ports/blobs.ts";
import { assert, assertEqual, assertRejects, type ContractCase } from "./contract.ts";

/** What the suite for `Blobs` runs on. */
export interface BlobsHarness {
  /** Blobs that are empty at first. With `again`, those that the last call opened, closed and opened again, if they are durable. */
  open(options?: { again?: boolean }): Promise<Blobs>;
  /** Whether they outlive being closed. */
  durable: boolean;
}

const sessionId = "01j00000000000000000000001";
const other = "01j00000000000000000000002";
const upload = { sessionId, id: "upload-1" };
/** "hello" and its SHA-256. */
const hello = Uint8Array.of(104, 101, 108, 108, 111);
const helloId = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

async function* pieces(...parts: readonly (Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

async function assertBytes(stream: AsyncIterable<Uint8Array> | undefined, expected: Uint8Array, what: string): Promise<void> {
  assert(stream !== undefined, `${what}: nothing is there`);
  let at = 0;
  for await (const piece of stream) {
    assert(piece.length <= 65_536, `${what}: a piece has ${piece.length} bytes`);
    const wrong = piece.findIndex((byte, index) => byte !== expected[at + index]);
    assert(wrong === -1, `${what}: byte ${at + wrong} is ${piece[wrong]}, expected ${expected[at + wrong]}`);
    at += piece.length;
  }
  assertEqual(at, expected.length, `${what}: the number of bytes`);
}

const keys = (entries: readonly StoredBlob[]) => entries.map((entry) => `${entry.sessionId} ${entry.id} ${entry.size}`).sort();

const blobsCase = (name: string, run: (blobs: Blobs, harness: BlobsHarness) => Promise<void>): ContractCase<BlobsHarness> => ({
  name,
  async run(harness) {
    const blobs = await harness.open();
    try {
      await run(blobs, harness);
    } finally {
      await blobs.close();
    }
  },
});

/** The contract of `Blobs`. */
export const blobsContract: readonly ContractCase<BlobsHarness>[] = [
  blobsCase("a finished upload is a file named after its content", async (blobs) => {
    assertEqual(await blobs.append(upload, 0, pieces(hello.subarray(0, 2), hello.subarray(2))), 5, "the size");
    const file = await blobs.finish(upload);
    assertEqual([file?.sessionId, file?.id, file?.size], [sessionId, helloId, 5], "the file");
    await assertBytes(await blobs.read({ sessionId, id: helloId }), hello, "its bytes");
    assertEqual(await blobs.stat({ sessionId, id: helloId }), file, "its facts");
    assertEqual(await blobs.stat(upload), undefined, "the upload");
  }),
  blobsCase("an upload continues where a stream broke off", async (blobs) => {
    const cut = blobs.append(upload, 0, pieces(hello.subarray(0, 3), new Error("The connection is lost.")));
    const thrown = await cut.catch((error: Error) => error.message);
    assertEqual(thrown, "The connection is lost.", "the stream's error");
    assertEqual((await blobs.stat(upload))?.size, 3, "what is kept");
    assertEqual(await blobs.append(upload, 3, pieces(hello.subarray(3))), 5, "the size");
    assertEqual((await blobs.finish(upload))?.id, helloId, "the file");
  }),
  blobsCase("bytes that are stored already may come again, whatever the pieces are", async (blobs) => {
    await blobs.append(upload, 0, pieces(hello.subarray(0, 3)));
    assertEqual(await blobs.append(upload, 1, pieces(hello.subarray(1, 2), hello.subarray(2, 4), hello.subarray(4))), 5, "the size");
    assertEqual(await blobs.append(upload, 0, pieces(hello.subarray(0, 2))), 5, "the size after a repeated beginning");
    assertEqual((await blobs.finish(upload))?.id, helloId, "the file");
  }),
  blobsCase("two streams of one upload at the same time do no harm", async (blobs) => {
    await Promise.all([0, 0, 0].map((offset) => blobs.append(upload, offset, pieces(hello.subarray(0, 2), hello.subarray(2)))));
    assertEqual((await blobs.finish(upload))?.id, helloId, "the file");
  }),
  blobsCase("an offset behind the end is refused with the right one", async (blobs) => {
    await blobs.append(upload, 0, pieces(hello.subarray(0, 2)));
    const refused = await assertRejects(blobs.append(upload, 3, pieces(hello.subarray(3))), "CONFLICT", "a gap");
    assertEqual(refused.details?.["offset"], 2, "the offset");
    const fresh = await assertRejects(blobs.append({ sessionId, id: "upload-2" }, 1, pieces(hello)), "CONFLICT", "a gap at the start");
    assertEqual(fresh.details?.["offset"], 0, "the offset of a new upload");
  }),
  blobsCase("finishing what isn't there has no effect, and an empty file is a file", async (blobs) => {
    assertEqual(await blobs.finish(upload), undefined, "nothing");
    assertEqual(await blobs.append(upload, 0, pieces()), 0, "an empty upload");
    assertEqual((await blobs.finish(upload))?.size, 0, "the empty file");
    assertEqual(await blobs.finish(upload), undefined, "finishing it twice");
  }),
  blobsCase("a stream that is still open when its upload is finished changes nothing", async (blobs) => {
    const gate: { open?: () => void } = {};
    const waiting = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const begun: { now?: () => void } = {};
    const isBegun = new Promise<void>((resolve) => {
      begun.now = resolve;
    });
    const slow = (async function* () {
      yield hello;
      begun.now?.();
      await waiting;
      yield Uint8Array.of(33);
    })();
    const late = blobs.append(upload, 0, slow).then(
      () => "done",
      () => "refused",
    );
    await isBegun;
    await blobs.append(upload, 0, pieces(hello));
    assertEqual((await blobs.finish(upload))?.id, helloId, "the file");
    gate.open?.();
    assertEqual(await late, "refused", "the late stream");
    await assertBytes(await blobs.read({ sessionId, id: helloId }), hello, "its bytes");
  }),
  blobsCase("equal files of one session are stored once, and those of two sessions are apart", async (blobs) => {
    for (const [owner, id] of [
      [sessionId, "upload-1"],
      [sessionId, "upload-2"],
      [other, "upload-1"],
    ] as const) {
      await blobs.append({ sessionId: owner, id }, 0, pieces(hello));
      await blobs.finish({ sessionId: owner, id });
    }
    assertEqual(keys(await blobs.list()), [`${sessionId} ${helloId} 5`, `${other} ${helloId} 5`], "all files");
    assertEqual(await blobs.remove({ sessionId, id: helloId }), true, "removing one");
    assertEqual(keys(await blobs.list(other)), [`${other} ${helloId} 5`], "the other's files");
    assertEqual(await blobs.list(sessionId), [], "what is left");
  }),
  blobsCase("uploads are listed and can be removed", async (blobs) => {
    await blobs.append(upload, 0, pieces(hello.subarray(0, 2)));
    assertEqual(keys(await blobs.list(sessionId)), [`${sessionId} upload-1 2`], "the upload");
    assertEqual(await blobs.remove(upload), true, "removing it");
    assertEqual(await blobs.remove(upload), false, "removing it again");
    assertEqual([await blobs.stat(upload), await blobs.list()], [undefined, []], "what is left");
  }),
  blobsCase("what was touched is not removed as old", async (blobs) => {
    await blobs.append(upload, 0, pieces(hello));
    const file = await blobs.finish(upload);
    assert(file !== undefined, "there is no file");
    assertEqual(await blobs.remove(file, { storedBefore: file.storedAt }), false, "removing what isn't older");
    const touched = await blobs.touch(file);
    assert(touched !== undefined && touched.storedAt >= file.storedAt, "it was not touched");
    assertEqual(await blobs.remove(file, { storedBefore: touched.storedAt }), false, "removing what was touched");
    assertEqual(await blobs.remove(file, { storedBefore: touched.storedAt + 1 }), true, "removing what is older");
    assertEqual(await blobs.touch(file), undefined, "touching what isn't there");
  }),
  blobsCase("a range is read, also beyond the pieces, and nothing of what isn't there", async (blobs) => {
    const long = new Uint8Array(200_000).map((_, index) => index % 251);
    await blobs.append(upload, 0, pieces(long.subarray(0, 70_000), long.subarray(70_000)));
    const file = await blobs.finish(upload);
    assert(file !== undefined, "there is no file");
    await assertBytes(await blobs.read(file), long, "all of it");
    await assertBytes(await blobs.read(file, { start: 65_530, end: 140_000 }), long.subarray(65_530, 140_000), "a range");
    await assertBytes(await blobs.read(file, { start: 199_999, end: 300_000 }), long.subarray(199_999), "its end");
    assertEqual(await blobs.read({ sessionId: other, id: file.id }), undefined, "another session's");
  }),
  blobsCase("names that could be a path or a file's are refused", async (blobs) => {
    for (const id of ["../../etc/x", "short", "a/b/c/d/e", "x".repeat(61), helloId, "", "name with space", "CON.......", "a\0bcdefgh"]) {
      await assertRejects(blobs.append({ sessionId, id }, 0, pieces(hello)), "VALIDATION", JSON.stringify(id).slice(0, 20));
    }
    for (const owner of ["..", ".", "", "a/b", "A".repeat(26), "\0"]) {
      await assertRejects(blobs.append({ sessionId: owner, id: "upload-1" }, 0, pieces(hello)), "VALIDATION", JSON.stringify(owner));
      assertEqual(await blobs.stat({ sessionId: owner, id: helloId }), undefined, "its facts");
    }
    assertEqual(await blobs.list(), [], "what is stored");
  }),
  blobsCase("files and uploads outlive their being closed, if they are durable", async (blobs, { durable, open }) => {
    if (!durable) return;
    await blobs.append({ sessionId, id: "upload-2" }, 0, pieces(hello));
    await blobs.finish({ sessionId, id: "upload-2" });
    await blobs.append(upload, 0, pieces(hello.subarray(0, 2)));
    await blobs.close();
    const again = await open({ again: true });
    assertEqual(keys(await again.list()), [`${sessionId} ${helloId} 5`, `${sessionId} upload-1 2`], "what is stored");
    assertEqual(await again.append(upload, 2, pieces(hello.subarray(2))), 5, "the size");
    await again.close();
  }),
];
