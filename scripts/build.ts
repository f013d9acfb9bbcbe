import { runTool } from "./run.ts";

/**
 * Builds what has changed, dependencies first; with `--command` only the command and the page in it, which are bundled from all packages'
 * sources. Prints one line (none with `--quiet`), and the full output of failed builds.
 */
// Without the package manager's name in package.json, turbo would treat the workspace as one package, whose build is this script.
if (process.env["TURBO_HASH"] !== undefined) throw new Error("turbo found no packages to build: does package.json still name pnpm?");

const only = process.argv.includes("--command") ? ["--filter=askbox"] : [];
const quiet = process.argv.includes("--quiet");
if (!quiet && only.length > 0) console.log("Building the command and its page…");
const began = performance.now();
const built = await runTool("turbo", "turbo", ["run", "build", ...only, "--output-logs=errors-only", "--ui=stream", "--no-color"], {
  output: "keep",
  env: { TURBO_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1" },
});

if (built.exitCode !== 0) {
  process.stderr.write(built.output);
} else if (!quiet) {
  const count = /Cached:\s+(\d+) cached, (\d+) total/.exec(built.output);
  const [cached, total] = [Number(count?.[1] ?? 0), Number(count?.[2] ?? 0)];
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(cached === total && total > 0 ? "Nothing to build." : `Built ${total - cached} of ${total} packages in ${seconds} s.`);
}
process.exitCode = built.exitCode;
