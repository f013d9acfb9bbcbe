import { isTooManyValues, isTooManyValuesIn } from "@askbox/core/schemas";
import { expect, test } from "vitest";

const lists = (count: number, each: number) => Array.from({ length: count }, () => Array.from({ length: each }, () => 'a,[{\\"b'));

test.each([
  ["as many values as there may be", lists(10, 1_999), false],
  ["one more", [...lists(10, 1_999), 1], true],
  ["texts with signs of JSON in them", { text: `${"[,{".repeat(20_000)}\\"` }, false],
])("text with %s has too many only if its value has", (_what, value, expected) => {
  expect(isTooManyValues(value)).toBe(expected);
  // The text alone does not tell all of them, but never tells of more.
  if (isTooManyValuesIn(JSON.stringify(value))) expect(expected).toBe(true);
});

test.each([
  ["commas", `[${"1,".repeat(20_000)}1]`],
  ["brackets", "[".repeat(20_002)],
  ["braces", '{"a":'.repeat(20_002)],
])("text with more than 20,000 %s has too many values, whether it is JSON or not", (_what, text) => {
  expect(isTooManyValuesIn(text)).toBe(true);
});
