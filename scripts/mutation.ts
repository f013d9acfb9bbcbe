import { existsSync, readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { mutationScore, mutationTable } from "./mutation/table.ts";
import { root } from "./run.ts";

/**
 * `pnpm mutation [PATH…] [--force]`: how many small faults in `packages/core` its tests notice. PATH is a folder or a file of it, as in
 * `src/broker`; without one, all of it. What has not changed since the last run is taken from there, unless told to `--force`.
 */
const core = join(root, "packages/core");
const { positionals, values } = parseArgs({ allowPositionals: true, options: { force: { type: "boolean", default: false } } });
const paths = positionals.map(pathInCore);
const { thresholds } = JSON.parse(readFileSync(join(core, "stryker.config.json"), "utf8")) as { thresholds: { break: number } };

/** The path as the core knows it. */
function pathInCore(given: string): string {
  const found = [resolve(core, given), resolve(root, given)].find((candidate) => existsSync(candidate));
  const path = found === undefined ? "" : relative(core, found);
  if (path === "src" || path.startsWith("src/")) return path;
  console.error(`There is no ${given} in packages/core/src.`);
  process.exit(2);
}

const patternOf = (path: string) => (statSync(join(core, path)).isDirectory() ? `${path}/**/*.ts` : path);

process.chdir(core);
const results = await new Stryker({
  incremental: true,
  force: values.force,
  // The score is of the paths that were asked for; Stryker's would be of all that is known.
  thresholds: { ...thresholds, break: null },
  ...(paths.length === 0 ? {} : { mutate: [...paths.map(patternOf), "!src/testing/**", "!src/index.ts"] }),
}).runMutationTest();

const verdicts = results
  .map(({ fileName, status, location, mutatorName, replacement }) => ({
    ...{ file: relative(core, fileName), line: location.start.line, status },
    change: `${mutatorName}: ${(replacement ?? "").replaceAll(/\s+/g, " ").slice(0, 100)}`,
  }))
  .filter(({ file }) => paths.length === 0 || paths.some((path) => file === path || file.startsWith(`${path}/`)));
const missed = verdicts.filter(({ status }) => status === "Survived" || status === "NoCoverage");
const score = mutationScore(verdicts);
for (const { file, line, change } of missed) console.log(`${file}:${line}  ${change}`);
console.log(mutationTable(verdicts));
if (score < thresholds.break) {
  console.error(`The score of ${score.toFixed(1)} % is below ${thresholds.break} %.`);
  process.exitCode = 1;
}
