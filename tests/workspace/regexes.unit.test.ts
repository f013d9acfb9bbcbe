import { expect, test } from "vitest";
import { problemOf, regexesOf } from "../../scripts/check-regexes.ts";

const problems = (source: string) => regexesOf("sample.ts", source).map((found) => [found.place, problemOf(found) !== undefined]);

test("an expression that takes more than linear time is reported with its position", () => {
  expect(problems("const a = 1;\nconst spaces = (text: string) => /(?<=\\bBearer\\s+)\\S/g.test(text);")).toEqual([["sample.ts:2", true]]);
  expect(problems("export const nested = /^(a+)+$/;")).toEqual([["sample.ts:1", true]]);
});

test("a linear one is not reported, and one built at run time cannot be checked", () => {
  expect(problems("export const digits = /^\\d{1,9}\\.\\d+$/;")).toEqual([["sample.ts:1", false]]);
  expect(problems('export const made = new RegExp("a" + "b");')).toEqual([["sample.ts:1", true]]);
});
