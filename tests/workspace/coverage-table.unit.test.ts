import { describe, expect, test } from "vitest";
import { byPackage, type Coverage, percent, shortfalls, table } from "../../scripts/coverage-table.ts";

const file = (total: number, covered: number): Coverage => {
  const counted = { total, covered };
  return { lines: counted, branches: counted, functions: counted };
};
const files = {
  "/project/packages/core/src/a.ts": file(90, 90),
  "/project/packages/core/src/b/c.ts": file(10, 5),
  "/project/apps/web/src/d.tsx": file(0, 0),
  "/project/scripts/e.ts": file(9, 0),
};

describe("the coverage of packages", () => {
  test("is weighted by the size of their files", () => {
    const packages = byPackage(files, "/project");
    expect(packages.map(({ name, lines }) => [name, percent(lines)])).toEqual([
      ["apps/web", 100],
      ["packages/core", 95],
    ]);
    expect(table(packages)).toMatch(/^ +lines +branches +functions\napps\/web +100\.0 %.*\npackages\/core +95\.0 %/);
  });

  test("fails below a threshold, or if a package has none", () => {
    const packages = byPackage(files, "/project");
    const all = (least: number) => ({ lines: least, branches: least, functions: least });
    expect(shortfalls(packages, { "packages/core": all(95), "apps/web": all(100) })).toEqual([]);
    expect(shortfalls(packages, { "packages/core": { ...all(90), lines: 96 } })).toEqual([
      "apps/web has no threshold; add one to scripts/coverage.ts.",
      "packages/core: 95.0 % of its lines are covered, 96 % at least are to be.",
    ]);
  });
});
