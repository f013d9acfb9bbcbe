import { readFileSync } from "node:fs";
import { registerHooks, stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";

const vitest = new URL("./vitest.ts", import.meta.url).href;
const generationMark = "mutation-generation";

/**
 * Modules of one folder that can be reloaded, which Node does not support: each generation has its own URLs. Modules in
 * `node_modules` stay loaded. Call it once per process.
 */
export function reloadable(folder: URL): { load(file: string): Promise<unknown>; forget(): void } {
  let generation = 0;
  const sources = new Map<string, string>();
  const isOurs = (url: string) => url.startsWith(folder.href) && !url.includes("/node_modules/");

  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === "vitest" && isOurs(context.parentURL ?? "")) return { url: vitest, shortCircuit: true };
      const resolved = nextResolve(specifier, context);
      if (!isOurs(resolved.url) || !resolved.url.endsWith(".ts")) return resolved;
      return { ...resolved, url: `${resolved.url}?${generationMark}=${generation}`, format: "module" };
    },
    load(url, context, nextLoad) {
      if (!url.includes(`?${generationMark}=`)) return nextLoad(url, context);
      const path = fileURLToPath(url);
      let source = sources.get(path);
      if (source === undefined) {
        source = stripTypeScriptTypes(readFileSync(path, "utf8"));
        sources.set(path, source);
      }
      return { source, format: "module", shortCircuit: true };
    },
  });
  return {
    load: (file) => import(new URL(file, folder).href),
    forget() {
      generation += 1;
    },
  };
}
