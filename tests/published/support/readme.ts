import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type WorkspacePackage } from "./workspace.ts";

/** The first example of a package's README. */
export interface Example {
  language: string;
  code: string;
  /** The output according to the README, if it is stated right after it. */
  prints: string | undefined;
}

export function firstExample({ folder }: Pick<WorkspacePackage, "folder">): Example {
  const readme = readFileSync(join(root, folder, "README.md"), "utf8");
  const [, language, code, prints] = /^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/ms.exec(readme) ?? [];
  if (language === undefined || code === undefined) throw new Error(`${folder}/README.md has no example.`);
  return { language, code, prints };
}

/** The TypeScript samples of a docs page, as modules of a project: `embedding-1.ts` and so on. */
export function samplesOf(page: string): Record<string, string> {
  const text = readFileSync(join(root, "docs", `${page}.md`), "utf8");
  const blocks = text.matchAll(/(?:<!-- sample: given ([^\n]*) -->\n+)?^```ts\n(.*?)^```$/gms);
  const samples = [...blocks].map(([, given = "", code = ""], index) => [`${page}-${index + 1}.ts`, `${given}\n${code}`]);
  return Object.fromEntries(samples);
}
