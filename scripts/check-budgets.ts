import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { journeys } from "./check-journeys.ts";
import { root } from "./run.ts";

/**
 * Part of `pnpm check`: how large the house may become. `scripts/budgets.json` has one figure for each measure below; a figure above its budget
 * fails, and so does one far below, so that what was won is kept. Each budget is also the last row of its name in `docs/decisions/size.md`,
 * which says what a rise has bought. `packages` and `firstPaintKB` stand in the same file, and are measured by the tests of published packages
 * and by the web inbox' build.
 */

/** A measure: the lower, the better. Names are lists: of what is there, nothing may be added. */
type Figure = number | readonly string[];

export interface Row {
  name: string;
  budget: string;
}

/** What is wrong, a sentence each. `rows`: of the table in `docs/decisions/size.md`, oldest first. */
export function budgetProblems(figures: ReadonlyMap<string, Figure>, budgets: ReadonlyMap<string, Figure>, rows: readonly Row[]): string[] {
  const where = "scripts/budgets.json, with a row in docs/decisions/size.md that says what it bought";
  const problems = [...figures].flatMap(([name, figure]) => {
    const budget = budgets.get(name);
    if (budget === undefined) return [`${name} has no budget; add it to ${where}.`];
    if (typeof figure !== "number" || typeof budget !== "number") {
      const [found, allowed] = [[figure].flat().map(String), [budget].flat().map(String)];
      return [
        ...found.filter((one) => !allowed.includes(one)).map((one) => `${name}: ${one} is new; remove it, or add it to ${where}.`),
        ...allowed.filter((one) => !found.includes(one)).map((one) => `${name}: ${one} is gone; remove it from ${where}.`),
      ];
    }
    if (figure > budget)
      return [`${name} is ${figure}, more than its budget of ${budget}; make it smaller, or raise the budget in ${where}.`];
    // Counts of a few are exact; of many, 1 % is not worth a row.
    if (figure < budget * 0.99) return [`${name} is only ${figure} of ${budget}; lower the budget in ${where}.`];
    return [];
  });
  const last = new Map(rows.map(({ name, budget }) => [name, budget]));
  const unexplained = [...budgets].flatMap(([name, budget]) => {
    if (!figures.has(name)) return [`${name} in scripts/budgets.json measures nothing; remove it.`];
    const shown = [budget].flat().join(", ") || "none";
    return last.get(name) === shown
      ? []
      : [`${name} is ${shown} in scripts/budgets.json, but ${last.get(name) ?? "not"} in docs/decisions/size.md.`];
  });
  return [...problems, ...unexplained];
}

/** The rows of the table, below its head. */
export const rowsOf = (page: string): Row[] =>
  [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)].map(([, name = "", budget = ""]) => ({ name, budget: budget.trim() }));

