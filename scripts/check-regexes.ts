import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { root } from "./run.ts";

// The backend that needs neither Java nor a native binary, so that results are the same on every machine.
process.env["RECHECK_BACKEND"] = "pure";
const { checkSync } = await import("recheck");

/** A regular expression in the sources. */
export interface Found {
  /** `path:line`. */
  place: string;
  pattern: string;
  flags: string;
  /** Whether a comment on the line, or on the previous one, says why it is linear: `// linear: …`. */
  isExplained: boolean;
}

/** Milliseconds per pattern. One that takes longer to analyse is too complicated to be verified. */
const timeout = 300_000;

/** Without a repetition, the time can't grow faster than the text. */
const repeats = /[*+]|\{\d+,/;

/** Every regular expression in a file. One that is built at run time has no pattern to check. */
export function regexesOf(path: string, source: string): Found[] {
  const found: Found[] = [];
  const lines = source.split("\n");
  const add = (start: number, pattern: string, flags: string) => {
    const line = source.slice(0, start).split("\n").length;
    const isExplained = lines.slice(Math.max(0, line - 2), line).some((text) => text.includes("// linear: "));
    found.push({ place: `${path}:${line}`, pattern, flags, isExplained });
  };
  const walk = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(walk);
    const { type, start, regex, callee } = node as {
      type?: string;
      start: number;
      regex?: { pattern: string; flags: string };
      callee?: { name?: string };
    };
    if (type === "Literal" && regex) add(start, regex.pattern, regex.flags);
    if ((type === "NewExpression" || type === "CallExpression") && callee?.name === "RegExp") add(start, "", "dynamic");
    Object.values(node).forEach(walk);
  };
  walk(parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }));
  return found;
}

/** Why an expression may take more than linear time; undefined if it cannot. */
export function problemOf({ pattern, flags, isExplained }: Found): string | undefined {
  if (flags === "dynamic") return "is put together at run time, so that it cannot be checked; write it as one literal";
  if (!repeats.test(pattern)) return undefined;
  // The other checker measures time with random texts, so its results vary on a busy machine.
  const result = checkSync(pattern, flags, { checker: "automaton", timeout });
  if (result.status === "safe") return undefined;
  if (result.status === "unknown") {
    return isExplained ? undefined : `cannot be checked (${result.error.kind}); write it in simpler parts, or say why after "// linear: "`;
  }
  return `takes ${result.complexity.summary} time, for example on ${result.attack.pattern}`;
}

if (import.meta.main) {
  const cachePath = resolve(root, "node_modules/.cache/askbox/safe-regexes.json");
  const known = new Set(readCache());
  const safe = new Set<string>();
  const paths = globSync(["packages/{*,agents/*,reach/*}/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}"], { cwd: root });
  for (const path of paths.sort()) {
    for (const found of regexesOf(path, readFileSync(resolve(root, path), "utf8"))) {
      const key = `/${found.pattern}/${found.flags}`;
      const problem = known.has(key) || safe.has(key) ? undefined : problemOf(found);
      if (problem === undefined) safe.add(key);
      else {
        console.error(`${found.place}: ${key} ${problem}.`);
        process.exitCode = 1;
      }
    }
  }
  mkdirSync(resolve(cachePath, ".."), { recursive: true });
  writeFileSync(cachePath, JSON.stringify([...safe]));

  function readCache(): string[] {
    try {
      return JSON.parse(readFileSync(cachePath, "utf8")) as string[];
    } catch {
      return [];
    }
  }
}
