import { runTool } from "./run.ts";

/**
 * The failure cases alone, their random ones eight times as long as in `pnpm test` (200 kills of the hub instead of 25) unless
 * `ASKBOX_FAULTS_SCALE` says otherwise. Each prints its seed; `ASKBOX_FAULTS_SEED` repeats its choices. Arguments filter by file name.
 */
const scale = process.env["ASKBOX_FAULTS_SCALE"] ?? "8";
const folders = ["tests/faults", "tests/cluster"];
const filters = process.argv.slice(2).flatMap((filter) => folders.map((folder) => `${folder}/${filter}`));

await import("./build.ts");
if (process.exitCode === undefined || process.exitCode === 0) {
  const { exitCode } = await runTool("vitest", "vitest", ["run", ...(filters.length > 0 ? filters : folders)], {
    output: "show",
    env: { ASKBOX_FAULTS_SCALE: scale },
  });
  process.exitCode = exitCode;
}
