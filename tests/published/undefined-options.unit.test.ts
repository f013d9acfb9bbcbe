import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { libraries, root } from "./support/workspace.ts";

/** Types of input from callers. Their members are indented by two spaces, each up to its semicolon. */
const interfaces = /^export interface (\w+(?:Options|Limits|Query|Filter|Wish))\b[^{]*\{\n([\s\S]*?)^\}/gm;
const optional = /^ {2}(?:readonly )?(\w+)\?(?:: ([^;{]*|[^;]*\{[\s\S]*?^ {2}\}[^;]*);|\()/gm;

test("a caller with exactOptionalPropertyTypes may pass undefined for every option", () => {
  let members = 0;
  const strict = libraries.flatMap(({ folder }) => {
    const source = join(root, folder, "src");
    const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
    return files.flatMap((name) => {
      const path = join(source, name);
      return [...readFileSync(path, "utf8").matchAll(interfaces)].flatMap(([, owner, body = ""]) =>
        [...body.matchAll(optional)].flatMap(([, member, type = ""]) => {
          members += 1;
          return /\bundefined$/.test(type) ? [] : [`${relative(root, path)}: ${owner}.${member}`];
        }),
      );
    });
  });
  expect(members).toBeGreaterThan(100);
  expect(strict).toEqual([]);
});
