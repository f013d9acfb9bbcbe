import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** For development and tests; not part of the page that askbox ships. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  resolve: { conditions: ["askbox-source", "module", "browser"] },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 5_000,
  },
});
