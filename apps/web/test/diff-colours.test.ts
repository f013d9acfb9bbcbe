import { diffLines } from "@askbox/core/documents";
import { expect, test } from "vitest";
import { bodyOf, colourDiff } from "../src/widgets/diff-colours.ts";

const namesIn = (diff: string, path?: string) => {
  const lines = diffLines(diff);
  const colours = colourDiff(lines, path);
  return lines.map((line) => colours.get(line)?.flatMap(({ text, names }) => (names === undefined ? [] : [`${names}: ${text}`])));
};

test("the lines of a diff have the colours of their language, which the path or the diff names", () => {
  const hunk = "@@ -1,2 +1,2 @@\n const x = 1;\n-let y = 'old';\n+let y = \"new\";";
  const colours = [
    undefined,
    ["hljs-keyword: const", "hljs-number: 1"],
    ["hljs-keyword: let", "hljs-string: 'old'"],
    ["hljs-keyword: let", 'hljs-string: "new"'],
  ];
  expect(namesIn(hunk, "src/a.ts")).toEqual(colours);
  expect(namesIn(`--- a/a.ts\n+++ b/a.ts\n${hunk}`)).toEqual([undefined, undefined, ...colours]);
  expect(namesIn(hunk, "LICENSE")).toEqual([undefined, undefined, undefined, undefined]);
});

test("a comment over several lines is one, on each side by itself", () => {
  const diff = "@@ -1,3 +1,4 @@\n /*\n-old const\n+new const\n+more\n */";
  const colours = namesIn(diff, "a.ts");
  expect(colours.slice(1)).toEqual([
    ["hljs-comment: /*"],
    ["hljs-comment: old const"],
    ["hljs-comment: new const"],
    ["hljs-comment: more"],
    ["hljs-comment: */"],
  ]);
});

test("the coloured text is the whole text, with invisible characters replaced", () => {
  const lines = diffLines('@@ -1 +1 @@\n-const a = "x\u202ey";\n+const b = `\r\n1`;\n \n');
  const colours = colourDiff(lines, "a.js");
  expect(colours.size).toBeGreaterThan(0);
  for (const line of lines.slice(1)) {
    const pieces = colours.get(line);
    if (pieces !== undefined) expect(pieces.map(({ text }) => text).join("")).toBe(bodyOf(line));
  }
  expect(bodyOf(lines[1] as (typeof lines)[number])).toContain("U+202E");
});
