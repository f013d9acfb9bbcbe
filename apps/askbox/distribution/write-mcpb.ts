import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { packBundle } from "./mcpb.ts";

/** Packs `askbox-VERSION.mcpb` from what `pnpm build` has made, into the folder that is named, or this one. */
const app = resolve(import.meta.dirname, "..");
const dist = join(app, "dist");
if (!existsSync(join(dist, "main.js"))) throw new Error("There is nothing to pack yet: run `pnpm build` first.");
const root = resolve(app, "../..");
const target = join(resolve(process.argv[2] ?? "."), `askbox-${manifest.version}.mcpb`);
const bytes = packBundle({ app, dist, licence: join(root, "LICENSE"), icon: join(root, "apps/web/public/icons/512.png") });
writeFileSync(target, bytes);
console.log(`${target}, ${Math.ceil(bytes.length / 1_024)} KB`);
