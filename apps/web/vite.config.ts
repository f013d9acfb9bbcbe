import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import budgets from "../../scripts/budgets.json" with { type: "json" };

/** Maximum JavaScript before the first paint of the inbox, in gzipped KB (1,000 bytes). */
const { firstPaintKB } = budgets;

const page = "index.html";
const worker = "service-worker";
/** What a page shows before its code runs, and what the system shows of an installed page. */
const fixedFiles = ["/icon.svg", "/manifest.webmanifest"];

type Bundle = Parameters<Extract<Plugin["generateBundle"], (...args: never) => unknown>>[1];

/** The chunks that a browser needs for the first paint. */
function firstPaintChunks(bundle: Bundle) {
  const needed = new Map<string, Extract<Bundle[string], { type: "chunk" }>>();
  const add = (fileName: string) => {
    const chunk = bundle[fileName];
    if (chunk?.type !== "chunk" || needed.has(fileName)) return;
    needed.set(fileName, chunk);
    for (const imported of chunk.imports) add(imported);
  };
  for (const output of Object.values(bundle)) {
    if (output.type === "chunk" && output.isEntry && output.name !== worker) add(output.fileName);
  }
  return [...needed.values()];
}

/** Prints the size of the JavaScript for the first paint, and fails the build if it exceeds the limit. */
function firstPaintBudget(): Plugin {
  return {
    name: "askbox-first-paint-budget",
    generateBundle(_options, bundle) {
      const bytes = firstPaintChunks(bundle).reduce((sum, { code }) => sum + gzipSync(code).length, 0);
      const said = `JavaScript for the first paint: ${(bytes / 1_000).toFixed(1)} KB gzipped of ${firstPaintKB} KB allowed`;
      if (bytes > firstPaintKB * 1_000) this.error(`${said}. Load something later.`);
      console.log(said);
    },
  };
}

/**
 * Removes Zod's JSON Schema generator, which only MCP servers use: every schema refers to it, so it would be part of the first paint.
 */
function withoutJsonSchema(): Plugin {
  return {
    name: "askbox-without-json-schema",
    transform: {
      filter: { id: /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ },
      handler(code) {
        const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
        const leftOut = `const leftOut = () => () => { throw new Error("The page has no JSON Schema."); };`;
        return { code: [leftOut, ...names.map((name) => `export const ${name} = leftOut;`)].join("\n"), map: null };
      },
    },
  };
}

/** Removes Zod's support for values that contain themselves, which no JSON does. */
const withoutCycles = (): Plugin => ({
  name: "askbox-without-zod-cycles",
  transform: {
    filter: { id: /\/zod\/v4\/core\/memoizer\.js$/ },
    handler: () => ({
      code: [
        "export class $ZodCyclicError extends Error {}",
        "export const memoizer = () => undefined;",
        "export const isBackEdge = () => false;",
        "export const isRecursiveSchema = () => false;",
      ].join("\n"),
      map: null,
    }),
  },
});

/**
 * Removes what Zod's schemas refer to and nothing here uses: the methods of strings that check a format, such as `.jwt()`, how they
 * become JSON Schema, and parsers compiled at run time, which the page's security policy forbids.
 */
const withoutFormats = (): Plugin => ({
  name: "askbox-without-zod-formats",
  transform: {
    filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
    handler: (code) => ({
      code: code
        .replace(/^ {4}\w+\(params\) \{\s*return this\.check\(core\._\w+\(Zod\w+, params\)\);\s*\},$/gm, "")
        .replace(/^ {4}inst\._zod\.processJSONSchema = .*$/gm, "")
        .replace("core.$ZodObjectJIT.init", "core.$ZodObject.init"),
      map: null,
    }),
  },
});

/** Removes Zod's English messages: a page shows its own, and a hub's message that is not valid is only reported as such. */
const withoutMessages = (): Plugin => ({
  name: "askbox-without-zod-messages",
  transform: { filter: { id: /\/zod\/v4\/locales\/en\.js$/ }, handler: () => ({ code: "export default () => ({});", map: null }) },
});

/** Shortens what Zod says to whoever writes a schema: the page's are right. */
const withoutAdvice = (): Plugin => ({
  name: "askbox-without-zod-advice",
  transform: {
    filter: { id: /\/zod\/v4\/core\/util\.js$/ },
    handler: (code) => ({ code: code.replace(/throw new Error\((["`]).+\1\);$/gm, 'throw new Error("schema");'), map: null }),
  },
});

/** Removes the methods of Zod's errors, such as `.flatten()`: a page reads only what is wrong, in `issues`. */
const withoutErrorMethods = (): Plugin => ({
  name: "askbox-without-zod-error-methods",
  transform: {
    filter: { id: /\/zod\/v4\/classic\/errors\.js$/ },
    handler: () => ({ code: 'export { $ZodError as ZodError, $ZodRealError as ZodRealError } from "../core/errors.js";', map: null }),
  },
});

/** Removes the wire's port for agents, which a page never is. */
const withoutAsker = (): Plugin => ({
  name: "askbox-without-asker",
  transform: {
    filter: { id: /\/wire\/src\/client\/remote-asker\.ts$/ },
    handler: () => ({ code: "export const remoteAsker = () => undefined;", map: null }),
  },
});

/** Tells the service worker which files make up the shell, with a new version whenever one changes. */
function shellOfServiceWorker(): Plugin {
  return {
    name: "askbox-service-worker-shell",
    enforce: "post",
    generateBundle(_options, bundle) {
      const chunk = bundle[`${worker}.js`];
      if (chunk?.type !== "chunk") return this.error("The build has no service worker.");
      const names = Object.keys(bundle).filter((name) => name !== chunk.fileName && name !== page);
      const styles = firstPaintChunks(bundle).flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
      const files = [...firstPaintChunks(bundle).map(({ fileName }) => fileName), ...styles].map((name) => `/${name}`);
      const version = createHash("sha256").update(names.sort().join("\n")).digest("hex").slice(0, 12);
      chunk.code = chunk.code.replaceAll("__SHELL__", JSON.stringify({ version, files: [...files, ...fixedFiles] }));
    },
  };
}

export default defineConfig({
  // Only the hub that serves the page knows where it is mounted; see `webFiles`.
  base: "./",
  plugins: [
    react(),
    withoutJsonSchema(),
    withoutMessages(),
    withoutCycles(),
    withoutFormats(),
    withoutAsker(),
    withoutAdvice(),
    withoutErrorMethods(),
    firstPaintBudget(),
    shellOfServiceWorker(),
  ],
  resolve: { conditions: ["askbox-source", "module", "browser"] },
  build: {
    target: "es2022",
    outDir: "dist",
    // The page's security policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Most licences require that their notice is distributed with the code.
    license: { fileName: "THIRD-PARTY-LICENSES.md" },
    rolldownOptions: {
      input: { index: page, [worker]: "src/offline/service-worker.ts" },
      // The service worker needs a fixed name; everything else is named after its content.
      output: {
        entryFileNames: ({ name }) => (name === worker ? `${worker}.js` : "assets/[name]-[hash].js"),
        // What the first paint shares with what is loaded later is one file: dozens of small ones take more bytes, and requests.
        codeSplitting: {
          groups: [
            {
              name: "shared",
              test: /\/(page-state|language|first-phrases|use-now|search-text|latest-wake|cursor|keyboard|keys|field|base-path|sent|later)\.tsx?$/,
            },
          ],
        },
      },
    },
  },
});
