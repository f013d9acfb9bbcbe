import { defineConfig } from "rolldown";
import { copyWeb } from "./copy-web.ts";
import { oneValidator } from "./one-validator.ts";
import { thirdPartyLicenses } from "./third-party-licenses.ts";

// The workspace's packages come from their sources, so that no other package is built before the command; turbo.json knows.
export default defineConfig({
  input: { main: "src/main.ts" },
  platform: "node",
  // Its main file asks for its parts in a way that no bundler can follow.
  resolve: {
    conditionNames: ["askbox-source", "module", "import", "node", "default"],
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  },
  transform: {
    target: "node22",
    define: {
      "process.env.NODE_ENV": '"production"',
      // ws looks for native add-ons that are never installed beside a bundle.
      "process.env.WS_NO_BUFFER_UTIL": '"1"',
      "process.env.WS_NO_UTF_8_VALIDATE": '"1"',
    },
  },
  plugins: [oneValidator(), thirdPartyLicenses("THIRD-PARTY-LICENSES.md"), copyWeb()],
  output: {
    dir: "dist",
    format: "esm",
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    comments: false,
    codeSplitting: {
      groups: [
        // `askbox mcp` looks for a config file before it lists its tools, and needs nothing else of its package until it is called.
        { name: "folders", test: /home[\\/]src[\\/]files[\\/]folders/ },
        // It would be a part of the terminal inbox, which every ask would then load, with Ink.
        { name: "changed-input", test: /core[\\/]src[\\/]session[\\/]questions[\\/]changed-input/ },
      ],
    },
    // Functions and classes keep their names: a stack trace in a bug report is worth more than their bytes.
    minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  },
});
