import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { blobsContract } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { folderBlobs } from "../src/index.ts";
import { freshPath } from "./temp-folder.ts";

const harness = () => {
  const folder = freshPath();
  return { durable: true, open: async () => folderBlobs({ folder }) };
};

async function* once(text: string) {
  yield Buffer.from(text);
}

const upload = { sessionId: "01j00000000000000000000001", id: "upload-1" };

describe("files in a folder", () => {
  for (const contractCase of blobsContract) test(contractCase.name, () => contractCase.run(harness()));

  test.skipIf(process.platform === "win32")("only the user can read them", async () => {
    const folder = join(dirname(freshPath()), "files");
    const blobs = folderBlobs({ folder });
    await blobs.append(upload, 0, once("hello"));
    const file = await blobs.finish(upload);
    const path = join(folder, upload.sessionId);
    expect([folder, path, join(path, file?.id ?? "")].map((each) => statSync(each).mode & 0o777)).toEqual([0o700, 0o700, 0o600]);
  });

  test("what isn't theirs is not listed, and a session's empty folder goes", async () => {
    const folder = freshPath();
    mkdirSync(join(folder, "My Documents"), { recursive: true });
    writeFileSync(join(folder, "thesis.txt"), "mine");
    const blobs = folderBlobs({ folder });
    await blobs.append(upload, 0, once("hello"));
    expect(await blobs.list()).toMatchObject([{ ...upload, size: 5 }]);
    await blobs.remove(upload);
    expect(readdirSync(folder).sort()).toEqual(["My Documents", "thesis.txt"]);
  });

  const inodesOf = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).ino);

  test("equal files of several sessions take room once, also if they come at the same time or again", async () => {
    const folder = freshPath();
    const blobs = folderBlobs({ folder });
    const store = async (session: number) => {
      const key = { sessionId: `session${session}`, id: "upload-1" };
      await blobs.append(key, 0, once("hello"));
      return blobs.finish(key);
    };
    const files = await Promise.all([1, 2, 3].map(store));
    await store(2);
    const again = folderBlobs({ folder });
    await again.list();
    await again.append({ sessionId: "session4", id: "upload-1" }, 0, once("hello"));
    await again.finish({ sessionId: "session4", id: "upload-1" });
    const inodes = inodesOf(folder);
    expect([inodes.length, new Set(inodes).size]).toEqual([4, 1]);
    const [id = ""] = files.map((file) => file?.id);
    await blobs.remove({ sessionId: "session1", id });
    expect(await again.stat({ sessionId: "session2", id })).toMatchObject({ size: 5 });
  });

  test("a file that was cut off is not taken for an equal one", async () => {
    const folder = freshPath();
    const blobs = folderBlobs({ folder });
    await blobs.append(upload, 0, once("hello"));
    const file = await blobs.finish(upload);
    truncateSync(join(folder, upload.sessionId, file?.id ?? ""), 2);
    for (const sessionId of ["session2", upload.sessionId]) {
      await blobs.append({ ...upload, sessionId }, 0, once("hello"));
      expect(await blobs.finish({ ...upload, sessionId })).toMatchObject({ size: 5 });
    }
  });

  test.runIf(existsSync("/dev/full"))(
    "what came of an upload before the disk was full is removed, so that it doesn't stay full",
    async () => {
      const folder = freshPath();
      const blobs = folderBlobs({ folder });
      mkdirSync(join(folder, upload.sessionId), { recursive: true });
      symlinkSync("/dev/full", join(folder, upload.sessionId, `${upload.id}.part`));
      await expect(blobs.append(upload, 0, once("hello"))).rejects.toThrow("The file cannot be stored: the disk is full; free some space.");
      expect(readdirSync(join(folder, upload.sessionId))).toEqual([]);
      await blobs.append(upload, 0, once("hello"));
      expect(await blobs.finish(upload)).toMatchObject({ size: 5 });
    },
  );
});
