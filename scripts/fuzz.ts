import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { saveCase } from "../tests/fuzz/engine/cases.ts";
import { root } from "./run.ts";

const usage = `pnpm fuzz [--target NAME]… [--seconds N] [--seed N]

Sends inputs that nobody would send to everything that reads input from outside. --seconds (default 60) are for all targets together.
An input that breaks its target is made small, kept in tests/fuzz/cases, and taken again by every run of the tests.`;

const folder = "tests/fuzz/targets";
const all = readdirSync(resolve(root, folder))
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => file.replace(".test.ts", ""));
const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== "--"),
  options: {
    target: { type: "string", multiple: true },
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    help: { type: "boolean" },
  },
});
const targets = values.target ?? all;
const unknown = targets.find((target) => !all.includes(target));
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
if (values.help === true || unknown !== undefined || !(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error(`${unknown === undefined ? "" : `There is no target ${unknown}. `}${usage}\n\nTargets: ${all.join(", ")}`);
  process.exit(values.help === true ? 0 : 2);
}

/** Milliseconds without a next input after which a target counts as hanging; one that waits in vain reports that itself after 30 s. */
const timeout = 90_000;
/** An input that blocks its process can only be detected from another process. */
const scratch = mkdtempSync(join(tmpdir(), "askbox-fuzz-run-"));
const heartbeat = join(scratch, "input.json");

console.log(`Seed ${seed}, ${targets.length} targets, ${seconds} s in all.`);
let failed = false;
for (const target of targets) failed = !(await run(target)) || failed;
rmSync(scratch, { recursive: true, force: true });
process.exitCode = failed ? 1 : 0;

async function run(target: string): Promise<boolean> {
  rmSync(heartbeat, { force: true });
  const vitest = join(dirname(createRequire(join(root, "package.json")).resolve("vitest/package.json")), "vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--reporter=default", "--silent=false", `${folder}/${target}.test.ts`], {
    cwd: root,
    // A separate group, so that all of its processes can be ended.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      FUZZ_SECONDS: String(seconds / targets.length),
      FUZZ_SEED: String(seed),
      FUZZ_HEARTBEAT: heartbeat,
      NO_COLOR: "1",
    },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const stop = () => kill(child);
  process.once("SIGINT", stop);
  const began = Date.now();
  const watch = setInterval(() => {
    const last = statSync(heartbeat, { throwIfNoEntry: false })?.mtimeMs ?? began;
    if (Date.now() - last < timeout) return;
    const { input } = JSON.parse(readFileSync(heartbeat, "utf8")) as { input: unknown };
    console.error(`${target} hangs. Kept as ${saveCase(target, "It hangs.", input)}`);
    kill(child);
  }, 1_000);
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  clearInterval(watch);
  process.off("SIGINT", stop);
  console.log(new RegExp(`${target}: \\d+ inputs, seed \\d+`).exec(said)?.[0] ?? `${target}: ended before it could count`);
  if (code !== 0) console.error(said);
  return code === 0;
}

function kill({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}
