import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { runTool } from "../../../scripts/run.ts";
import type { CodeBlock } from "./pages.ts";

/** Blocks that are compiled as one file, with the declarations given on the page. */
export interface Sample {
  blocks: CodeBlock[];
  given: string;
}

const languages = ["ts", "tsx", "typescript"];

/**
 * The TypeScript of a page. `<!-- sample: continues -->` before a block joins it to the one above, `<!-- sample: given CODE -->` declares what the
 * reader has, and `<!-- sample: not checked, because … -->` leaves it out.
 */
export function samplesOf(blocks: readonly CodeBlock[]): Sample[] {
  const samples: Sample[] = [];
  for (const block of blocks) {
    const { note, page, line } = block;
    if (!languages.includes(block.language) || note?.startsWith("not checked, because ")) continue;
    const last = samples.at(-1);
    if (note === "continues" && last?.blocks[0]?.page === page) last.blocks.push(block);
    else if (note === undefined || note === "continues" || /^given\s/.test(note))
      samples.push({ blocks: [block], given: note?.replace(/^(given\s|continues$)/, "") ?? "" });
    else throw new Error(`${page}:${line}: a sample may say continues, given …, or not checked, because …; it says ${note}.`);
  }
  return samples;
}

/** Compiles each sample separately against the workspace's packages; resolves with the compiler's errors, at their positions in the pages. */
export async function complaintsAbout(samples: readonly Sample[]): Promise<string[]> {
  // Within tests/, so that the samples find its packages.
  const folder = mkdtempSync(resolve(import.meta.dirname, "../.samples-"));
  try {
    const files = samples.map((sample, index) => fileOf(sample, index));
    mkdirSync(folder, { recursive: true });
    for (const { name, lines } of files) writeFileSync(join(folder, name), `${lines.map(({ text }) => text).join("\n")}\n`);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings(files.map(({ name }) => name))));
    const { output, exitCode } = await runTool("typescript", "tsc", ["-p", folder, "--pretty", "false"], { output: "keep" });
    const complaints = [...output.matchAll(/^(.*?)\((\d+),\d+\): error (TS\d+: .*)$/gm)].map(([, path = "", line = "", message = ""]) => {
      const file = files.find(({ name }) => path.endsWith(name));
      return `${file?.lines[Number(line) - 1]?.place ?? path}: ${message}`;
    });
    if (exitCode !== 0 && complaints.length === 0) throw new Error(output);
    return complaints;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fileOf({ blocks, given }: Sample, index: number) {
  const [first] = blocks;
  const before = ["export {};", ...given.split("\n")].map((text) => ({ text, place: `${first?.page}:${first?.line}, what is given` }));
  const own = blocks.flatMap(({ page, line, text }) =>
    text.split("\n").map((each, offset) => ({ text: each, place: `${page}:${line + 1 + offset}` })),
  );
  return { name: `sample-${index}.${first?.language === "tsx" ? "tsx" : "ts"}`, lines: [...before, ...own] };
}

const settings = (files: string[]) => ({
  extends: "../../../tsconfig.base.json",
  compilerOptions: {
    noEmit: true,
    types: ["node"],
    lib: ["ES2024", "DOM", "DOM.Iterable"],
    customConditions: ["askbox-source"],
    jsx: "react-jsx",
    noUnusedLocals: false,
    noUnusedParameters: false,
    declaration: false,
  },
  files,
});
