import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, type WorkspacePackage } from "./workspace.ts";

/** The first example of a package's README. */
export interface Example {
  language: string;
  code: string;
  /** What the README says it prints, where it says so right after it. */
  prints: string | undefined;
}

export function firstExample({ folder }: WorkspacePackage): Example {
  const readme = readFileSync(join(root, folder, "README.md"), "utf8");
  const [, language, code, prints] = /^```(\w+)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?/ms.exec(readme) ?? [];
  if (language === undefined || code === undefined) throw new Error(`${folder}/README.md has no example.`);
  return { language, code, prints };
}
