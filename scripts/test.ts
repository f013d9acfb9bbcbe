import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { redisNeeds } from "./redis-needs.ts";
import { root, runScript, runTool } from "./run.ts";
import { countOf, merged, type Report, skippedLines } from "./test-report.ts";
import { beginRun } from "./test-run.ts";
import { prepareMachine } from "./test-setup.ts";

/**
 * `pnpm test [--project unit|unit-dom|system|chaos|release] [--redis] [FILTER…]`: runs the unit tests on the sources, and builds, checks and installs
 * what the other tests need beside them; then runs the others, and prints the count of all. The project `release` runs only if it is named.
 * Unless a filter for tags is given, tests with the tag `nightly` are left out, and those with `redis` mostly; see `redis-needs.ts`.
 */

/** Where `.ci/run` finds the count. Missing if the run ended before the first test. */
const results = resolve(root, ".results");
const countPath = resolve(results, "tests.txt");
const reportPath = resolve(results, "tests.json");
rmSync(countPath, { force: true });
rmSync(reportPath, { force: true });
mkdirSync(results, { recursive: true });

const given = process.argv.slice(2);
/** The projects that are named, or all of them; and the other arguments, which are Vitest's. */
const projects = given.flatMap((arg, index) =>
  arg.startsWith("--project=") ? [arg.slice("--project=".length)] : given[index - 1] === "--project" ? [arg] : [],
);
const others = given.filter((arg, index) => !/^--project(?:=|$)/.test(arg) && given[index - 1] !== "--project" && arg !== "--redis");
const named = projects.length === 0 ? ["unit", "unit-dom", "system", "chaos"] : projects;
const unit = named.filter((name) => name.startsWith("unit"));
const system = named.filter((name) => !unit.includes(name));

const ownFilter = others.some((arg) => arg.startsWith("--tags-filter"));
const redis = redisNeeds(given.includes("--redis") ? "--redis" : process.env["ASKBOX_TEST_REDIS"] && "ASKBOX_TEST_REDIS");
const filter = ["!nightly", ...(redis.run ? [] : ["!redis"])].map((tag) => `--tags-filter=${tag}`);
const tags = ownFilter ? [] : filter;

const run = beginRun();
const reports: Report[] = [];
let [passed, failed] = [0, 0];

/** Runs the tests of these projects, and adds them to the count. */
async function test(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const path = resolve(run.folder, `${names[0]}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${path}`];
  const args = ["run", "--passWithNoTests", ...names.map((name) => `--project=${name}`), ...reporters, ...tags, ...others];
  const { exitCode } = await runTool("vitest", "vitest", args, { output: "show", env: run.env });
  try {
    const report = JSON.parse(readFileSync(path, "utf8")) as Report;
    reports.push(report);
    const count = countOf(report, exitCode === 0);
    [passed, failed] = [passed + count.passed, failed + count.failed];
  } catch {
    // It ended before it could report, and has said why.
    failed += 1;
  }
}

async function finish(): Promise<void> {
  /** Milliseconds for processes that are ending after their test, on a busy machine. */
  const left = await run.end(20_000);
  const report = merged(reports);
  writeFileSync(reportPath, JSON.stringify(report));
  if (tags.length > 0) for (const line of skippedLines(report)) console.log(line);
  for (const line of left) console.error(`A test left this process behind: ${line}`);
  if (failed === 0 && left.length > 0) failed = 1;
  const count = `${passed} passed, ${failed} failed`;
  console.log(count);
  writeFileSync(countPath, `${count}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

// What is said beside the unit tests waits for their end, so that each is read in one piece.
let held: string[] | undefined = unit.length > 0 ? [] : undefined;
const say = (line: string) => (held === undefined ? console.log(line) : void held.push(line));

/** A script that gives way to the unit tests: whatever they leave of the processors is its own. Resolves with whether it went well. */
async function beside(name: string, ...args: string[]): Promise<boolean> {
  const path = resolve(root, "scripts", name);
  const { exitCode, output } = await runScript(path, args, { output: "keep", env: run.env, givesWay: unit.length > 0 });
  if (output !== "") say(output.trimEnd());
  return exitCode === 0;
}

if (!ownFilter) console.log(redis.reason);
const prepared = system.length > 0 ? prepareMachine(say) : undefined;
const ready = Promise.all([beside("build.ts", ...(system.includes("release") ? [] : ["--command"])), beside("check.ts", "--quick")]);
await test(unit);
for (const line of held ?? []) console.log(line);
held = undefined;
const isReady = (await ready).every((isWell) => isWell);
await prepared;
if (isReady) await test(system);
// The build or a check has said what is wrong.
else failed += 1;
await finish();
