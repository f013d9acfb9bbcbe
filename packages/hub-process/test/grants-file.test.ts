import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { aGrant, grantsContract } from "@askbox/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { grantsFile } from "../src/list-files.ts";

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "askbox-grants-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "grants.json");
}

for (const promise of grantsContract) {
  test(`stored in a file: ${promise.name}`, () =>
    promise.run({ open: async () => ({ grants: grantsFile(newFile()), close: async () => {} }) }));
}

test("grants survive a restart of the hub, in a file readable only by its owner", async () => {
  const path = newFile();
  await grantsFile(path).add(aGrant());
  expect(await grantsFile(path).list()).toEqual([aGrant()]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that others could have modified grants nothing, nor does an unreadable one", async () => {
  const path = newFile();
  await grantsFile(path).add(aGrant());
  const written = readFileSync(path, "utf8");
  chmodSync(path, 0o666);
  expect(await grantsFile(path).list()).toEqual([]);
  chmodSync(path, 0o600);
  writeFileSync(path, written.replace('"project"', '"everywhere"'));
  expect(await grantsFile(path).list()).toEqual([]);
  writeFileSync(path, "{");
  expect(await grantsFile(path).list()).toEqual([]);
});
