import type { Comparison } from "./compare.ts";
import type { Machine } from "./machine.ts";
import type { RepeatedRow } from "./repeated.ts";

/** What a run leaves in `bench/results.json`; `bench/docs.ts` makes the table of the docs of it. */
export interface Results {
  machine: Machine;
  runs: number;
  rows: (RepeatedRow & { part: string })[];
  comparison: Comparison[];
}
