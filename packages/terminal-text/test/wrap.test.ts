import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textWidth, truncateLine, wrapText } from "../src/index.ts";

const anyLine = fc.string({ unit: fc.constantFrom("a", "bc", " ", "漢", "字", "。", "é", "👩‍👩‍👧", "-") });

describe("text in terminal cells", () => {
  test("is broken after spaces, keeping words whole", () => {
    expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
  });

  test("is broken inside a word that is wider than a row", () => {
    expect(wrapText("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  });

  test("is broken between wide characters, but not before closing punctuation", () => {
    expect(wrapText("漢字漢字。漢", 8)).toEqual(["漢字漢", "字。漢"]);
  });

  test("is broken before closing punctuation if it and its character are wider than a row", () => {
    expect(wrapText("a漢。", 3)).toEqual(["a漢", "。"]);
  });

  test("has two columns for an emoji of several code points", () => {
    expect(textWidth("👩‍👩‍👧")).toBe(2);
    expect(wrapText("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4)).toEqual(["👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"]);
  });

  test("keeps empty lines", () => {
    expect(wrapText("a\n\nb", 10)).toEqual(["a", "", "b"]);
  });

  // promise: terminal-text-cleaned
  test("never exceeds the width, and loses only spaces", () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 2, max: 20 }), (line, width) => {
        const rows = wrapText(line, width);
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
        expect(rows.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
      }),
      { numRuns: 1000 },
    );
  });

  test("is cut to at most the width", () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 1, max: 20 }), (line, width) => {
        expect(textWidth(truncateLine(line, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
