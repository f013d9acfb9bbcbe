import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const entry = fileURLToPath(new URL("../../../apps/mcp-stdio/test/fixtures/main.ts", import.meta.url));

/** The stdio server in one folder, so that a test may start it many times without reading every module from its source. */
export async function bundleStdioServer(): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "askbox-stdio-"));
  const bundle = await rolldown({
    input: entry,
    platform: "node",
    // ws looks for these faster helpers and does without.
    external: ["bufferutil", "utf-8-validate"],
    resolve: { conditionNames: ["askbox-source", "module", "import", "node", "default"] },
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "main.mjs", chunkFileNames: "[name].mjs" });
  await bundle.close();
  return { path: join(folder, "main.mjs"), remove: () => rm(folder, { recursive: true, force: true }) };
}
