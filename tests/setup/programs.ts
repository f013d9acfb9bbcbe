import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";

const root = resolve(import.meta.dirname, "../..");

/** What tests start as processes, each from its source. */
const entries = {
  askbox: "apps/askbox/src/main.ts",
  "askbox-here": "apps/askbox/test/fixtures/askbox-here.ts",
  "chat-bot": "examples/chat-bot/main.ts",
  hub: "apps/hub/test/fixtures/hub.ts",
  "own-mcp-server": "examples/own-mcp-server.ts",
  "stdio-server": "apps/mcp-stdio/test/fixtures/main.ts",
  "stdio-server-noisy": "apps/mcp-stdio/test/fixtures/noisy-main.ts",
  tui: "tests/terminal/support/tui-process.ts",
} as const;

/** The folder is told to the test files' own processes, which come after this one. */
const variable = "ASKBOX_TEST_PROGRAMS";

/** The bundle of a program. Starting it takes a third of the time that its hundreds of source files take. */
export function bundleOf(name: keyof typeof entries): string {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error("The programs are bundled by the set-up of the tests that start them; see vitest.config.ts.");
  return join(folder, `${name}.mjs`);
}

/** Node and the script by which the program starts. */
export const program = (name: keyof typeof entries): [node: string, script: string] => [process.execPath, bundleOf(name)];

/** Where Node keeps what it has compiled of the programs, as environment. */
export const compileCache = (): Record<string, string> => ({ NODE_COMPILE_CACHE: join(process.env[variable] ?? "", "compiled") });

/** Bundles the programs, once for a run of tests. */
export async function setup(): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "askbox-programs-")));
  process.env[variable] = folder;
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform: "node",
    // ws looks for these faster helpers and Ink for this tool; both do without.
    external: ["bufferutil", "utf-8-validate", "react-devtools-core"],
    resolve: {
      conditionNames: ["askbox-source", "module", "import", "node", "default"],
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    },
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
    // An entry that others share code with stays in its own file: `import.meta.main` is true only there.
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
