import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/run.ts";
import { countOf, type Report, skippedLines } from "../../scripts/test-report.ts";

const report: Report = {
  numPassedTests: 3,
  numFailedTests: 0,
  testResults: [
    {
      name: join(root, "tests/one.test.ts"),
      status: "passed",
      assertionResults: [
        { status: "passed" },
        { status: "skipped", meta: { needs: "zsh" } },
        { status: "pending", meta: { needs: "zsh" } },
        { status: "skipped" },
      ],
    },
  ],
};

test("every reason for skipped tests is listed on one line", () => {
  expect(skippedLines(report)).toEqual(["Skipped 2 tests: they need zsh.", "Skipped 1 test: a condition in tests/one.test.ts."]);
});

test("a run with an error has failed, even if no test has", () => {
  expect(countOf(report, true)).toEqual({ passed: 3, failed: 0 });
  expect(countOf(report, false)).toEqual({ passed: 3, failed: 1 });
  expect(countOf({ ...report, numFailedTests: 2 }, false)).toEqual({ passed: 3, failed: 2 });
});

test("a file that cannot be loaded counts as one failure", () => {
  const broken = { name: join(root, "tests/two.test.ts"), status: "failed", assertionResults: [] };
  expect(countOf({ ...report, testResults: [broken] }, false)).toEqual({ passed: 3, failed: 1 });
});
