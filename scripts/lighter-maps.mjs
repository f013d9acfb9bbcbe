// Makes the source maps of a package smaller: modules without code of their own, such as those of types, get none, and the others
// tell the source line of each generated line, but no columns within it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { decode, encode } from "@jridgewell/sourcemap-codec";

const notCode = [/\/\*[\s\S]*?\*\//g, /\/\/.*$/gm, /^(?:export|import) (?:\{[^}]*\}|\*)(?: from "[^"]*")?;/gm];

/** The first mapping of a generated line, and those where another source line begins. */
const byLine = (mappings) => mappings.filter(([, , line], index) => index === 0 || line !== mappings[index - 1][2]);

for (const name of readdirSync("dist", { recursive: true })) {
  if (!name.endsWith(".js")) continue;
  const code = readFileSync(`dist/${name}`, "utf8");
  if (!code.includes("\n//# sourceMappingURL=")) continue;
  if (notCode.reduce((rest, pattern) => rest.replace(pattern, ""), code).trim() === "") {
    rmSync(`dist/${name}.map`, { force: true });
    writeFileSync(`dist/${name}`, code.replace(/^\/\/# sourceMappingURL=.*$/m, ""));
    continue;
  }
  const map = JSON.parse(readFileSync(`dist/${name}.map`, "utf8"));
  writeFileSync(`dist/${name}.map`, JSON.stringify({ ...map, mappings: encode(decode(map.mappings).map(byLine)) }));
}
