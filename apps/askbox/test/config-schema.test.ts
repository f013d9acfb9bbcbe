import { readFileSync } from "node:fs";
import { configJsonSchema } from "@askbox/home";
import { expect, test } from "vitest";

test("the published schema of config.json is up to date (pnpm --filter askbox schema)", () => {
  const published: unknown = JSON.parse(readFileSync(new URL("../config.schema.json", import.meta.url), "utf8"));
  expect(published).toEqual(configJsonSchema());
});
