import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { firstExample } from "./support/readme.ts";
import { installedWith, libraries, publicPackages, root, workspacePackages } from "./support/workspace.ts";

const names = publicPackages.map(({ name }) => name);

test("ten packages are public, and the others private", () => {
  expect(names.toSorted()).toEqual([
    "@askbox/core",
    "@askbox/elicit",
    "@askbox/hub",
    "@askbox/inbox",
    "@askbox/mcp",
    "@askbox/react",
    "@askbox/store-redis",
    "@askbox/store-sqlite",
    "@askbox/wire",
    "askbox",
  ]);
});

test("changesets versions the public packages together, and no others", () => {
  const config = JSON.parse(readFileSync(join(root, ".changeset/config.json"), "utf8"));
  expect(config).toMatchObject({ access: "public", linked: [], ignore: [], privatePackages: { version: false, tag: false } });
  expect(config.fixed).toHaveLength(1);
  expect(config.fixed[0].toSorted()).toEqual(names.toSorted());
});

describe.each(publicPackages)("$name", ({ folder, name, manifest }) => {
  test("installs no private package", () => {
    const hidden = workspacePackages.filter(({ manifest: other }) => other.private === true).map((other) => other.name);
    expect(installedWith(manifest).filter((dependency) => hidden.includes(dependency))).toEqual([]);
  });

  test("has a description, author, licence, repository and Node version", () => {
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/^.{20,160}\.$/),
      license: "MIT",
      repository: { type: "git", url: "git+https://github.com/askbox/askbox.git", directory: folder },
      homepage: `https://github.com/askbox/askbox/tree/main/${folder}#readme`,
      engines: { node: ">=22.13" },
      type: "module",
    });
    expect(manifest.keywords?.length).toBeGreaterThan(3);
    expect(manifest.files).toContain("dist");
  });

  test("has a README that starts with an example of under 15 lines", () => {
    expect(firstExample({ folder }).code.trimEnd().split("\n").length).toBeLessThan(15);
  });

  test("is published publicly, to whatever registry npm uses", () => {
    const { exports: _, ...rest } = manifest.publishConfig ?? {};
    expect(rest).toEqual({ access: "public" });
  });

  test("has the same version as the others", () => {
    expect(manifest.version, name).toBe(publicPackages[0]?.manifest.version);
  });
});

test.each(libraries)("$name publishes its entries without the condition for sources", ({ manifest }) => {
  const published = Object.entries(manifest.exports ?? {}).map(([entry, target]) => {
    if (typeof target === "string") return [entry, target];
    const { "askbox-source": _, ...rest } = target;
    return [entry, rest];
  });
  expect(manifest.publishConfig?.exports).toEqual(Object.fromEntries(published));
});

test.each(libraries)("$name declares that its modules have no side effects", ({ manifest }) => {
  expect(manifest.sideEffects).toBe(false);
});
