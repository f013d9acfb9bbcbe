import { expect, test } from "vitest";
import { exportsOf, sourcesOf } from "../support/api.ts";
import { oldestTypeScript } from "../support/consumer.ts";
import type { Published } from "../support/published.ts";
import { libraries } from "../support/workspace.ts";

/** A module per entry that uses all of its exports: a missing type is a compile error. */
export const namingModules: Record<string, string> = Object.fromEntries(
  libraries.flatMap(sourcesOf).map(([specifier, path]) => {
    const names = exportsOf(path).map((line) => line.replace(/^value /, ""));
    return [`names-of-${specifier.replaceAll(/\W+/g, "-")}.ts`, `export { ${names.join(", ")} } from "${specifier}";\n`];
  }),
);

export function describeTypes(published: () => Published): void {
  const clean = { code: 0, stdout: "" };
  const what = "compiles the READMEs' examples, the samples on embedding and every exported name, libraries checked too";

  test(`a project with moduleResolution nodenext ${what}`, () => {
    expect(published().compiled).toMatchObject(clean);
  });

  test(`a project with moduleResolution bundler and TypeScript ${oldestTypeScript}, the oldest supported one, ${what}`, {
    tags: "nightly",
    timeout: 240_000,
  }, async () => {
    expect(await published().consumer.compile("bundler", "oldest")).toMatchObject(clean);
  });
}
