import { globSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import type { BenchModule, BenchRow } from "./harness.ts";

const help = `pnpm bench [NAME…] [options]

Measures what askbox promises, each figure next to its floor: the same work without askbox in the same run. Exits with 1 if a bound is
broken, or if a ratio is worse than in bench/baseline.json by more than its tolerance.

  NAME…              only the parts whose names contain one of these
  --runs N           measures each part N times; the run with the median ratio counts
  --update-baseline  makes the ratios of this run the baseline; on a quiet machine
  --docs             writes the table of docs/performance.md
  --list             lists the parts

  pnpm bench                                     everything: about 8 minutes
  pnpm bench --runs 3 --docs --update-baseline   new figures`;

const root = resolve(import.meta.dirname, "..");
const baselinePath = resolve(root, "bench/baseline.json");
/** The parts by name, such as `terminal`, or `store-sqlite-cycles` for a package's. */
const parts = new Map(
  globSync(["bench/*.ts", "packages/{*,agents/*,reach/*}/bench/*.ts"], { cwd: root })
    .filter((file) => !["run.ts", "harness.ts"].includes(basename(file)))
    .sort()
    .map((file) => [
      file
        .replace(/^(bench|packages)\//, "")
        .replace("/bench/", "-")
        .replace(/\.ts$/, ""),
      file,
    ]),
);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "1" },
    "update-baseline": { type: "boolean" },
    docs: { type: "boolean" },
    list: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});
if (values.help || values.list) {
  console.log(values.help ? help : [...parts.keys()].join("\n"));
  process.exit(0);
}

const digits = (value: number | undefined) => value?.toLocaleString("en", { maximumSignificantDigits: 3 }) ?? "";
const weightOf = ({ ratio, askbox }: BenchRow) => ratio ?? askbox;

async function measure(file: string): Promise<BenchRow[]> {
  const { bench } = (await import(pathToFileURL(resolve(root, file)).href)) as BenchModule;
  const measured: BenchRow[][] = [];
  while (measured.length < Number(values.runs)) measured.push(await bench());
  return (measured[0] ?? []).map(({ id }) => {
    const rows = measured.flatMap((run) => run.filter((row) => row.id === id)).sort((one, other) => weightOf(one) - weightOf(other));
    return rows[(rows.length - 1) >> 1] as BenchRow;
  });
}

const about = `${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}; ${values.runs} ${values.runs === "1" ? "run" : "runs"}, load ${digits(loadavg()[0])} at the start.`;
const baseline = JSON.parse(readFileSync(baselinePath, "utf8")) as Record<string, number>;
const rows: BenchRow[] = [];
for (const [name, file] of parts) {
  if (positionals.length > 0 && !positionals.some((part) => name.includes(part))) continue;
  console.error(`${name} …`);
  rows.push(...(await measure(file)));
}

const table = rows.map(({ id, name, floor, askbox, unit, ratio, better, tolerance, bound, ok }) => {
  const before = baseline[id];
  // How many times as expensive as before, whichever way the ratio points.
  const cost = before === undefined || ratio === undefined ? 1 : better === "lower" ? ratio / before : before / ratio;
  const isWorse = tolerance !== null && cost > 1 + tolerance;
  if (!ok || (isWorse && !values["update-baseline"])) process.exitCode = 1;
  if (tolerance !== null && ratio !== undefined && values["update-baseline"]) baseline[id] = Number(ratio.toPrecision(3));
  const verdict = `${ok ? "ok" : "BROKEN"}${isWorse ? ", WORSE" : ""}`;
  return { name, floor: digits(floor), askbox: digits(askbox), unit, ratio: digits(ratio), baseline: digits(before), bound, verdict };
});
console.table(table);
console.log(about);
if (values["update-baseline"]) writeFileSync(baselinePath, `${JSON.stringify(baseline, Object.keys(baseline).sort(), 2)}\n`);
if (values.docs) {
  const path = resolve(root, "docs/performance.md");
  const lines = table.map(
    (row) =>
      `| ${Object.values({ ...row, baseline: undefined })
        .filter((cell) => cell !== undefined)
        .join(" | ")} |`,
  );
  const generated = `${about}\n\n| | floor | askbox | unit | ratio | bound | verdict |\n|---|---:|---:|---|---:|---|---|\n${lines.join("\n")}`;
  const page = readFileSync(path, "utf8");
  writeFileSync(
    path,
    page.replace(/(<!-- bench: generated -->\n)[\s\S]*(\n<!-- bench: end -->)/, (_, begin, end) => `${begin}\n${generated}\n${end}`),
  );
}
