import { expect, test } from "vitest";
import { exportsOf, sourcesOf } from "../support/api.ts";
import type { Published } from "../support/published.ts";
import { libraries } from "../support/workspace.ts";

/** One module for each entry, which names everything that it exports: a type that is missing is a compile error. */
export const namingModules: Record<string, string> = Object.fromEntries(
  libraries.flatMap(sourcesOf).map(([specifier, path]) => {
    const names = exportsOf(path).map((line) => line.replace(/^value /, ""));
    return [`names-of-${specifier.replaceAll(/\W+/g, "-")}.ts`, `export { ${names.join(", ")} } from "${specifier}";\n`];
  }),
);

export function describeTypes(published: () => Published): void {
  // The first makes the programs that run in other tests.
  test.each(["nodenext", "bundler"] as const)(
    "a project with moduleResolution %s compiles every README's example and every exported name, libraries checked too",
    async (resolution) => {
      const { code, stdout } = await published().consumer.compile(resolution);
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    },
  );
}
