import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const recorder = pathToFileURL(join(import.meta.dirname, "../command/support/record-loads.ts")).href;

/** The modules of the MCP SDKs that are loaded by a program which only imports this entry. */
async function sdkModulesOf(entry: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "askbox-loads-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "loads.txt");
  const program = ["--conditions=askbox-source", `--import=${recorder}`, "--input-type=module", "--eval", `await import("${entry}");`];
  await promisify(execFile)(process.execPath, program, { cwd: import.meta.dirname, env: { ...process.env, RECORD_LOADS: file } });
  const loaded = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(loaded.filter((url) => url.includes("/packages/agents/elicit/"))).not.toEqual([]);
  return loaded.filter((url) => url.includes("/@modelcontextprotocol/"));
}

test("@askbox/elicit loads neither MCP SDK, so that a server only has the one it uses", async () => {
  expect(await sdkModulesOf("@askbox/elicit")).toEqual([]);
  // That for host programs loads one, which proves that modules are recorded.
  expect(await sdkModulesOf("@askbox/elicit/direct")).not.toEqual([]);
});
