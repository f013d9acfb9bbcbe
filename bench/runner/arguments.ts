import { parseArgs } from "node:util";

export interface BenchArguments {
  /** The parts to run, in their order; all of them when none is named. */
  parts: string[];
  runs: number;
  json: string | undefined;
  updateBaseline: boolean;
  show: "help" | "list" | undefined;
}

export const help = `pnpm bench [NAME…] [options]

Measures what askbox promises, each figure beside its floor: the same work without askbox in the same run. Prints one table, says what has
become better or worse than bench/baseline.json, and ends with 1 when a bound is broken or a ratio has worsened beyond its tolerance.

  NAME…              only the parts whose names contain one of these
  --runs N           measures each part N times (1 to 20, default 1): the run of the middle ratio counts, and the spread is shown
  --json FILE        writes machine, rows and comparison there, too (always to bench/results.json)
  --update-baseline  makes the ratios of this run those to compare with
  --list             names the parts
  --help             this text

  pnpm bench                               everything; some 8 minutes
  pnpm bench terminal stdio                two parts
  pnpm bench --runs 3 --update-baseline    a new baseline, on a quiet machine
`;

/** A mistake in the arguments, in a sentence. */
export class UsageError extends Error {}

/** Throws `UsageError`. */
export function readArguments(args: readonly string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parsed(args);
  const show = values.help ? "help" : values.list ? "list" : undefined;
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1 || runs > 20)
    throw new UsageError(`--runs takes a whole number from 1 to 20, not ${values.runs}.`);
  const stranger = positionals.find((name) => !known.some((part) => part.includes(name)));
  if (stranger !== undefined) throw new UsageError(`No part's name contains ${stranger}. There are ${known.join(", ")}.`);
  const parts = known.filter((part) => positionals.length === 0 || positionals.some((name) => part.includes(name)));
  return { parts, runs, json: values.json, updateBaseline: values["update-baseline"], show };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        runs: { type: "string", default: "1" },
        json: { type: "string" },
        "update-baseline": { type: "boolean", default: false },
        list: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
