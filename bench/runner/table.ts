import { type Comparison, digits } from "./compare.ts";
import type { RepeatedRow } from "./repeated.ts";

const heads = ["", "floor", "askbox", "unit", "ratio", "bound", "verdict", "baseline", "spread"];

/** The cells of the table, its heads first. A column that no row has anything in is left out. */
export function tableOf(rows: readonly RepeatedRow[], comparisons: readonly Comparison[]): string[][] {
  const cells = rows.map(({ id, name, floor, askbox, unit, ratio, bound, ok, spread }) => {
    const comparison = comparisons.find((each) => each.id === id);
    const against = comparison === undefined ? "" : wordsOf(comparison);
    const apart = spread === undefined ? "" : `${digits(100 * spread)} %`;
    return [name, digits(floor), digits(askbox), unit, digits(ratio), bound, ok ? "ok" : "BROKEN", against, apart];
  });
  const isUsed = heads.map((_, column) => cells.some((row) => row[column] !== ""));
  return [heads, ...cells].map((row) => row.filter((_, column) => isUsed[column]));
}

function wordsOf({ before, change, verdict }: Comparison): string {
  if (before === undefined || change === undefined) return verdict === "new" ? "new" : "";
  const percent = `${change >= 0 ? "+" : "−"}${digits(Math.abs(100 * change))} %`;
  return verdict === "same" ? percent : `${percent} ${verdict.toUpperCase()}`;
}

export function plainText(table: readonly (readonly string[])[]): string {
  const widths = (table[0] ?? []).map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

export function markdown(table: readonly (readonly string[])[]): string {
  const [first = [], ...rest] = table.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const isNumber = (column: number) => rest.every((row) => /^[-−+\d.,% A-Z]*$/.test(row[column] ?? ""));
  const rule = first.map((_, column) => (isNumber(column) ? "---:" : "---"));
  return [first, rule, ...rest].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
