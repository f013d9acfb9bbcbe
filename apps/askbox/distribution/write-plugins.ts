import { mkdirSync, writeFileSync } from "node:fs";
import { catalogueFiles } from "./catalogues.ts";
import { pluginFiles } from "./plugins.ts";

// pnpm plugins: writes the plugin, and what marketplaces and catalogues have of it. `pnpm check` says when they are stale.
for (const [path, text] of [...pluginFiles(), ...catalogueFiles]) {
  const file = new URL(`../../../${path}`, import.meta.url);
  mkdirSync(new URL(".", file), { recursive: true });
  writeFileSync(file, text);
}
