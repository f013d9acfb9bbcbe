import type { Machine } from "./machine.ts";
import type { RepeatedRow } from "./repeated.ts";
import { markdown, tableOf } from "./table.ts";

const begin = "<!-- bench: generated -->";
const end = "<!-- bench: end -->";

/** The page with these figures between its marks. Throws for a page without them. */
export function written(page: string, { machine, runs, rows }: { machine: Machine; runs: number; rows: readonly RepeatedRow[] }): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The page has no ${begin} … ${end}.`);
  return `${page.slice(0, from + begin.length)}\n\n${aboutOf(machine, runs)}\n\n${markdown(tableOf(rows, []))}\n\n${page.slice(to)}`;
}

function aboutOf({ date, commit, node, platform, cpus, cpu, memory, load }: Machine, runs: number): string {
  const day = new Date(date).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
  const times = runs === 1 ? "one run" : `the middle of ${runs} runs by ratio`;
  return `${day}, commit ${commit}: ${cpus} × ${cpu}, ${memory} GiB, ${platform}, Node ${node.slice(1)}; ${times}, load ${load} when it began.`;
}
