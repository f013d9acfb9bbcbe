import { findComparisons } from "./names.ts";
import { root } from "./run.ts";

// A part of `pnpm check`: whatever has a name is compared by it in its own folder alone.
const found = findComparisons(root);
for (const { path, line, what, name } of found) {
  console.log(
    `${path}:${line}: compares the ${what} "${name}" by name; ask for a trait of it instead, so that the next ${what} needs no code here.`,
  );
}
if (found.length > 0) process.exitCode = 1;
