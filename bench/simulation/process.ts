import { type Plan, simulate } from "./scenario.ts";

/** One scenario in a process of its own, so that its memory is its own. */
const plan = JSON.parse(process.argv[2] ?? "{}") as Plan;
try {
  await simulate(plan, (figure) => process.send?.(figure));
  process.exit(0);
} catch (error) {
  console.error(error);
  process.exit(1);
}
