import { relative } from "node:path";
import { root } from "./run.ts";

/** The part of Vitest's JSON report that is used here. */
export interface Report {
  startTime: number;
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; tags?: string[]; meta?: { needs?: string } }[] }[];
}

/** One report of several runs. */
export function merged(reports: readonly Report[]): Report {
  const sum = (of: (report: Report) => number) => reports.reduce((count, report) => count + of(report), 0);
  return {
    startTime: Math.min(...reports.map(({ startTime }) => startTime)),
    numPassedTests: sum((report) => report.numPassedTests),
    numFailedTests: sum((report) => report.numFailedTests),
    testResults: reports.flatMap(({ testResults }) => testResults),
  };
}

/** The numbers of passed and failed tests; a run with an error counts at least one failure. */
export function countOf(report: Report, isWell: boolean): { passed: number; failed: number } {
  // A file that could not be loaded has no tests to count, but has failed.
  const brokenFiles = report.testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = report.numFailedTests + brokenFiles;
  return { passed: report.numPassedTests, failed: failed === 0 && !isWell ? 1 : failed };
}

/** A line for each reason for skipped tests: the program they need, their tag, or the file whose condition was false. */
export function skippedLines(report: Report): string[] {
  const reasons = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "skipped" || status === "pending")
      .map(({ tags, meta }) => {
        if (tags?.includes("nightly")) return "`pnpm test:nightly` runs them";
        if (tags?.includes("redis")) return "`pnpm test --redis` runs them";
        return meta?.needs === undefined ? `a condition in ${relative(root, name)}` : `they need ${meta.needs}`;
      }),
  );
  return [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((other) => other === reason).length;
    return `Skipped ${count} ${count === 1 ? "test" : "tests"}: ${reason}.`;
  });
}
