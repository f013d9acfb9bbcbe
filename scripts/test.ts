import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { root, runTool } from "./run.ts";

/** The part of Vitest's JSON report that is counted here. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

/** Where `.ci/run` finds the count. Missing when the run ended before a test could. */
const results = resolve(root, ".results");
const reportPath = resolve(results, "tests.json");
const countPath = resolve(results, "tests.txt");
rmSync(countPath, { force: true });
rmSync(reportPath, { force: true });
mkdirSync(results, { recursive: true });

async function runPart(script: string): Promise<void> {
  await import(resolve(root, "scripts", script));
  if (process.exitCode !== undefined && process.exitCode !== 0) process.exit();
}

await runPart("build.ts");
await runPart("check.ts");
await runPart("test-setup.ts");

const filters = process.argv.slice(2);
const { exitCode } = await runTool(
  "vitest",
  "vitest",
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportPath}`, ...filters],
  { output: "show" },
);

const report = JSON.parse(readFileSync(reportPath, "utf8")) as Report;
// A file that could not even be loaded has no tests to count, and fails all the same.
const brokenFiles = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
const counted = report.numFailedTests + brokenFiles;
const failed = exitCode !== 0 && counted === 0 ? 1 : counted;
writeFileSync(countPath, `${report.numPassedTests} passed, ${failed} failed\n`);
process.exitCode = exitCode;
