import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { BenchModule, BenchRow } from "./harness.ts";
import { type BenchArguments, help, readArguments, UsageError } from "./runner/arguments.ts";
import { type Baseline, compare, sentences, updated } from "./runner/compare.ts";
import { describeMachine } from "./runner/machine.ts";
import { middleOf, type RepeatedRow } from "./runner/repeated.ts";
import type { Results } from "./runner/results.ts";
import { plainText, tableOf } from "./runner/table.ts";

const root = resolve(import.meta.dirname, "..");
const baselinePath = resolve(root, "bench/baseline.json");
const files = globSync(["bench/*.ts", "packages/*/bench/*.ts"], { cwd: root }).filter(
  (file) => !["run.ts", "docs.ts", "harness.ts"].includes(basename(file)),
);
/** The parts by name, such as `terminal`, or `store-sqlite-cycles` for a package's. */
const parts = new Map(
  files.sort().map((file) => [
    file
      .replace(/^(bench|packages)\//, "")
      .replace("/bench/", "-")
      .replace(/\.ts$/, ""),
    file,
  ]),
);

async function measure(part: string, runs: number): Promise<RepeatedRow[]> {
  const { bench } = (await import(pathToFileURL(resolve(root, parts.get(part) ?? "")).href)) as BenchModule;
  const measured: BenchRow[][] = [];
  for (let run = 1; run <= runs; run += 1) {
    console.error(`${part}${runs === 1 ? "" : ` ${run}/${runs}`} …`);
    measured.push(await bench());
  }
  return middleOf(measured);
}

async function run({ parts: wanted, runs, json, updateBaseline }: BenchArguments): Promise<void> {
  const machine = describeMachine(root);
  const rows: Results["rows"] = [];
  for (const part of wanted) rows.push(...(await measure(part, runs)).map((row) => ({ ...row, part })));
  const baseline = existsSync(baselinePath) ? (JSON.parse(readFileSync(baselinePath, "utf8")) as Baseline) : {};
  const comparison = compare(rows, baseline);
  console.log(plainText(tableOf(rows, comparison)));
  const said = sentences(rows, comparison);
  if (said.length > 0) console.log(`\n${said.join("\n")}`);
  const results: Results = { machine, runs, rows, comparison };
  for (const path of [resolve(root, "bench/results.json"), ...(json === undefined ? [] : [resolve(json)])]) {
    writeFileSync(path, `${JSON.stringify(results, undefined, 2)}\n`);
  }
  if (updateBaseline) writeFileSync(baselinePath, `${JSON.stringify(updated(baseline, rows), undefined, 2)}\n`);
  const hasWorsened = !updateBaseline && comparison.some(({ verdict }) => verdict === "worse");
  if (hasWorsened || rows.some(({ ok }) => !ok)) process.exitCode = 1;
}

try {
  const args = readArguments(process.argv.slice(2), [...parts.keys()]);
  if (args.show === "help") console.log(help);
  else if (args.show === "list") console.log([...parts.keys()].join("\n"));
  else await run(args);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message} \`pnpm bench --help\` tells more.`);
  process.exitCode = 2;
}
