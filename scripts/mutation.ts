import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { root } from "./run.ts";

/**
 * `pnpm mutation [PATH…] [--force]`: how many small faults in `packages/core` its tests detect. PATH is a folder or a file in it, such as
 * `src/broker`; without one, all of it, and the run fails below the threshold in its `stryker.config.json`. Results of unchanged code are
 * taken from the last run, unless `--force` is given.
 */
const core = join(root, "packages/core");
const { positionals, values } = parseArgs({ allowPositionals: true, options: { force: { type: "boolean", default: false } } });

/** The files in the core that a path matches. */
function patternOf(given: string): string {
  const found = [resolve(core, given), resolve(root, given)].find((candidate) => existsSync(candidate));
  const path = found === undefined ? "" : relative(core, found);
  if (found !== undefined && /^src(\/|$)/.test(path)) return statSync(found).isDirectory() ? `${path}/**/*.ts` : path;
  console.error(`There is no ${given} in packages/core/src.`);
  process.exit(2);
}

const mutate = positionals.map(patternOf);
process.chdir(core);
await new Stryker({
  incremental: mutate.length === 0,
  force: values.force,
  ...(mutate.length > 0 && { mutate: [...mutate, "!src/testing/**", "!src/index.ts"], thresholds: { high: 95, low: 85, break: null } }),
}).runMutationTest();
