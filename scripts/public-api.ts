import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { currentApi, pinnedPath } from "../tests/published/support/api.ts";
import { root } from "./run.ts";

/** Writes what the public packages export, and the error codes, to the reviewed file that tests compare with. */
writeFileSync(resolve(root, pinnedPath), `${currentApi().join("\n")}\n`);
console.log(`Wrote ${pinnedPath}; look at what changed: others build on it.`);
