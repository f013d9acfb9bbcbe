import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** JavaScript that a browser must have before it paints the inbox, in gzipped bytes. */
const budget = 130_000;

/** Says how much JavaScript the first paint takes, and fails the build when it is too much. */
function firstPaintBudget(): Plugin {
  return {
    name: "askbox-first-paint-budget",
    generateBundle(_options, bundle) {
      const needed = new Set<string>();
      const add = (fileName: string) => {
        const chunk = bundle[fileName];
        if (chunk?.type !== "chunk" || needed.has(fileName)) return;
        needed.add(fileName);
        for (const imported of chunk.imports) add(imported);
      };
      for (const output of Object.values(bundle)) if (output.type === "chunk" && output.isEntry) add(output.fileName);
      let bytes = 0;
      for (const fileName of needed) {
        const chunk = bundle[fileName];
        if (chunk?.type === "chunk") bytes += gzipSync(chunk.code).length;
      }
      const said = `JavaScript for the first paint: ${(bytes / 1_000).toFixed(1)} KB gzipped of ${budget / 1_000} KB allowed`;
      if (bytes > budget) this.error(`${said}. Load something later.`);
      console.log(said);
    },
  };
}

export default defineConfig({
  base: "/",
  plugins: [react(), firstPaintBudget()],
  resolve: { conditions: ["askbox-source", "module", "browser"] },
  build: {
    target: "es2022",
    outDir: "dist",
    // The page's security policy takes nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
