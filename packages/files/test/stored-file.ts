import { createHash } from "node:crypto";
import { memoryBlobs } from "../src/index.ts";

/** A file in memory, and when all of it begins to be loaded and has been. */
export async function storedFile(bytes: Uint8Array) {
  const blobs = memoryBlobs({ now: () => 0, sha256: (all) => createHash("sha256").update(all).digest("hex") });
  const key = { sessionId: "01j00000000000000000000001", id: "upload-1" };
  await blobs.append(
    key,
    0,
    (async function* () {
      yield bytes;
    })(),
  );
  const loads: string[] = [];
  const read: typeof blobs.read = async (key, range) => {
    const pieces = await blobs.read(key, range);
    if (pieces === undefined || range !== undefined) return pieces;
    return (async function* () {
      loads.push("begins");
      yield* pieces;
      loads.push("ends");
    })();
  };
  return { blobs: { ...blobs, read }, key: (await blobs.finish(key)) ?? key, loads };
}
