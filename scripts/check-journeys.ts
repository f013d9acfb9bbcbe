import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "./run.ts";

/**
 * Part of `pnpm check`: the journeys in `docs/architecture.md`, which say what one reads to follow a question from its agent to a person and back.
 * Every file that is named there must exist; how many each journey has is a budget (`check-budgets.ts`).
 *
 * A step is a line of the list: `a/whole/path.ts`, or a folder and its files (`a/folder`: `one.ts`, `two.ts`). What else stands in the line says
 * what happens there.
 */
export interface Journey {
  /** Its heading. */
  title: string;
  /** From the root, in reading order, each once. */
  files: readonly string[];
}

/** The journeys of the page. */
export function journeysIn(page: string): Journey[] {
  const section = page.split("\n## Three journeys\n")[1]?.split("\n## ")[0] ?? "";
  return section
    .split("\n### ")
    .slice(1)
    .map((text) => {
      const [title = "", ...lines] = text.split("\n");
      return { title, files: [...new Set(lines.filter((line) => /^(?:\d+\.|-) /.test(line)).flatMap(filesIn))] };
    });
}

function filesIn(line: string): string[] {
  const named = [...line.matchAll(/`([\w./@-]+)`/g)].map(([, name = ""]) => name);
  let folder = "";
  return named.flatMap((name) => {
    if (/\.\w+$/.test(name)) return [/^(?:apps|packages)\//.test(name) ? name : join(folder, name).replaceAll("\\", "/")];
    folder = name;
    return [];
  });
}

/** What is wrong with the journeys, a sentence each. */
export function journeyProblems(journeys: readonly Journey[], isThere: (path: string) => boolean): string[] {
  if (journeys.length !== 3) return [`docs/architecture.md has ${journeys.length} journeys instead of three.`];
  return journeys.flatMap(({ title, files }) => [
    ...(files.length === 0 ? [`The journey "${title}" names no files.`] : []),
    ...files
      .filter((file) => !isThere(file))
      .map((file) => `The journey "${title}" names ${file}, which is not there; say where it is now.`),
  ]);
}

export const journeys = (): Journey[] => journeysIn(readFileSync(resolve(root, "docs/architecture.md"), "utf8"));

if (import.meta.main) {
  const problems = journeyProblems(journeys(), (path) => existsSync(resolve(root, path)));
  for (const problem of problems) console.error(problem);
  if (process.argv.includes("--print")) for (const { title, files } of journeys()) console.log(`${files.length} ${title}`);
  if (problems.length > 0) process.exitCode = 1;
}
