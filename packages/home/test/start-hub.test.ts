import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startHub } from "../src/connect/start-hub.ts";
import { homeFolders } from "../src/index.ts";

it("reports in a sentence that its folder is not writable", () => {
  const folder = mkdtempSync(join(tmpdir(), "askbox-home-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const env = { ASKBOX_HOME: folder };
  // A folder in its place stands for anything that cannot be replaced, as on a read-only disk.
  mkdirSync(join(folder, "hub.starting"));
  expect(() => startHub({ folders: homeFolders({ env }), env, command: [process.execPath, "--version"] })).toThrow(
    expect.objectContaining({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(/cannot write to its folder .*; make it writable/),
    }),
  );
});
