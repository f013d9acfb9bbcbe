import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pages, root } from "./support/pages.ts";

interface Source {
  name: string;
  text: string;
}

/** Tests, and the contract suites and requirements that tests run. */
const tests = [
  "{packages,packages/agents,packages/reach,apps}/*/test/**/*.ts",
  "packages/{*,agents/*,reach/*}/src/testing/**/*.ts",
  "tests/**/*.ts",
];
const testSources = globSync(tests, { cwd: root, exclude: ["**/node_modules/**"] }).map(
  (name): Source => ({ name, text: readFileSync(join(root, name), "utf8") }),
);

/** Each id with the file that has it: in `<!-- promise: ID -->` behind a sentence of a page. */
const promised = (sources: readonly Source[]): [id: string, file: string][] =>
  sources.flatMap(({ name, text }) => [...text.matchAll(/<!-- promise: (.*?) -->/g)].map(([, id = ""]): [string, string] => [id, name]));

/** Each id with the file that has it, and the line below: in `// promise: ID, ID` above a test. */
const cited = (sources: readonly Source[]): [id: string, file: string, below: string][] =>
  sources.flatMap(({ name, text }) =>
    [...text.matchAll(/^ *\/\/ promise: (.*)\n(?: *\/\/.*\n)*(.*)/gm)].flatMap(([, ids = "", below = ""]) =>
      ids.split(", ").map((id): [string, string, string] => [id, name, below]),
    ),
  );

/** What may follow a citation: a test, a case of a suite, or a requirement. */
const startsATest = /^ *(?:(?:for \(.*\) )?(?:test|it)(?:\(|\.(?!(?:skip|todo)\())|describe\.each|\{|[a-z]+Case\(|async ")/;

function problems(docs: readonly Source[], sources: readonly Source[]): string[] {
  const promises = promised(docs);
  const citations = cited(sources);
  const ids = promises.map(([id]) => id);
  return [
    ...promises.filter(([id]) => !/^[a-z\d]+(-[a-z\d]+)*$/.test(id)).map(([id, file]) => `${file}: "${id}" is no id in kebab-case.`),
    ...promises.filter(([id], index) => ids.indexOf(id) !== index).map(([id, file]) => `${file}: ${id} is the id of another promise too.`),
    ...promises
      .filter(([id]) => !citations.some(([citedId]) => citedId === id))
      .map(([id, file]) => `${file}: no test holds ${id}. Write "// promise: ${id}" above one that fails when it is broken.`),
    ...citations.filter(([id]) => !ids.includes(id)).map(([id, file]) => `${file}: no page has the promise ${id}.`),
    ...citations.filter(([, , below]) => !startsATest.test(below)).map(([id, file]) => `${file}: ${id} is not cited right above a test.`),
  ];
}

test("every promise on the pages has a unique id and a test that cites it, and every cited id exists", () => {
  const promising = pages.filter(({ name }) => /^(?:README|docs\/[^/]+)\.md$/.test(name));
  expect(problems(promising, testSources)).toEqual([]);
  expect(promised(promising).length).toBeGreaterThan(50);
});
