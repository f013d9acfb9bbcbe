import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const root = resolve(import.meta.dirname, "../..");

/** Programs that tests start as processes from source, or run in their own (`-here`). */
const entries = {
  askbox: "apps/askbox/src/main.ts",
  "askbox-here": "apps/askbox/test/fixtures/askbox-here.ts",
  hub: "packages/hub-process/test/fixtures/hub.ts",
  "own-mcp-server": "examples/own-mcp-server.ts",
  "stdio-server": "packages/agents/mcp-stdio/test/fixtures/main.ts",
  "stdio-server-noisy": "packages/agents/mcp-stdio/test/fixtures/noisy-main.ts",
  tui: "tests/terminal/support/tui-process.ts",
  "tui-here": "tests/terminal/support/tui-here.ts",
} as const;

/** The folder is passed to the test files' processes, which start after this one. */
const variable = "ASKBOX_TEST_PROGRAMS";

/** The bundle of a program. It starts in a third of the time of its hundreds of source files. */
export function bundleOf(name: keyof typeof entries): string {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error("The programs are bundled by the set-up of the tests that start them; see vitest.config.ts.");
  return join(folder, `${name}.mjs`);
}

/** Node and the script that starts the program. */
export const program = (name: keyof typeof entries): [node: string, script: string] => [process.execPath, bundleOf(name)];

/** Environment with Node's compile cache for the programs. */
export const compileCache = (): Record<string, string> => ({ NODE_COMPILE_CACHE: join(process.env[variable] ?? "", "compiled") });

/** Bundles the programs, once per test run. */
export async function setup(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "askbox-programs-")));
  process.env[variable] = folder;
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: "node",
    // Optional dependencies: faster helpers of ws and a tool of Ink.
    external: ["bufferutil", "utf-8-validate", "react-devtools-core"],
    resolve: {
      conditionNames: ["askbox-source", "module", "import", "node", "default"],
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    // An entry that shares code with others stays in its own file, since `import.meta.main` is only true there.
    preserveEntrySignatures: "allow-extension",
    logLevel: "silent",
  });
  await bundle.write({ dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" });
  await bundle.close();
  const web = join(root, "apps/web/dist");
  if (existsSync(web)) symlinkSync(web, join(folder, "web"), "dir");
}

export function teardown(): void {
  rmSync(process.env[variable] ?? "", { recursive: true, force: true, maxRetries: 5 });
}
