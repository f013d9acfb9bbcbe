import type { Blobs } from "@askbox/core/stores";
import { blobsContract } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { memoryBlobs } from "../src/index.ts";

const open = async (): Promise<Blobs> => {
  let now = 1_000;
  return memoryBlobs({
    now: () => (now += 0.5),
    sha256: async (bytes) => Buffer.from(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes))).toString("hex"),
  });
};

describe("files in memory", () => {
  for (const contractCase of blobsContract) test(contractCase.name, () => contractCase.run({ durable: false, open }));
});

/** Blobs that each break one promise. */
const broken: Record<string, (blobs: Blobs) => Partial<Blobs>> = {
  "trusts every offset": (blobs) => ({ append: async (upload, _offset, bytes) => blobs.append(upload, 0, bytes) }),
  "writes what it has twice": (blobs) => ({
    append: async (upload, _offset, bytes) => blobs.append(upload, (await blobs.stat(upload))?.size ?? 0, bytes),
  }),
  "removes whatever its age": (blobs) => ({ remove: (key) => blobs.remove(key) }),
  "lists everybody's": (blobs) => ({ list: () => blobs.list() }),
  "reads all of it always": (blobs) => ({ read: (key) => blobs.read(key) }),
};

describe("the contract of files finds one that", () => {
  for (const [name, change] of Object.entries(broken)) {
    test(name, async () => {
      const tried = blobsContract.map(({ run }) =>
        run({
          durable: false,
          async open() {
            const blobs = await open();
            return { ...blobs, ...change(blobs) };
          },
        }).then(
          () => "kept",
          () => "broken",
        ),
      );
      expect(await Promise.all(tried)).toContain("broken");
    });
  }
});
