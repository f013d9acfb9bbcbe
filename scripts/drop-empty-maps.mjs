// Removes the source maps of modules without code of their own, such as those of types: nothing in them can be debugged.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

const notCode = [/\/\*[\s\S]*?\*\//g, /\/\/.*$/gm, /^(?:export|import) (?:\{[^}]*\}|\*)(?: from "[^"]*")?;/gm];

for (const name of readdirSync("dist", { recursive: true })) {
  if (!name.endsWith(".js")) continue;
  const code = readFileSync(`dist/${name}`, "utf8");
  if (notCode.reduce((rest, pattern) => rest.replace(pattern, ""), code).trim() !== "") continue;
  rmSync(`dist/${name}.map`, { force: true });
  writeFileSync(`dist/${name}`, code.replace(/^\/\/# sourceMappingURL=.*$/m, ""));
}
