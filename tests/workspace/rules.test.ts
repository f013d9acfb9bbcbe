import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./violations.ts";
import { type Complaint, copyWorkspace, type WorkspaceCopy } from "./workspace-copy.ts";

describe("the rules of the workspace", () => {
  let copy: WorkspaceCopy;
  let clean: Complaint[];
  let seeded: Complaint[];

  beforeAll(() => {
    copy = copyWorkspace();
    clean = [...copy.lint(), ...copy.compileCore()];
    for (const { path, source } of violations) copy.write(path, source);
    seeded = [...copy.lint(), ...copy.compileCore()];
    // Twice the lint of everything, which a busy machine may take minutes for.
  });
  afterAll(() => copy.remove());

  test("find nothing to reject in the tree as it is", () => {
    expect(clean).toEqual([]);
  });

  test.each(violations)("reject: $rule", ({ path, caughtBy }) => {
    const categories = seeded.filter((complaint) => complaint.path === path).map(({ category }) => category);
    expect(categories).toContain(caughtBy);
  });

  test("complain about the seeded files alone", () => {
    const seededPaths = new Set(violations.map(({ path }) => path));
    expect(seeded.filter(({ path }) => !seededPaths.has(path))).toEqual([]);
  });
});
