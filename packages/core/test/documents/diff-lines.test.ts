import { expect, test } from "vitest";
import { diffLines } from "../../src/documents/index.ts";

test("the lines of a unified diff are classified and numbered", () => {
  const lines = diffLines("--- a\n+++ a\n@@ -4,2 +4,2 @@\n same\n-old\n+new\n\\ No newline at end of file\n");
  expect(lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ["head", undefined, undefined],
    ["head", undefined, undefined],
    ["hunk", undefined, undefined],
    ["same", 4, 4],
    ["removed", 5, undefined],
    ["added", undefined, 5],
    ["head", undefined, undefined],
  ]);
});

test("the lines of an apply_patch patch are classified, without numbers, which it doesn't have", () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: a",
    "*** Move to: b",
    " same",
    "-old",
    "@@ function f() {",
    "+new",
    "*** Add File: c",
    "+one",
    "*** Delete File: d",
    "-not a line of it",
    "*** End Patch",
  ];
  expect(diffLines(patch.join("\n")).map(({ text }) => text)).toEqual(patch);
  expect(diffLines(patch.join("\n")).map(({ kind }) => kind)).toEqual(
    "head head head same removed hunk added head added head head head".split(" "),
  );
  expect(diffLines(patch.join("\n")).every(({ before, after }) => before === undefined && after === undefined)).toBe(true);
});

test("after the lines that a hunk announces, a new file may begin without any other mark", () => {
  const diff = "--- a\n+++ b\n@@ -1,2 +1,2 @@\n--- a comment\n+-- the comment\n same\n--- c\n+++ d\n@@ -1 +1 @@\n-x\n+y";
  expect(diffLines(diff).map(({ kind }) => kind)).toEqual([
    "head",
    "head",
    "hunk",
    "removed",
    "added",
    "same",
    "head",
    "head",
    "hunk",
    "removed",
    "added",
  ]);
});
