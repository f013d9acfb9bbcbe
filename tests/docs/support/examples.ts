import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CodeBlock, codeBlocks, root } from "./pages.ts";

/** The code blocks in the docstrings of a source file, at their positions. Throws if an `@example` is not such a block. */
function examplesOf(name: string, source: string): CodeBlock[] {
  const isDocstring = docstringLines(source);
  const lines = source.split("\n").map((line, index) => (isDocstring.has(index) ? line.replace(/^\s*\* ?/, "") : ""));
  const blocks = codeBlocks({ name, text: lines.join("\n") });
  const starts = new Set(blocks.map(({ line }) => line));
  const tag = lines.findIndex((line, index) => line.startsWith("@example") && !starts.has(index + 2));
  if (tag >= 0) throw new Error(`${name}:${tag + 1}: begin an @example with a block of code.`);
  return blocks;
}

/** Which lines, counted from 0, are within docstrings. */
function docstringLines(source: string): Set<number> {
  const within = new Set<number>();
  let open = false;
  for (const [index, line] of source.split("\n").entries()) {
    if (open) within.add(index);
    if (/^\s*\/\*\*/.test(line)) open = true;
    if (line.includes("*/")) open = false;
  }
  return within;
}

/** All of them in the sources of the packages. */
export function allExamples(): CodeBlock[] {
  return globSync("packages/{*,agents/*,reach/*}/src/**/*.{ts,tsx}", { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .flatMap((file) => examplesOf(file, readFileSync(join(root, file), "utf8")));
}
