import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import allBudgets from "../../../scripts/budgets.json" with { type: "json" };
import { bundle, bundlers } from "../support/bundle.ts";
import { type Published, packedAs } from "../support/published.ts";
import { publicPackages } from "../support/workspace.ts";

/** KB are 1,000 bytes, as npm counts them. */
const budgetSchema = z.strictObject({
  /** All files of the tarball. */
  unpackedKB: z.number(),
  /** Only the code of the main entry, minified and gzipped, without what it loads later. */
  entryKB: z.number().optional(),
  /** The main entry with all dependencies except React, as loaded by a page: the larger of rolldown's and esbuild's results. */
  pageKB: z.number().optional(),
  /** The same for what the README's sample uses. */
  sampleKB: z.number().optional(),
});

const { packages: budgets } = allBudgets;

type Budget = z.infer<typeof budgetSchema>;

const file = "scripts/budgets.json";
const react = ["react", "react/jsx-runtime", "react-dom"];

export function describeSizes(published: () => Published): void {
  const larger = async (source: string) => {
    const sizes = bundlers.map(async (by) => (await bundle(published().consumer, source, { outside: react, by })).gzippedKB);
    return Math.max(...(await Promise.all(sizes)));
  };
  const measures: Record<keyof Budget, (name: string) => Promise<number>> = {
    unpackedKB: async (name) => {
      const { files, unpacked } = packedAs(name, published());
      return files.reduce((bytes, path) => bytes + statSync(join(unpacked, path)).size, 0) / 1_000;
    },
    entryKB: async (name) => (await bundle(published().consumer, `export * from "${name}";`, { outside: { allBut: name } })).gzippedKB,
    pageKB: (name) => larger(`export * from "${name}";`),
    sampleKB: (name) => larger(readFileSync(published().consumer.program(name), "utf8")),
  };

  describe("the size budget", () => {
    test("exists for every public package", () => {
      expect(Object.keys(budgets).sort()).toEqual(publicPackages.map(({ name }) => name).sort());
    });

    const limits = Object.entries(budgets).flatMap(([name, budget]) =>
      Object.entries(budgetSchema.parse(budget)).map(([measure, limit]) => ({ name, measure: measure as keyof Budget, limit })),
    );
    test.each(limits)("of $name is met: $measure is at most $limit", async ({ name, measure, limit }) => {
      const size = await measures[measure](name);
      const advice = `${name} has ${size.toFixed(1)} for ${measure}. Make it smaller, or raise the budget in ${file} and say why in the commit`;
      expect(size, advice).toBeLessThanOrEqual(limit);
      expect(size, `${name} has ${size.toFixed(1)} for ${measure}, far below its budget: lower it in ${file}`).toBeGreaterThan(limit / 2);
    });
  });
}
