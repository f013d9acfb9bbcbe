import fc from "fast-check";
import { expect, test } from "vitest";
import { changeOf, documentLines, fileAt, filesOf, isRepeated } from "../../src/documents/index.ts";

const files = (text: string) => filesOf(documentLines(text, true));
const seen = (text: string) =>
  files(text).map(({ name, was, change, added, removed }) => [name, was ?? change, added, removed].filter((each) => each !== undefined));

test("each file of a diff has its name, what happened to it and how many lines it adds and removes", () => {
  const diff = [
    "diff --git a/kept.ts b/kept.ts",
    "index 1234567..89abcde 100644",
    "--- a/kept.ts",
    "+++ b/kept.ts",
    "@@ -1,2 +1,3 @@",
    " same",
    "-old",
    "+new",
    "+newer",
    "diff --git a/from.ts b/to.ts",
    "similarity index 100%",
    "rename from from.ts",
    "rename to to.ts",
    "diff --git a/x.ts b/y.ts",
    "similarity index 90%",
    "rename from x.ts",
    "rename to y.ts",
    "--- a/x.ts",
    "+++ b/y.ts",
    "@@ -1 +1 @@",
    "-x",
    "+y",
    "diff --git a/gone.ts b/gone.ts",
    "deleted file mode 100644",
    "--- a/gone.ts",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-only",
    "\\ No newline at end of file",
    "--- /dev/null",
    "+++ b/fresh.ts",
    "@@ -0,0 +1 @@",
    "+only",
  ].join("\n");
  expect(seen(diff)).toEqual([
    ["kept.ts", 2, 1],
    ["to.ts", "from.ts", 0, 0],
    ["y.ts", "x.ts", 1, 1],
    ["gone.ts", "deleted", 0, 1],
    ["fresh.ts", "new", 1, 0],
  ]);
  expect(changeOf(files(diff))).toEqual({ added: 4, removed: 3 });
  // Modes and likeness are said nowhere else.
  const shown = files(diff).flatMap((file) => file.lines.filter((line) => line.diff?.kind === "head" && !isRepeated(file, line)));
  expect(shown.map(({ text }) => text)).toEqual([
    "similarity index 100%",
    "similarity index 90%",
    "deleted file mode 100644",
    "\\ No newline at end of file",
  ]);
});

test("a patch for apply_patch has its files, and its end belongs to the last", () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: a",
    "*** Move to: b",
    "-old",
    "+new",
    "*** Delete File: d",
    "*** Add File: c",
    "+one",
    "*** End Patch",
  ];
  expect(seen(patch.join("\n"))).toEqual([
    ["b", "a", 1, 1],
    ["d", "deleted", 0, 0],
    ["c", "new", 1, 0],
  ]);
});

test("a document that is no diff is one file without a name, and a hunk without names is one, too", () => {
  expect(seen("@@ -1 +1 @@\n-x\n+y")).toEqual([["", 1, 1]]);
  expect(filesOf(documentLines("# Plan\n\nGo.", false))).toMatchObject([{ name: "", added: 0, removed: 0, lines: { length: 3 } }]);
});

test("a heading that says something else than the file's name is never left out", () => {
  for (const line of ["--- a/other.ts", "+++ b/x.ts\t2026-01-01", "index 12..34\u202e", "new file mode 100755"]) {
    const [file] = files(`--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-x\n+y`);
    expect(isRepeated(file as NonNullable<typeof file>, { text: line, diff: { kind: "head", text: line } }), line).toBe(false);
  }
});

test("whatever the text, each line is in one file, in order, and its file is found by its index", () => {
  const line = fc.constantFrom(
    "--- a",
    "+++ b",
    "diff --git a/x b/x",
    "@@ -1 +1 @@",
    "-x",
    "+y",
    " z",
    "\\ No",
    "*** End Patch",
    "Index: q",
    "",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(line, fc.string()), { minLength: 1, maxLength: 40 }), (texts) => {
      const lines = documentLines(texts.join("\n"), true);
      const all = filesOf(lines);
      expect(all.flatMap((file) => file.lines.map(({ index }) => index))).toEqual(lines.map((_, index) => index));
      for (const [at, file] of all.entries()) for (const { index } of file.lines) expect(fileAt(all, index)).toBe(at);
    }),
  );
});

test("200 KB are read in linear time, whether they are one line or thousands of files", () => {
  const inputs = {
    line: `+${"x".repeat(200_000)}`,
    heads: "--- a\n".repeat(33_000),
    files: "--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n".repeat(6_600),
    bare: "diff --git ".repeat(18_000),
  };
  for (const [name, text] of Object.entries(inputs)) {
    const begin = process.cpuUsage();
    for (const file of files(text)) for (const each of file.lines) isRepeated(file, each);
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000, name).toBeLessThan(2_000);
  }
});
