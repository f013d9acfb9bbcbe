import { findComparisons } from "./names.ts";
import { root } from "./run.ts";

// Part of `pnpm check`: names may only be compared in the folder that owns them.
const found = findComparisons(root);
for (const { path, line, what, name } of found) {
  console.log(
    `${path}:${line}: compares the ${what} "${name}" by name; ask for a trait of it instead, so that the next ${what} needs no code here.`,
  );
}
if (found.length > 0) process.exitCode = 1;
