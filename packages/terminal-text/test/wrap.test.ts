import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { padLine, textWidth, truncateLine, wrapText } from "../src/index.ts";

const anyLine = fc.string({ unit: fc.constantFrom("a", "bc", " ", "漢", "字", "。", "é", "👩‍👩‍👧", "-") });

describe("text in the cells of a terminal", () => {
  test("breaks after spaces and keeps words whole", () => {
    expect(wrapText("one two three", 8)).toEqual(["one two", "three"]);
  });

  test("breaks a word that is wider than a row", () => {
    expect(wrapText("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  });

  test("breaks between wide characters, but not before closing punctuation", () => {
    expect(wrapText("漢字漢字。漢", 8)).toEqual(["漢字漢", "字。漢"]);
  });

  test("breaks before closing punctuation where it and its character are wider than a row", () => {
    expect(wrapText("a漢。", 3)).toEqual(["a漢", "。"]);
  });

  test("counts an emoji of several code points as two columns", () => {
    expect(textWidth("👩‍👩‍👧")).toBe(2);
    expect(wrapText("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4)).toEqual(["👩‍👩‍👧👩‍👩‍👧", "👩‍👩‍👧"]);
  });

  test("keeps empty lines", () => {
    expect(wrapText("a\n\nb", 10)).toEqual(["a", "", "b"]);
  });

  // promise: terminal-text-cleaned
  test("never makes a row wider than asked, and loses nothing but spaces", () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 2, max: 20 }), (line, width) => {
        const rows = wrapText(line, width);
        for (const row of rows) expect(textWidth(row)).toBeLessThanOrEqual(width);
        expect(rows.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
      }),
      { numRuns: 1000 },
    );
  });

  test("cuts and fills a line to the very column", () => {
    fc.assert(
      fc.property(anyLine, fc.integer({ min: 1, max: 20 }), (line, width) => {
        expect(textWidth(padLine(line, width))).toBe(width);
        expect(textWidth(truncateLine(line, width))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
