import { relative } from "node:path";
import { describe, expect, test } from "vitest";
import { generatedPages, root } from "./support/generated.ts";

describe("the references match the code; if not, run pnpm docs:pages", async () => {
  const generated = await generatedPages();
  test.each(generated.map(({ path, is, shouldBe }) => ({ name: relative(root, path), is, shouldBe })))("$name", ({ is, shouldBe }) => {
    expect(shouldBe.length).toBeGreaterThan(1_000);
    expect(is).toBe(shouldBe);
  });
});
