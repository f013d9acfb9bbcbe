import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A path for a store in a new folder, which is deleted after the test. */
export function freshPath(): string {
  const folder = mkdtempSync(join(tmpdir(), "askbox-store-"));
  folders.push(folder);
  return join(folder, "askbox.db");
}
