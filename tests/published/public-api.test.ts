import { expect, test } from "vitest";
import { currentApi, pinnedPath, readPinned, sourcesOf } from "./support/api.ts";
import { libraries } from "./support/workspace.ts";

/** One sentence for each line that came or went, and what to do about it; empty when nothing did. */
function drift(of: (line: string) => boolean): string {
  const [before, now] = [readPinned().filter(of), currentApi().filter(of)];
  const changes = [
    ...before.filter((line) => !now.includes(line)).map((line) => `"${line}" is gone.`),
    ...now.filter((line) => !before.includes(line)).map((line) => `"${line}" is new.`),
  ];
  if (changes.length === 0) return "";
  return `${changes.join(" ")} Others build on this. If it is meant, run \`pnpm packages:pin\`, review ${pinnedPath} and write a changeset.`;
}

const specifiers = libraries.flatMap(sourcesOf).map(([specifier]) => specifier);

test.each(specifiers)("what %s exports, values and types, is what was reviewed", (specifier) => {
  expect(drift((line) => line.startsWith(`${specifier}: `))).toBe("");
});

test("the error codes, which cross the wire, and who can mend each are what was reviewed", () => {
  expect(drift((line) => line.startsWith("error code "))).toBe("");
});

test("entries and commands come and go only after a review", () => {
  expect(drift(() => true)).toBe("");
});
