import { resolve } from "node:path";
import { root, runScript, runTool } from "./run.ts";

/** Everything that can be said about the code without running it. */
const checks = [
  { name: "format, lint and import rules", tool: ["@biomejs/biome", "biome", "check", "--error-on-warnings"] },
  // By itself, because only its own tsconfig leaves out the types of Node and the DOM.
  { name: "types of packages/core", tool: ["typescript", "tsc", "-p", "packages/core", "--noEmit"] },
  { name: "types of everything", tool: ["typescript", "tsc", "-p", "tsconfig.json"] },
  { name: "types of the example in a browser", tool: ["typescript", "tsc", "-p", "examples/browser-only"] },
  { name: "types of the web inbox", tool: ["typescript", "tsc", "-p", "apps/web"] },
] as const;

const scripts = [
  { name: "the time of regular expressions", script: "scripts/check-regexes.ts" },
  { name: "comparisons by name", script: "scripts/check-names.ts" },
  { name: "workflows", script: "scripts/check-workflows.ts" },
] as const;

const began = performance.now();
const finished = await Promise.all([
  ...checks.map(async ({ name, tool: [packageName, command, ...args] }) => ({
    name,
    ...(await runTool(packageName, command, args, { output: "keep" })),
  })),
  ...scripts.map(async ({ name, script }) => ({ name, ...(await runScript(resolve(root, script), [], { output: "keep" })) })),
]);
const failures = finished.filter(({ exitCode }) => exitCode !== 0);
for (const { name, output } of failures) console.error(`${name}: failed\n${output}`);
if (failures.length === 0) {
  console.log(`Checked ${finished.map(({ name }) => name).join(", ")} in ${((performance.now() - began) / 1000).toFixed(1)} s.`);
} else {
  process.exitCode = 1;
}
