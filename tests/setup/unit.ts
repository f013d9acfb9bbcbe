import childProcess, { ChildProcess } from "node:child_process";
import { syncBuiltinESMExports } from "node:module";

/** Unit tests must stay within their process; tests that start another one belong to the system project. */
function refuse(what: string): never {
  throw new Error(`A unit test ${what}; name the file *.system.test.ts, or do without.`);
}

// What `spawn`, `exec`, `execFile` and `fork` use internally.
Object.assign(ChildProcess.prototype, { spawn: ({ file }: { file: string }) => refuse(`starts ${file}`) });
for (const name of ["spawnSync", "execSync", "execFileSync"] as const) {
  Object.assign(childProcess, { [name]: (file: string) => refuse(`starts ${file}`) });
}
syncBuiltinESMExports();

// A page of a test has no hub behind it, and whatever listens on its port is not asked.
if ("happyDOM" in globalThis) globalThis.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
