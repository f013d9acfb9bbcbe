import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./violations.ts";
import { type Complaint, copyWorkspace, type WorkspaceCopy } from "./workspace-copy.ts";

describe("the workspace rules", () => {
  let copy: WorkspaceCopy;
  let seeded: Complaint[];

  beforeAll(() => {
    copy = copyWorkspace();
    for (const { path, source } of violations) copy.write(path, source);
    seeded = [...copy.lint(violations.map(({ path }) => path)), ...copy.compileCore()];
  });
  afterAll(() => copy.remove());

  test.each(violations)("reject: $rule", ({ path, caughtBy }) => {
    const categories = seeded.filter((complaint) => complaint.path === path).map(({ category }) => category);
    expect(categories).toContain(caughtBy);
  });
});
