import { resolve } from "node:path";
import { root, runScript, runTool } from "./run.ts";

interface Check {
  name: string;
  tool: [packageName: string, command: string, ...args: string[]];
}

/** TypeScript's results are kept, so that it only checks what has changed. */
const types = (project: string, name: string): Check => ({
  name: `types of ${name}`,
  tool: [
    "typescript",
    "tsc",
    "-p",
    project,
    "--noEmit",
    "--incremental",
    "--tsBuildInfoFile",
    resolve(root, `node_modules/.cache/tsc/${name.replaceAll(/\W/g, "-")}.json`),
  ],
});

/** What takes long where nothing is cached, and rarely fails, is left to `pnpm check`. */
const isQuick = process.argv.includes("--quick");

/** All static checks. */
const checks: Check[] = [
  { name: "format, lint and import rules", tool: ["@biomejs/biome", "biome", "check", "--error-on-warnings"] },
  // Checked separately, because only its own tsconfig excludes the types of Node and the DOM.
  types("packages/core", "packages/core"),
  types("tsconfig.json", "everything"),
  types("examples/browser-only", "the example in a browser"),
  types("apps/web", "the web inbox"),
];

const scripts = [
  ...(isQuick ? [] : [{ name: "the time of regular expressions", script: "scripts/check-regexes.ts" }]),
  { name: "comparisons by name", script: "scripts/check-names.ts" },
  { name: "names as keys", script: "scripts/check-keys.ts" },
  { name: "budgets of size", script: "scripts/check-budgets.ts" },
  { name: "journeys", script: "scripts/check-journeys.ts" },
  { name: "verbs of the desk and the wire", script: "tests/checks/verbs.ts" },
  { name: "settings that are read", script: "tests/checks/settings.ts" },
  { name: "fields that are shown", script: "tests/checks/shown-fields.ts" },
  { name: "workflows", script: "scripts/check-workflows.ts" },
  { name: "plugins", script: "apps/askbox/distribution/check-plugins.ts" },
];

const began = performance.now();
const finished = await Promise.all([
  ...checks.map(async ({ name, tool: [packageName, command, ...args] }) => ({
    name,
    ...(await runTool(packageName, command, args, { output: "keep" })),
  })),
  ...scripts.map(async ({ name, script }) => ({
    name,
    ...(await runScript(resolve(root, script), [], { output: "keep", env: { NODE_OPTIONS: "--conditions=askbox-source" } })),
  })),
]);
const failures = finished.filter(({ exitCode }) => exitCode !== 0);
for (const { name, output } of failures) console.error(`${name}: failed\n${output}`);
if (failures.length === 0) {
  console.log(`Checked ${finished.map(({ name }) => name).join(", ")} in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
} else {
  process.exitCode = 1;
}
