import { globSync, writeFileSync } from "node:fs";
import { basename, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { BenchModule, BenchRow } from "./harness.ts";

/** Runs all benchmarks, or those whose file names contain one of the arguments, one after another; prints and keeps what they found. */
const root = resolve(import.meta.dirname, "..");
const wanted = process.argv.slice(2);
const files = globSync(["bench/*.ts", "packages/*/bench/*.ts"], { cwd: root })
  .filter((file) => !["run.ts", "harness.ts"].includes(basename(file)))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) throw new Error(`No benchmark's file name contains ${wanted.join(" or ")}.`);

const rows: BenchRow[] = [];
for (const file of files) {
  console.error(`${relative(root, resolve(root, file))} …`);
  const { bench } = (await import(pathToFileURL(resolve(root, file)).href)) as BenchModule;
  rows.push(...(await bench()));
}

const digits = (value: number | undefined): string =>
  value === undefined ? "" : value.toLocaleString("en", { maximumSignificantDigits: 3 });
const cells = rows.map(({ name, floor, askbox, ratio, unit, bound, ok }) => [
  name,
  digits(floor),
  digits(askbox),
  unit,
  digits(ratio),
  bound,
  ok ? "ok" : "MISSED",
]);
const table = [["", "floor", "askbox", "unit", "ratio", "bound", ""], ...cells];
const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
for (const row of table)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );

const results = { at: new Date().toISOString(), node: process.version, platform: `${process.platform}-${process.arch}`, rows };
writeFileSync(resolve(root, "bench/results.json"), `${JSON.stringify(results, undefined, 2)}\n`);
if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
