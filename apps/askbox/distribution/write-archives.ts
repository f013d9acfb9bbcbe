import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { packBundle, packPlugin } from "./archives.ts";
import { formula, packedName } from "./catalogues.ts";

/**
 * Packs the desktop extension and the plugin from what `pnpm build` has made, into the folder that is named, or this one; beside a packed
 * command, also Homebrew's formula for it.
 */
const app = resolve(import.meta.dirname, "..");
const dist = join(app, "dist");
if (!existsSync(join(dist, "main.js"))) throw new Error("There is nothing to pack yet: run `pnpm build` first.");
const root = resolve(app, "../..");
const folder = resolve(process.argv[2] ?? ".");
mkdirSync(folder, { recursive: true });
const sources = { app, dist, licence: join(root, "LICENSE"), icon: join(root, "apps/web/public/icons/512.png") };
for (const [name, bytes] of [
  [`askbox-${manifest.version}.mcpb`, packBundle(sources)],
  [`askbox-plugin-${manifest.version}.zip`, packPlugin(sources)],
] as const) {
  writeFileSync(join(folder, name), bytes);
  console.log(`${join(folder, name)}, ${Math.ceil(bytes.length / 1_024)} KB`);
}

const packed = join(folder, packedName);
if (existsSync(packed)) {
  const target = join(folder, "askbox.rb");
  writeFileSync(target, formula(createHash("sha256").update(readFileSync(packed)).digest("hex")));
  console.log(`${target} for ${packed}`);
}
