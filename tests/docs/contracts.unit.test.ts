import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { requirements } from "../requirements/requirements.ts";
import { root } from "./support/pages.ts";

/** The last column of each row of a table: what it cites, a file with a sentence or an id. */
function cited(table: string): { name: string; sentence: string | undefined }[] {
  return table
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| contract |"))
    .flatMap((line) => {
      const column = line.split(" | ").at(-1) ?? "";
      return [...column.matchAll(/`([\w./-]+)`(?: "([^"]+)")?/g)].map(([, name = "", sentence]) => ({ name, sentence }));
    });
}

function problems(table: string): string[] {
  const ids = new Set(requirements.map(({ id }) => id));
  return cited(table).flatMap(({ name, sentence }) => {
    if (sentence === undefined) return ids.has(name) ? [] : [`There is no requirement ${name}.`];
    const path = join(root, name);
    if (!existsSync(path)) return [`There is no file ${name}.`];
    const text = readFileSync(path, "utf8");
    return ['"', "`"].some((quote) => text.includes(`${quote}${sentence}`)) ? [] : [`${name} has no test "${sentence}…".`];
  });
}

test("each row of the contracts cites tests that exist", () => {
  const page = readFileSync(join(root, "docs/contracts.md"), "utf8");
  const table = /<!-- contracts: begin -->([\s\S]*)<!-- contracts: end -->/.exec(page)?.[1] ?? "";
  expect(problems(table)).toEqual([]);
  expect(cited(table).length).toBeGreaterThan(150);
  const rows = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| contract |"));
  for (const row of rows) expect(cited(row), row).not.toEqual([]);
});
