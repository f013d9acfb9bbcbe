import { parse as parseToml } from "@decimalturn/toml-patch";
import { type ParseError, parse as parseJson, printParseErrorCode } from "jsonc-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { packages } from "../../docs/.vitepress/pages.ts";
import { allExamples, examplesOf } from "./support/examples.ts";
import { allBlocks, type CodeBlock, placeOf } from "./support/pages.ts";
import { complaintsAbout, samplesOf } from "./support/type-check.ts";

const blocks = allBlocks();

/** A parser's error for a block; undefined if it is valid. */
const readers: Readonly<Record<string, (block: CodeBlock) => unknown[]>> = {
  json: ({ text }) => problemOf(() => JSON.parse(text)),
  // Lines of a conversation, each its own document, with comments between.
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

  test("the check finds an invalid one", () => {
    const broken = { page: "x.md", line: 1, note: undefined };
    expect(readers["json"]?.({ ...broken, language: "json", text: '{"a": 1,}' })).toHaveLength(1);
    expect(readers["jsonc"]?.({ ...broken, language: "jsonc", text: '// said\n{ "a": }\n' })).not.toEqual([]);
    expect(readers["toml"]?.({ ...broken, language: "toml", text: "a = [1" })).toHaveLength(1);
    expect(readers["yaml"]?.({ ...broken, language: "yaml", text: "a: [1" })).not.toEqual([]);
  });
});

describe("TypeScript in the docs and in docstrings", () => {
  const examples = allExamples();
  const samples = samplesOf([...blocks, ...examples]);
  const text = 'import { parseAsk } from "@askbox/core";\nconst one: string = given;\nparseAsk(one, 1);\n';
  const docstring = "/**\n * Words.\n *\n * @example\n * ```ts\n * const one: string = 1;\n * ```\n */\nexport const two: string = 2;\n";
  const broken = samplesOf([
    { page: "broken.md", line: 10, language: "ts", text, note: "given const given: number = 1;" },
    ...examplesOf("broken.ts", docstring),
  ]);
  let complaints: string[];

  beforeAll(async () => {
    complaints = await complaintsAbout([...samples, ...broken]);
  });

  test("compiles against the packages", () => {
    expect(samples.length).toBeGreaterThan(8);
    expect(complaints.filter((complaint) => !complaint.startsWith("broken."))).toEqual([]);
  });

  test("the check reports errors at their place in the page or the source", () => {
    expect(complaints.filter((complaint) => complaint.startsWith("broken."))).toEqual([
      expect.stringContaining("broken.md:12: TS2322"),
      expect.stringContaining("broken.md:13: TS2345"),
      expect.stringContaining("broken.ts:6: TS2322"),
    ]);
  });

  test("shows how to use every package that has a README", () => {
    const without = packages.filter((name) => !examples.some(({ page }) => page.startsWith(`packages/${name}/`)));
    expect(without).toEqual([]);
  });

  test("starts each example with a code block", () => {
    expect(() => examplesOf("x.ts", "/**\n * @example one\n * const one = 1;\n */")).toThrow("x.ts:2");
  });

  test("has a known marker if it is incomplete", () => {
    expect(() => samplesOf([{ page: "x.md", line: 1, language: "ts", text: "", note: "skip" }])).toThrow("x.md:1");
  });
});