const sources = globSync(["packages/{*,agents/*,reach/*}/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}"], { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => !path.includes("/testing/"))
  .sort();
const read = (path: string) => readFileSync(resolve(root, path), "utf8");

/** Packages that depend on each other: each circle by its names. */
function circles(): string[] {
  const manifests = globSync(["packages/{*,agents/*,reach/*}/package.json", "apps/*/package.json"], { cwd: root }).map(
    (path) => JSON.parse(read(path)) as { name: string; dependencies?: Record<string, string> },
  );
  const uses = new Map(manifests.map(({ name, dependencies = {} }) => [name, Object.keys(dependencies)]));
  const reached = (from: string) => {
    const found = new Set<string>();
    const queue = [...(uses.get(from) ?? [])];
    for (const name of queue) {
      if (found.has(name)) continue;
      found.add(name);
      queue.push(...(uses.get(name) ?? []));
    }
    return found;
  };
  return [...uses.keys()].filter((name) => reached(name).has(name));
}

/** The main entry of the core in one file, with its dependencies and what it loads later, in KB (1,000 bytes) minified and gzipped. */
async function coreKB(): Promise<number> {
  const bundle = await rolldown({
    input: resolve(root, "packages/core/src/index.ts"),
    platform: "browser",
    // As Vite, webpack and esbuild resolve for a page: XState has ES modules under `module` only.
    resolve: { conditionNames: ["askbox-source", "module", "import", "default"] },
  });
  try {
    const { output } = await bundle.generate({ minify: true, codeSplitting: false });
    return Math.ceil(gzipSync(output[0].code).length / 100) / 10;
  } finally {
    await bundle.close();
  }
}

/** A list for contributors ("add a type"), and where it begins and ends: how many files it names. */
const lists = {
  filesOfAType: ["docs/question-types.md", "## Add a type", "Some types also need"],
  filesOfAClient: ["docs/architecture.md", "To add a client:", "\n## "],
  filesOfASetting: ["docs/architecture.md", "A setting of `config.json`:", "\nSomething that"],
  filesOfAVerb: ["docs/architecture.md", "a verb of the desk.", "\nA command:"],
  filesOfADialect: ["docs/architecture.md", "A dialect, the contract", "\n## "],
  filesOfAChannel: ["docs/architecture.md", "To add a channel:", "\n## "],
} as const;

function filesIn([path, start, end]: readonly [string, string, string]): number {
  const after = read(path).split(start)[1];
  if (after === undefined) throw new Error(`${path} has no "${start}".`);
  const list = after.split(end)[0] ?? "";
  // Of a table, only where to edit, not what fails if it is forgotten.
  const named = list.includes("\n|") ? list.split("\n").map((line) => line.split("|")[3] ?? "") : [list];
  const pages = /\]\([\w-]+\.md\)|this page/g;
  const files = new Set(named.flatMap((text) => [...text.matchAll(/`([\w./-]+\.\w+|[\w-]+\/[\w./-]+)`/g)].map(([, file]) => file)));
  return files.size + new Set(named.flatMap((text) => text.match(pages) ?? [])).size;
}

/** The files that one reads to follow each journey of `docs/architecture.md`. */
const journeyNames = ["filesOfAnAsk", "filesOfAnApproval", "filesOfAChatAnswer"] as const;

/** Sentences about how questions ended, in a string. */
const outcome = /["'`>](?:Allowed|Answered|Cancelled|Declined|Denied|Timed out|Withdrawn)\b/;

/** What the glossary gives up: in code, in docs and in tests. */
const givenUp = {
  timedOut: /timedOut/g,
  deed: /\bdeed/gi,
  seldom: /\bseldom/gi,
  presses: /\bpresses\b/gi,
  permission: /permission(?:Ask|Over|Follows)|(?:ask|asks)Permission/gi,
  askerGrant: /AskerGrant|grantEnded|\bgrantOf\b/g,
};

async function measured(): Promise<Map<string, Figure>> {
  const texts = sources.map((path) => ({ path, text: read(path) }));
  const written = [...texts.map(({ text }) => text), ...globSync("docs/*.md", { cwd: root }).map(read)];
  const count = (word: RegExp) => written.reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0);
  const lines = texts.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
  const packageOf = (path: string) => path.split("/", /^packages\/(agents|reach)\//.test(path) ? 3 : 2).join("/");
  return new Map<string, Figure>([
    ["sourceLines", Math.ceil(lines / 100) * 100],
    ["sourceFiles", texts.length],
    ["circles", circles()],
    ["coreKB", await coreKB()],
    ...Object.entries(lists).map(([name, list]) => [name, filesIn(list)] as const),
    ...journeys().map(({ files }, at): [string, number] => [journeyNames[at] ?? `filesOfJourney${at + 1}`, files.length]),
    ["outcomesWordedIn", [...new Set(texts.filter(({ text }) => outcome.test(text)).map(({ path }) => packageOf(path)))]],
    ...Object.entries(givenUp).map(([word, pattern]) => [`word:${word}`, count(pattern)] as const),
  ]);
}

if (import.meta.main) {
  const { house } = JSON.parse(read("scripts/budgets.json")) as { house: Record<string, Figure> };
  const figures = await measured();
  const problems = budgetProblems(figures, new Map(Object.entries(house)), rowsOf(read("docs/decisions/size.md")));
  for (const problem of problems) console.error(problem);
  if (process.argv.includes("--print")) console.log(JSON.stringify(Object.fromEntries(figures), undefined, 2));
  if (problems.length > 0) process.exitCode = 1;
}
