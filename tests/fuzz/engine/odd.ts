import fc from "fast-check";
import { type Tree, treeOf } from "./tree.ts";

/**
 * Parts that would make an input too large to be saved or shrunk are placeholders, `@@NAME:SIZE@@`, which are expanded just before use.
 * A placeholder that is a whole JSON string, including quotes, may become something other than a string.
 */
const written: Readonly<Record<string, (size: number) => string>> = {
  a: (size) => "a".repeat(size),
  emoji: (size) => "👩🏽‍🚀".repeat(size),
  marks: (size) => `e${"\u0301".repeat(size)}`,
  spaces: (size) => " ".repeat(size),
  lines: (size) => "\\n".repeat(size),
  quotes: (size) => ">".repeat(size),
  emphasis: (size) => "a**b".repeat(size),
  brackets: (size) => "[(*_`<".repeat(size),
  links: (size) => "[x](".repeat(size),
  bidi: (size) => "\u202e".repeat(size),
  controls: (size) => "\u009d".repeat(size),
};
const whole: Readonly<Record<string, (size: number) => string>> = {
  array: (size) => "[".repeat(size) + "]".repeat(size),
  object: (size) => `${'{"a":'.repeat(size)}0${"}".repeat(size)}`,
  zeros: (size) => `[0${",0".repeat(size)}]`,
  keys: (size) => `{${Array.from({ length: size }, (_, index) => `"k${index}":0`).join(",")}}`,
  huge: (size) => `1e${size}`,
  digits: (size) => "9".repeat(size),
};

const sign = (name: string, size: number) => `@@${name}:${size}@@`;

/** Expands the placeholders of a text. */
export function writeOut(text: string): string {
  return text
    .replace(/"@@([a-z]+):(\d+)@@"/g, (found, name: string, size: string) => whole[name]?.(Number(size)) ?? found)
    .replace(/@@([a-z]+):(\d+)@@/g, (found, name: string, size: string) => written[name]?.(Number(size)) ?? found);
}

const texts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u001b[2J\u001b]0;title\u0007\u009b31m",
  "safe\u202egnp.exe\u2066",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "e\u0301 é",
  "👩🏽‍🚀 \u{10ffff}",
  "line\nline\r\nline\u2028line",
  "../../../etc/passwd",
  "%00%ff%",
  "javascript:alert(1)",
  "<script>alert(1)</script>",
  "[x](javascript:alert(1)) ![](data:,) <b onclick=x>",
  "#1",
  "true",
  "null",
  "NaN",
  "1e999",
  "-0",
  "0x10",
  "９９",
  "2026-02-30",
  "9007199254740993",
  "\ufeff{}",
  "$&$1$`",
];

/** Mostly short; sometimes a megabyte. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...texts) },
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("a", "marks", "spaces", "lines", "brackets", "links", "bidi", "controls"), fc.constantFrom(70, 300, 5_000))
      .map((made) => sign(...made)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      sign("emoji", 20_000),
      sign("emoji", 70_000),
      sign("a", 300_000),
      sign("spaces", 100_000),
      sign("marks", 100_000),
    ),
  },
);

const numbers = [0, -0, -1, 0.1, 1.5, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 53 + 2, 8.64e15, 8.64e15 + 1, 5e-324];

/** An unexpected value. */
export const oddTree: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 6, arbitrary: oddText.map(treeOf) },
  { weight: 4, arbitrary: fc.constantFrom(...numbers.map(treeOf), { json: "-0" }) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { toString: 1 }, { length: 3 }).map(treeOf) },
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 3 }).map(treeOf) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Tree>(
      { entries: [["__proto__", treeOf({ polluted: true })]] },
      { entries: [["constructor", treeOf({ prototype: { polluted: true } })]] },
      { entries: [["then", treeOf("polluted")]] },
      { entries: [["toJSON", treeOf("polluted")]] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        sign("array", 300),
        sign("object", 300),
        sign("array", 9_000),
        sign("object", 9_000),
        sign("huge", 400),
        sign("digits", 400),
      )
      .map(treeOf),
  },
  { weight: 1, arbitrary: fc.constantFrom(sign("zeros", 20_000), sign("zeros", 100_000), sign("keys", 5_000)).map(treeOf) },
);
