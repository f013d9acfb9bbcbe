import { fork } from "node:child_process";
import { once } from "node:events";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Figure, Plan } from "./scenario.ts";
import type { StoreName } from "./scene.ts";

/**
 * What many pending sessions cost, by the real broker and store: `pnpm simulate --sessions 10000,100000 --stores memory,redis`. Each size and store runs in a
 * process of its own, bounded in heap and in time.
 */
const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "1000,10000" },
    stores: { type: "string", default: "memory,redis" },
    surfaces: { type: "string", default: "1,10,100" },
    answers: { type: "string", default: "500" },
    /** Megabytes of heap, and minutes, for each. */
    heap: { type: "string", default: "4096" },
    minutes: { type: "string", default: "10" },
  },
});

const numbers = (name: "sessions" | "surfaces" | "answers" | "heap" | "minutes", least = 1): number[] =>
  values[name].split(",").map((text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least) throw new Error(`--${name} takes whole numbers from ${least} on.`);
    return number;
  });
const one = (name: "answers" | "heap" | "minutes"): number => numbers(name)[0] ?? 1;

const stores = values.stores.split(",").map((name): StoreName => {
  if (name !== "memory" && name !== "redis") throw new Error("--stores takes memory and redis.");
  return name;
});
const surfaces = numbers("surfaces", 0);
const answers = one("answers");
const sizes = numbers("sessions", 1_000);

const run = async (plan: Plan): Promise<void> => {
  console.log(`\n${plan.sessions.toLocaleString("en")} pending sessions, ${plan.store} store`);
  const child = fork(join(import.meta.dirname, "process.ts"), [JSON.stringify(plan)], {
    execArgv: ["--conditions=askbox-source", "--expose-gc", `--max-old-space-size=${one("heap")}`],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const timer = setTimeout(() => {
    console.error(`  It took more than ${one("minutes")} minutes and was ended.`);
    child.kill("SIGTERM");
  }, one("minutes") * 60_000);
  child.on("message", (message) => {
    const { name, value, unit } = message as Figure;
    console.log(`  ${name.padEnd(52)} ${value.toLocaleString("en", { maximumSignificantDigits: 3 }).padStart(9)} ${unit}`);
  });
  const [code] = await once(child, "exit");
  clearTimeout(timer);
  if (code !== 0) process.exitCode = 1;
};

const [cpu] = cpus();
console.log(`${new Date().toISOString().slice(0, 10)} · ${cpus().length} × ${cpu?.model ?? "CPU"} · Node ${process.version}`);
for (const store of stores) for (const sessions of sizes) await run({ store, sessions, answers, surfaces });
