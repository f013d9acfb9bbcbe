import { diffLines } from "@askbox/core/documents";
import { expect, test } from "vitest";
import { compared, wordMarks } from "../src/widgets/word-marks.ts";

/** The marked words of each line that has some. */
function marked(...texts: string[]): string[] {
  const lines = diffLines(["@@ -1,9 +1,9 @@", ...texts].join("\n"));
  const marks = wordMarks(lines);
  return lines.flatMap((line) => marks.get(line)?.map(({ from, to }) => `${line.text[0]}${line.text.slice(from + 1, to + 1)}`) ?? []);
}

test("the words that differ between a removed line and the one that replaced it are marked", () => {
  expect(marked("-throw new Error(text);", "+throw new RetryError(text);")).toEqual(["-Error", "+RetryError"]);
  expect(marked("-a b", "-c d e", "+a x", "+c d f")).toEqual(["-b", "-e", "+x", "+f"]);
  expect(marked("-whole other words", "+nothing in common here")).toEqual([]);
  expect(marked(" same", "+new")).toEqual([]);
});

test("marks never split a character, and name parts of their line only", () => {
  const texts = [
    "",
    "a",
    "a b",
    "😀 b",
    "😀😀",
    "e\u0301 f",
    "👩‍👩‍👧 x y",
    "\ud800 a b",
    "a\tb",
    "a  b",
    "\u202ea b c",
    "日本 語",
    "x = 1;",
  ];
  for (const before of texts)
    for (const after of texts) {
      const both = compared(before, after);
      for (const [text, marks] of [
        [before, both?.old ?? []],
        [after, both?.new ?? []],
      ] as const) {
        let end = 0;
        for (const { from, to } of marks) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          if (text.isWellFormed()) expect(text.slice(from, to).isWellFormed()).toBe(true);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }
    }
});

test("200 KB are compared in bounded time, whatever they are", () => {
  const lines = {
    "one line": [`-${"a ".repeat(50_000)}`, `+${"b ".repeat(50_000)}`],
    "long lines that differ in every word": Array.from(
      { length: 100 },
      (_, index) => `${index < 50 ? "-" : "+"}${`${index} `.repeat(600)}`,
    ),
    "many changes": Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? "-x = 1;" : "+x = 2;")),
    "one long change": [...Array.from({ length: 9_000 }, () => "-x = 1;"), ...Array.from({ length: 9_000 }, () => "+x = 2;")],
  };
  for (const [name, texts] of Object.entries(lines)) {
    const begin = process.cpuUsage();
    wordMarks(diffLines(["@@ -1 +1 @@", ...texts].join("\n")));
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1_000, name).toBeLessThan(2_000);
  }
});
