import { runTool } from "./run.ts";

/**
 * Runs only the fault tests and the floods of one token, the random ones and the floods 20 times as long as in `pnpm test` (200 kills of the hub instead of 10) unless
 * `ASKBOX_FAULTS_SCALE` is set. Each prints its seed; set `ASKBOX_FAULTS_SEED` to repeat its choices. Arguments filter by file name.
 */
const scale = process.env["ASKBOX_FAULTS_SCALE"] ?? "20";
const names = process.argv.slice(2);
const folders = ["tests/faults/", "tests/cluster/", "tests/attack/", "packages/hub-process/test/"];
const filters =
  names.length === 0
    ? [
        "tests/faults/",
        "tests/cluster/",
        "tests/attack/one-token",
        "packages/hub-process/test/race",
        "packages/hub-process/test/waking-kills",
      ]
    : names.flatMap((name) => folders.map((folder) => `${folder}${name}`));

await import("./build.ts");
if (process.exitCode === undefined || process.exitCode === 0) {
  const { exitCode } = await runTool("vitest", "vitest", ["run", ...filters], {
    output: "show",
    env: { ASKBOX_FAULTS_SCALE: scale },
  });
  process.exitCode = exitCode;
}
