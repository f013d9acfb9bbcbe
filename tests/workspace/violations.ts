/** A file that breaks one rule, and what says so. */
export interface Violation {
  rule: string;
  path: string;
  source: string;
  /** The lint rule that must reject it; `tsc` for the core's own compile. */
  caughtBy: string;
}

const restricted = "lint/style/noRestrictedImports";
const tooLong = `${Array.from({ length: 501 }, (_, index) => `export const line${index} = ${index};`).join("\n")}\n`;

/** Where an area's forbidden import is seeded, and what it must not import. */
const forbiddenImports: readonly (readonly [rule: string, folder: string, imported: string])[] = [
  ["core imports no ws", "packages/core/src/broker", "ws"],
  ["core imports no Node module", "packages/core/src/broker", "node:fs"],
  ["xstate stays in the session folder", "packages/core/src/broker", "xstate"],
  ["xstate stays out of every other package", "packages/hub/src", "xstate"],
  ["a package imports no app", "packages/hub/src", "@askbox/mcp-http"],
  ["a package's test imports no app", "packages/hub/test", "@askbox/mcp-http"],
  ["an app imports no other app", "apps/mcp-stdio/src", "@askbox/mcp-http"],
  ["the terminal inbox's model imports no Ink", "apps/tui/src/model", "ink"],
  ["the terminal inbox's model imports no React", "apps/tui/src/model", "react"],
  ["the terminal inbox's model imports no Node module", "apps/tui/src/model", "node:fs"],
  ["the terminal inbox's model imports nothing that draws", "apps/tui/src/model", "../ui/screen.ts"],
  ["nothing imports the published command", "apps/mcp-http/src", "askbox"],
  ["wire imports no MCP SDK", "packages/wire/src", "@modelcontextprotocol/server"],
  ["wire imports no Node module", "packages/wire/src", "node:crypto"],
  ["hub imports no MCP SDK", "packages/hub/src", "@modelcontextprotocol/server"],
  ["hub imports no store", "packages/hub/src", "@askbox/store-sqlite"],
  ["home imports no hub", "packages/home/src", "@askbox/hub"],
  ["webhooks imports no hub", "packages/webhooks/src", "@askbox/hub"],
  ["attention imports no hub", "packages/attention/src", "@askbox/hub"],
  ["clients imports no hub", "packages/clients/src", "@askbox/hub"],
  ["react imports no wire", "packages/react/src", "@askbox/wire"],
  ["react imports no DOM renderer", "packages/react/src", "react-dom"],
  ["mcp imports no Node module", "packages/mcp/src", "node:http"],
  ["mcp imports no wire", "packages/mcp/src", "@askbox/wire"],
  ["mcp's contract suites import no SDK", "packages/mcp/src/testing", "@modelcontextprotocol/server"],
  ["a store imports core and one driver", "packages/store-sqlite/src", "@askbox/wire"],
  ["the Redis store imports one client", "packages/store-redis/src", "ioredis"],
  ["the Redis store imports no other store", "packages/store-redis/src", "@askbox/store-sqlite"],
  ["a deep import of another package", "packages/wire/src", "@askbox/core/src/session/machine.ts"],
  ["a deep import from an app", "apps/askbox/src", "@askbox/core/dist/session/machine.js"],
  ["a deep import from a test", "tests/workspace", "@askbox/core/src/session/machine.ts"],
  ["an example imports no package that is not public", "examples/embedded", "@askbox/home"],
  ["an example imports no app", "examples/embedded", "@askbox/mcp-http"],
  ["a deep import from an example", "examples/embedded", "@askbox/core/dist/session/machine.js"],
  ["a relative path from an example into a package", "examples/embedded", "../../packages/core/src/errors.ts"],
  ["the example in a browser imports no Node module", "examples/browser-only", "node:fs"],
  ["the example in a browser imports the core alone", "examples/browser-only", "@askbox/wire"],
  ["a relative path into another package", "packages/wire/src", "../../core/src/errors.ts"],
  ["sources import no tests", "packages/core/src/broker", "../../test/helper.ts"],
  ["sources import no test kit", "packages/wire/src", "@askbox/core/testing"],
];

const lint: readonly Omit<Violation, "path">[] = [
  { rule: "a default export", source: "export default 1;\n", caughtBy: "lint/style/noDefaultExport" },
  { rule: "export *", source: 'export * from "@askbox/core";\n', caughtBy: "lint/performance/noReExportAll" },
  { rule: "any", source: "export const loose: any = 1;\n", caughtBy: "lint/suspicious/noExplicitAny" },
  { rule: "a file of more than 500 lines", source: tooLong, caughtBy: "lint/style/noExcessiveLinesPerFile" },
  { rule: "console in a package", source: 'export const shout = (): void => console.log("!");\n', caughtBy: "lint/suspicious/noConsole" },
  {
    rule: "a promise that nobody waits for",
    source: "const later = async (): Promise<void> => {};\nlater();\n",
    caughtBy: "lint/nursery/noFloatingPromises",
  },
  {
    rule: "an import that no manifest declares",
    source: 'export { chalk } from "chalk";\n',
    caughtBy: "lint/correctness/noUndeclaredDependencies",
  },
];

const core: readonly Omit<Violation, "path">[] = [
  {
    rule: "core reads the wall clock",
    source: "export const now = (): number => Date.now();\n",
    caughtBy: "lint/style/noRestrictedGlobals",
  },
  { rule: "core makes a date", source: "export const today = (): unknown => new Date();\n", caughtBy: "lint/style/noRestrictedGlobals" },
  {
    rule: "core draws a random number",
    source: "export const dice = (): number => Math.random();\n",
    caughtBy: "lint/nursery/noJsRestrictedProperties",
  },
  { rule: "core arms a timer", source: "setTimeout(() => {}, 1);\n", caughtBy: "tsc" },
  { rule: "core fetches", source: 'export const page = (): unknown => fetch("http://localhost");\n', caughtBy: "tsc" },
  { rule: "core touches the DOM", source: "export const title = (): unknown => document.title;\n", caughtBy: "tsc" },
  { rule: "core compiles no Node module", source: 'export { readFileSync } from "node:fs";\n', caughtBy: "tsc" },
];

const at = (folder: string, number: number): string => `${folder}/seeded-violation-${number}.ts`;

/** One violation of each rule of the layout; the numbers keep the files apart. */
export const violations: readonly Violation[] = [
  ...forbiddenImports.map(([rule, folder, imported], index) => ({
    rule: `${rule} (${imported})`,
    path: at(folder, index),
    source: `export type { Something } from ${JSON.stringify(imported)};\n`,
    caughtBy: restricted,
  })),
  ...lint.map((violation, index) => ({ ...violation, path: at("packages/hub/src", 100 + index) })),
  ...core.map((violation, index) => ({ ...violation, path: at("packages/core/src/broker", 200 + index) })),
  {
    rule: "a circle of imports",
    path: at("packages/core/src/broker", 300),
    source: 'import { second } from "./seeded-violation-301.ts";\nexport const first = (): number => second();\n',
    caughtBy: "lint/suspicious/noImportCycles",
  },
  {
    rule: "the other half of the circle",
    path: at("packages/core/src/broker", 301),
    source: 'import { first } from "./seeded-violation-300.ts";\nexport const second = (): number => first();\n',
    caughtBy: "lint/suspicious/noImportCycles",
  },
];
