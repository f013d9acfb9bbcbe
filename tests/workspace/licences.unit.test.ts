import { expect, test } from "vitest";
import { bundledPackages, licenceProblems } from "../../scripts/licences.ts";

const list = `# Third-party software in this package

## @noble/hashes 2.0.1 (MIT)

MIT text with a line
## that is no heading of ours

## react - 19.2.0 (MIT)

## type-fest 5.0.0 ((MIT OR CC0-1.0))

## odd 1.0.0 (GPL-3.0-only)

## silent 1.0.0 (no license named)
`;

test("a list of licences names the packages of a bundle, including scoped ones and both kinds of headings", () => {
  expect(bundledPackages(list).map(({ purl }) => purl)).toEqual([
    "pkg:npm/%40noble/hashes@2.0.1",
    "pkg:npm/react@19.2.0",
    "pkg:npm/type-fest@5.0.0",
    "pkg:npm/odd@1.0.0",
    "pkg:npm/silent@1.0.0",
  ]);
});

test("a forbidden or missing licence is a problem; a choice that includes an allowed one is not", () => {
  const problems = licenceProblems([...bundledPackages(list), { type: "library", name: "bare", version: "1.0.0" }]);
  expect(problems).toEqual([
    "odd 1.0.0 is under GPL-3.0-only, which is not among the allowed ones.",
    "silent 1.0.0 is under no license named, which is not among the allowed ones.",
    "bare 1.0.0 names no licence.",
  ]);
});
