import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { mutationTable } from "./mutation/table.ts";
import { root } from "./run.ts";

/**
 * `pnpm mutation [PATH…] [--force]`: how many small faults in `packages/core` its tests notice. PATH is a folder or a file of it, as in
 * `src/broker`; without one, all of it. What has not changed since the last run is taken from there, unless told to `--force`.
 */
const core = join(root, "packages/core");
const { positionals: paths, values } = parseArgs({ allowPositionals: true, options: { force: { type: "boolean", default: false } } });

function patternOf(path: string): string {
  const found = [resolve(core, path), resolve(root, path)].find((candidate) => existsSync(candidate));
  const inCore = found === undefined ? undefined : relative(core, found);
  if (found === undefined || !inCore?.startsWith("src")) throw new Error(`There is no ${path} in packages/core/src.`);
  return statSync(found).isDirectory() ? `${inCore}/**/*.ts` : inCore;
}

process.chdir(core);
const left = ["!src/testing/**", "!src/index.ts"];
const results = await new Stryker({
  configFile: "stryker.config.json",
  incremental: true,
  force: values.force,
  ...(paths.length === 0 ? {} : { mutate: [...paths.map(patternOf), ...left] }),
}).runMutationTest();
console.log(mutationTable(results.map(({ fileName, status }) => ({ file: relative(core, fileName), status }))));
