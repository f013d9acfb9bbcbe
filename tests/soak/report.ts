import { type Growth, growthOf } from "./growth.ts";
import { type VitalName, type Vitals, vitals } from "./vitals.ts";

/** A sample of the hub. */
export interface Sample extends Vitals {
  /** Since the traffic started. */
  seconds: number;
  calls: number;
}

export interface Judged extends Growth {
  vital: VitalName;
  from: number;
  to: number;
  /** The message if it grows. */
  sentence: string;
}

const names = Object.keys(vitals) as VitalName[];

/** Evaluates each figure over these samples, which come after the warm-up. */
export function judge(samples: readonly Sample[]): Judged[] {
  return names.map((vital) => {
    const { name, unit, scale, bound } = vitals[vital];
    const points = samples.flatMap(({ calls, [vital]: value }) => (value === undefined ? [] : [{ calls, value }]));
    const growth = growthOf(points, bound);
    const figure = (value: number) => `${digits(value / scale)}${unit === "" ? "" : ` ${unit}`}`;
    return {
      vital,
      ...growth,
      from: points[0]?.value ?? 0,
      to: points.at(-1)?.value ?? 0,
      sentence: `${name} grew by ${figure(growth.perThousand)} in 1,000 calls (at most ${figure(bound.perThousand)}), ${figure(growth.total)} in all`,
    };
  });
}

/** A table of the verdicts. */
export function report(judged: readonly Judged[]): string {
  const rows = judged.map(({ vital, from, to, perThousand, steadiness, isGrowing }) => {
    const { name, unit, scale, bound } = vitals[vital];
    const figures = [from, to, perThousand, bound.perThousand].map((value) => digits(value / scale));
    return [name, unit, ...figures, steadiness.toFixed(2), isGrowing ? "GROWS" : "ok"];
  });
  const table = [["second half", "", "from", "to", "in 1,000 calls", "bound", "steadiness", ""], ...rows];
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A progress line. */
export function progress(samples: readonly Sample[]): string {
  const last = samples.at(-1);
  if (last === undefined) return "";
  const shown = names.map((vital) => {
    const { unit, scale } = vitals[vital];
    const value = samples.findLast((sample) => sample[vital] !== undefined)?.[vital] ?? 0;
    return `${vital} ${digits(value / scale)}${unit && ` ${unit}`}`;
  });
  return `${Math.round(last.seconds)} s, ${last.calls} calls: ${shown.join(", ")}`;
}

const digits = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 3 });
