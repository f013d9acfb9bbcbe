import { expect, test } from "vitest";
import { currentApi, pinnedPath, readPinned, sourcesOf } from "./support/api.ts";
import { libraries } from "./support/workspace.ts";

/** Fails with a message for each added or removed line, and one that says what to do. */
function expectNoDrift(of: (line: string) => boolean): void {
  const [before, now] = [readPinned().filter(of), currentApi().filter(of)];
  const changes = [
    ...before.filter((line) => !now.includes(line)).map((line) => `"${line}" is gone.`),
    ...now.filter((line) => !before.includes(line)).map((line) => `"${line}" is new.`),
  ];
  const advice = `Others build on this. If it is meant, run \`pnpm packages:pin\`, review ${pinnedPath} and write a changeset.`;
  // Also as the message, since values are truncated.
  expect(changes, `${changes.join(" ")} ${advice}`).toEqual([]);
}

test.each(libraries)("only the entries of $name can be imported", async ({ name }) => {
  for (const inside of ["src/index.ts", "dist/index.js", "package"]) {
    await expect(import(/* @vite-ignore */ `${name}/${inside}`)).rejects.toThrow(/not exported|is not defined by "exports"|Missing/);
  }
});

const specifiers = libraries.flatMap(sourcesOf).map(([specifier]) => specifier);

test.each(specifiers)("the exports of %s, values and types, match the reviewed ones", (specifier) => {
  expectNoDrift((line) => line.startsWith(`${specifier}: `));
});

test("the core's main entry has at most 100 names", () => {
  const names = currentApi().filter((line) => line.startsWith("@askbox/core: "));
  expect(
    names.length,
    "Give what only surfaces, stores or transports use to their entry: questions, schemas, stores, machine, transport",
  ).toBeLessThanOrEqual(100);
});

test("the error codes, which cross the wire, and who can fix each match the reviewed ones", () => {
  expectNoDrift((line) => line.startsWith("error code "));
});

test("entries and commands only change after a review", () => {
  expectNoDrift(() => true);
});
