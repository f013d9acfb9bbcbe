import { mkdirSync, writeFileSync } from "node:fs";
import { pluginFiles } from "./plugins.ts";

// pnpm plugins: writes the plugin and the marketplaces that list it. `pnpm check` says when they are stale.
for (const [path, text] of pluginFiles()) {
  const file = new URL(`../../../${path}`, import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, text);
}
