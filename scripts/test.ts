import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { root, runScript, runTool } from "./run.ts";
import { countOf, type Report, skippedLines } from "./test-report.ts";
import { beginRun } from "./test-run.ts";

/**
 * `pnpm test [--project unit|unit-dom|system|chaos] [FILTER…]`: builds, checks, installs what the tests need, runs them, and prints their count. Tests with the tag `nightly` are left out
 * unless a filter for tags is given.
 */

/** Where `.ci/run` finds the count. Missing if the run ended before the first test. */
const results = resolve(root, ".results");
const reportPath = resolve(results, "tests.json");
const countPath = resolve(results, "tests.txt");
rmSync(countPath, { force: true });
rmSync(reportPath, { force: true });
mkdirSync(results, { recursive: true });

const first = [["build.ts"], ["check.ts", "--quick"]].map(([name = "", ...args]) =>
  runScript(resolve(root, "scripts", name), args, { output: "show" }),
);
if ((await Promise.all(first)).some(({ exitCode }) => exitCode !== 0)) process.exit(1);

const given = process.argv.slice(2);
const tags = given.some((arg) => arg.startsWith("--tags-filter")) ? [] : ["--tags-filter=!nightly"];
const run = beginRun();
await import("./test-setup.ts");
const { exitCode } = await runTool(
  "vitest",
  "vitest",
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`, ...tags, ...given],
  { output: "show", env: run.env },
);
/** Milliseconds for processes that are ending after their test, on a busy machine. */
const left = await run.end(20_000);

const report = JSON.parse(readFileSync(reportPath, "utf8")) as Report;
if (tags.length > 0) for (const line of skippedLines(report)) console.log(line);
for (const line of left) console.error(`A test left this process behind: ${line}`);
const { passed, failed } = countOf(report, exitCode === 0 && left.length === 0);
const count = `${passed} passed, ${failed} failed`;
console.log(count);
writeFileSync(countPath, `${count}\n`);
process.exitCode = failed === 0 ? 0 : 1;
