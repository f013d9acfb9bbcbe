import { expect, test } from "vitest";
import { budgetProblems, rowsOf } from "../../scripts/check-budgets.ts";

const lines = (figure: number) => new Map([["lines", figure]]);
const rows = (...budgets: readonly (string | number)[]) =>
  rowsOf(["| name | budget | why |", ...budgets.map((budget) => `| \`lines\` | ${budget} | because |`)].join("\n"));

test("a figure within its budget is fine", () => {
  expect(budgetProblems(lines(1_000), lines(1_000), rows(900, 1_000))).toEqual([]);
  expect(budgetProblems(lines(995), lines(1_000), rows(1_000))).toEqual([]);
});

test.each([
  ["a figure grows", 1_001, 1_000, rows(1_000), /^lines is 1001, more than its budget of 1000; make it smaller/],
  ["a figure falls and the budget doesn't", 900, 1_000, rows(1_000), /^lines is only 900 of 1000; lower the budget/],
  ["a small figure falls by one", 4, 5, rows(5), /^lines is only 4 of 5/],
  ["a budget rises without a row", 1_001, 1_001, rows(1_000), /^lines is 1001 in scripts.budgets\.json, but 1000 in docs/],
  ["a budget never had a row", 1_000, 1_000, rows(), /^lines is 1000 in scripts.budgets\.json, but not in docs/],
] as const)("it is told when %s", (_, figure, budget, table, problem) => {
  expect(budgetProblems(lines(figure), lines(budget), table)).toEqual([expect.stringMatching(problem)]);
});

test("a budget of names takes none more, and none that is gone", () => {
  const table = rowsOf("| `circles` | a, b | because |");
  const circles = (...names: string[]) => new Map([["circles", names]]);
  expect(budgetProblems(circles("a", "b"), circles("a", "b"), table)).toEqual([]);
  expect(budgetProblems(circles("b", "c"), circles("a", "b"), table)).toEqual([
    expect.stringContaining("circles: c is new"),
    expect.stringContaining("circles: a is gone"),
  ]);
  expect(budgetProblems(circles(), circles(), rowsOf("| `circles` | none | because |"))).toEqual([]);
});

test("what is measured has a budget, and what has a budget is measured", () => {
  expect(budgetProblems(lines(1), new Map(), rows())).toEqual([expect.stringContaining("lines has no budget")]);
  expect(budgetProblems(new Map(), lines(1), rows(1))).toEqual([expect.stringContaining("lines in scripts/budgets.json measures nothing")]);
});
