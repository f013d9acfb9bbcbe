import { parse as parseToml } from "@decimalturn/toml-patch";
import { type ParseError, parse as parseJson, printParseErrorCode } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { packageFolders } from "../../docs/.vitepress/pages.ts";
import { allExamples } from "./support/examples.ts";
import { allBlocks, type CodeBlock, placeOf } from "./support/pages.ts";
import { complaintsAbout, samplesOf } from "./support/type-check.ts";

const blocks = allBlocks();

/** A parser's error for a block; undefined if it is valid. */
const readers: Readonly<Record<string, (block: CodeBlock) => unknown[]>> = {
  json: ({ text }) => problemOf(() => JSON.parse(text)),
  // Messages of a connection, each its own document, with comments between.
  jsonc: ({ text }) => text.split(/^\/\/.*\n/m).flatMap(jsoncProblems),
  toml: ({ text }) => problemOf(() => parseToml(text)),
  yaml: ({ text }) => parseAllDocuments(text).flatMap((document) => document.errors.map(({ message }) => message)),
};

function problemOf(read: () => unknown): unknown[] {
  try {
    read();
    return [];
  } catch (error) {
    return [String(error)];
  }
}

function jsoncProblems(text: string): string[] {
  const errors: ParseError[] = [];
  for (const document of text.split(/\n(?=\{)/)) if (document.trim() !== "") parseJson(document, errors, { allowTrailingComma: true });
  return errors.map(({ error }) => printParseErrorCode(error));
}

describe("each data block can be parsed", () => {
  const data = blocks.filter(({ language }) => readers[language] !== undefined);
  test.each(data.map((block) => [placeOf(block), block] as const))("%s", (_, block) => {
    expect(readers[block.language]?.(block)).toEqual([]);
  });
});

describe("TypeScript in the docs and in docstrings", () => {
  const examples = allExamples();
  const samples = samplesOf([...blocks, ...examples]);

  test("compiles against the packages", async () => {
    expect(samples.length).toBeGreaterThan(8);
    expect(await complaintsAbout(samples)).toEqual([]);
  });

  test("shows how to use every package that has a README", () => {
    const without = [...packageFolders]
      .filter(([, folder]) => !examples.some(({ page }) => page.startsWith(`packages/${folder}/`)))
      .map(([name]) => name);
    expect(without).toEqual([]);
  });
});
