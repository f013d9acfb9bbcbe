import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { byPackage, type Coverage, percent, shortfalls, type Threshold, table } from "./coverage-table.ts";
import { root, runTool } from "./run.ts";

/**
 * How much of the packages' and apps' sources the tests run that run in their own process. What a test starts as a process of its own (the
 * built command, hubs, browsers, terminals) is not counted, so that the figures of the apps tell less than those of the packages.
 */
const tests = ["packages/", "apps/", "tests/mcp/", "tests/examples/"];
/** Milliseconds for all of it; more than three times what it takes. */
const longest = 1_500_000;

/** What stands, rounded down. A package that gets better may be held to it; one that gets worse fails. */
const thresholds: Readonly<Record<string, Threshold>> = {};

const folder = resolve(root, "coverage");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const sources = ["packages/*/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}"];
const options = [
  "--coverage.enabled",
  "--coverage.provider=v8",
  "--coverage.reporter=json-summary",
  "--coverage.reportOnFailure",
  `--coverage.reportsDirectory=${folder}`,
  ...sources.map((pattern) => `--coverage.include=${pattern}`),
];
const { exitCode } = await runTool("vitest", "vitest", ["run", ...tests, ...options], { output: "show", timeout: longest });

const { total, ...files } = JSON.parse(readFileSync(resolve(folder, "coverage-summary.json"), "utf8")) as Record<string, Coverage>;
const packages = byPackage(files, root);
const short = shortfalls(packages, thresholds);
const summary = packages.map(({ name, lines, branches, functions }) => ({
  name,
  lines: percent(lines),
  branches: percent(branches),
  functions: percent(functions),
}));
writeFileSync(resolve(folder, "packages.json"), `${JSON.stringify(summary, undefined, 2)}\n`);

console.log(`\n${table(packages)}\n\nWhat tests start as processes of their own is not counted. In coverage/packages.json as JSON.`);
for (const sentence of short) console.error(sentence);
process.exitCode = exitCode !== 0 ? exitCode : short.length > 0 ? 1 : 0;
