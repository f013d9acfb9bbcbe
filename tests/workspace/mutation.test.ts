import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

const source = `
export const greeting = "hello";
export const isLater = (next: number, present: number): boolean => next > present;
export function countDown(from: number): number {
  let steps = 0;
  for (let left = from; left > 0; left -= 1) steps += 1;
  return steps;
}
export function waitedFor(): string {
  let isOver = false;
  const finish = () => {
    isOver = true;
  };
  finish();
  while (!isOver) {
    // A mutant in the code that ends this would not be detected here.
  }
  return "over";
}
export async function told(wake: Promise<string>): Promise<string> {
  const word = await wake;
  return word + "!";
}
export const unseen = () => 1 + 1;
`;

const tests = `
import { describe, expect, test } from "vitest";
import { countDown, greeting, isLater, told, waitedFor } from "../src/all.ts";

describe("a clock", () => {
  test.each([[2, 1, true], [1, 2, false]])("%i after %i: %s", (next, present, later) => {
    expect(isLater(next, present)).toBe(later);
  });
});
test("a countdown ends", () => expect(countDown(3)).toBe(3));
test("a wait ends", () => expect(waitedFor()).toBe("over"));
test("a greeting", () => expect(greeting).toBe("hello"));
test("a word is told", async () => expect(await told(Promise.resolve("ho"))).toMatch(/ho/));
`;

/** A package of two files, tested by a mutation run with the runner of `pnpm mutation`. */
async function mutated(): Promise<[change: string, status: string][]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "askbox-mutation-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await Promise.all(["src", "test"].map((name) => mkdir(join(folder, name))));
  const config = {
    testRunner: "in-process",
    plugins: [join(root, "scripts/mutation/runner.ts")],
    inProcess: { setup: [], tests: ["test/**/*.test.ts"], except: [] },
    warnings: { unknownOptions: false },
    mutate: ["src/**/*.ts"],
    coverageAnalysis: "perTest",
    reporters: ["json"],
    jsonReporter: { fileName: "report.json" },
    concurrency: 1,
    timeoutMS: 60_000,
    tsconfigFile: "none",
    checkers: [],
    allowConsoleColors: false,
  };
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "stryker.config.json"), JSON.stringify(config));
  await writeFile(join(folder, "src/all.ts"), source);
  await writeFile(join(folder, "test/all.test.ts"), tests);
  const manifest = createRequire(join(root, "package.json")).resolve("@stryker-mutator/core/package.json");
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, [join(dirname(manifest), "bin/stryker.js"), "run"], { cwd: folder, timeout: 100_000 }, (error, stdout) =>
      error === null ? resolve() : reject(new Error(stdout, { cause: error })),
    );
  });
  const report = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  const lines = source.split("\n");
  return report.files["src/all.ts"].mutants.map(({ location: { start, end }, replacement, status }: Mutant) => {
    const original = start.line === end.line ? lines[start.line - 1]?.slice(start.column - 1, end.column - 1) : "…";
    return [`${original} => ${replacement}`, status];
  });
}

interface Mutant {
  location: Record<"start" | "end", { line: number; column: number }>;
  replacement: string;
  status: string;
}

test("a mutation run reports what the tests detect: in a module that loads, in an infinite loop, and in code they do not reach", async () => {
  const verdicts = Object.groupBy(await mutated(), ([, status]) => status);
  const changes = (status: string) => verdicts[status]?.map(([change]) => change) ?? [];
  expect(changes("Killed"), "a constant").toContain('"hello" => ""');
  expect(changes("Killed"), "a comparison").toContain("next > present => next <= present");
  expect(changes("Killed"), "a loop that the watchdog ends").toContain("true => false");
  expect(changes("Timeout"), "a loop that meets its mutant again and again").toContain("left -= 1 => left += 1");
  expect(changes("Survived"), "a bound and a word that no test looks at").toEqual(
    expect.arrayContaining(["next > present => next >= present", '"!" => ""']),
  );
  expect(changes("NoCoverage")).toContain("1 + 1 => 1 - 1");
  expect(Object.keys(verdicts).sort(), "no mutant was an error").toEqual(["Killed", "NoCoverage", "Survived", "Timeout"]);
});
