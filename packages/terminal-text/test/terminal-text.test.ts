import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { terminalJson, terminalLine, terminalText } from "../src/terminal-text.ts";

const obeyed = /(?!\n)\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\u200B\uFEFF\u{E0000}-\u{E007F}\p{Cs}]/u;

describe("outside text for a terminal", () => {
  test.each([
    ["a colour", "\u001b[31mred\u001b[0m", "␛red␛"],
    ["a cleared screen", "a\u001b[2Jb", "a␛b"],
    ["an 8-bit control sequence", "a\u009b2Jb", "a␛b"],
    ["a window title", "a\u001b]0;title\u0007b", "a␛b"],
    ["a link to somewhere else", "\u001b]8;;https://evil.example\u001b\\safe.example\u001b]8;;\u001b\\", "␛safe.example␛"],
    ["a sequence that never ends", "a\u001b]0;title", "a␛0;title"],
    ["a full reset", "a\u001bcb", "a␛b"],
    ["a lone escape", "a\u001b", "a␛"],
    ["a carriage return that overwrites", "rm -rf /\rls", "rm -rf /␍ls"],
    ["backspaces", "ab\b\bcd", "ab␈␈cd"],
    ["NUL and DEL", "a\u0000b\u007fc", "a␀b␡c"],
    ["text that is turned round", "user\u202egpj.exe", "user�gpj.exe"],
    ["isolated text that is turned round", "a\u2067b\u2069c", "a�b�c"],
    ["hidden tags", "a\u{E0041}\u{E0042}b", "a�b"],
    ["zero-width spaces", "pass\u200bword", "pass�word"],
    ["half a character", "a\ud800b", "a�b"],
    ["line and paragraph separators", "a\u2028b\u2029c", "a\nb\nc"],
    ["Windows line ends", "a\r\nb", "a\nb"],
  ])("%s is displayed, not executed", (_, hostile, shown) => {
    expect(terminalText(hostile)).toBe(shown);
  });

  test.each([["👩‍👩‍👧‍👦"], ["❤️‍🔥"], ["1️⃣"], ["می‌خواهم"], ["naïve café"], ["日本語"], ["שלום"], ["e\u0301"]])("%s is unchanged", (text) => {
    expect(terminalText(text)).toBe(text);
  });

  test("a pile of combining marks is cut", () => {
    expect(terminalText(`a${"\u0301".repeat(500)}b`)).toBe(`a${"\u0301".repeat(6)}�b`);
  });

  test("an emoji that never ends is cut into pieces, in linear time", () => {
    const longest = "👩🏻‍❤️‍💋‍👩🏻";
    for (const [endless, size] of [
      ["❤️‍🔥‍", 20_000],
      ["👩🏻‍", 20_000],
      ["🏻", 60_000],
      [`${longest}‍`, 8_000],
    ] as const) {
      const begun = performance.now();
      const shown = terminalText(`👩${endless.repeat(size)}`);
      // A quadratic search would take minutes.
      expect(performance.now() - begun).toBeLessThan(10_000);
      for (const { segment } of new Intl.Segmenter().segment(shown))
        if (segment.length > 45) throw new Error(`${segment.length} characters`);
      expect(terminalText(shown) === shown).toBe(true);
    }
    expect(terminalText(`${longest} ${longest}`)).toBe(`${longest} ${longest}`);
  });

  test("a line contains no line break", () => {
    expect(terminalLine("  one\n\n two\tthree\u2028four ")).toBe("one two three four");
  });

  // promise: screen-safe-from-agent-text, terminal-text-cleaned
  test("contains no control sequence, whatever the input, and sanitising twice changes nothing", () => {
    const alphabet = fc.constantFrom(
      "\u001b",
      "[",
      "]",
      "0",
      ";",
      "m",
      "J",
      "\u0007",
      "\\",
      "\u009b",
      "\u009d",
      "\u0090",
      "\u009c",
      "\r",
      "\n",
      "\u202e",
      "\u200d",
      "😀",
      "\ud83d",
      "a",
      "\ufe0f",
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: alphabet })), (text) => {
        const clean = terminalText(text);
        expect(clean.replaceAll(/\p{Extended_Pictographic}\u200D/gu, "")).not.toMatch(obeyed);
        expect(terminalText(clean)).toBe(clean);
      }),
    );
  });

  test.each([["\u001b]"], ["\u009d"], ["\u009b0"], ["\u202e"], ["\u0301"], ["❤\ufe0f"]])(
    "100,000 of them (%j) are sanitised in linear time",
    (piece) => {
      expect(terminalText(piece.repeat(100_000))).not.toMatch(obeyed);
    },
  );
});

test("JSON stays equivalent with control characters escaped", () => {
  const document = { text: "a\u001b[2J\u009b2J\u202eb\u{E0041}\u2028\ufeff👩‍👧" };
  const json = terminalJson(JSON.stringify(document));
  expect(JSON.parse(json)).toEqual(document);
  expect(json).not.toMatch(obeyed);
});
