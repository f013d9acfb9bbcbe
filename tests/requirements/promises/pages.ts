import { globSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { Page } from "./gaps.ts";
import { statementsOf } from "./statements.ts";

const root = resolve(import.meta.dirname, "../../..");
const promising = ["README.md", "SECURITY.md", "docs/*.md"];

/** Every page that promises something to users. A new one under `docs/` is among them by itself. */
export function pages(): Page[] {
  const paths = globSync(promising, { cwd: root }).map((path) => path.replaceAll(sep, "/"));
  return paths.sort().map((path) => ({ path, statements: statementsOf(readFileSync(join(root, path), "utf8")) }));
}
