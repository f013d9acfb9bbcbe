import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
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
});
