/** A file that breaks one rule, and the tool that detects it. */
export interface Violation {
  rule: string;
  path: string;
  source: string;
  /** The lint rule that must reject it; `tsc` for the core's own compile. */
  caughtBy: string;
}

const restricted = "lint/style/noRestrictedImports";
const undeclared = "lint/correctness/noUndeclaredDependencies";
const tooLong = `${Array.from({ length: 501 }, (_, index) => `export const line${index} = ${index};`).join("\n")}\n`;

/** Where a forbidden import is inserted, and what it must not import. */
const forbiddenImports: readonly (readonly [rule: string, folder: string, imported: string, caughtBy: string])[] = [
  ["a package imports no app", "packages/hub/src", "@askbox/mcp-http", undeclared],
  ["a package's test imports no app", "packages/hub/test", "@askbox/mcp-http", undeclared],
  ["an app imports no other app", "apps/mcp-stdio/src", "@askbox/mcp-http", undeclared],
  ["nothing imports the published command", "apps/mcp-http/src", "askbox", undeclared],
  ["a package imports what its manifest has", "packages/wire/src", "@modelcontextprotocol/server", undeclared],
  ["xstate stays out of every other package", "packages/hub/src", "xstate", undeclared],
  ["sources import nothing that is there for tests", "packages/react/src", "react-dom", undeclared],
  ["an example imports no package that is not public", "examples/embedded", "@askbox/home", undeclared],
  ["xstate stays in the session folder", "packages/core/src/broker", "xstate", restricted],
  ["xstate stays out of the core's test kit", "packages/core/src/testing", "xstate", restricted],
  ["a contract suite imports no SDK", "packages/elicit/src/testing", "@modelcontextprotocol/server", restricted],
  ["sources import no tests", "packages/core/src/broker", "../../test/helper.ts", restricted],
  ["sources import no test kit", "packages/wire/src", "@askbox/core/testing", restricted],
  ["an app's sources import no test kit", "apps/mcp-http/src", "@askbox/core/testing", restricted],
  ["a relative path into another package", "packages/wire/src", "../../core/src/errors.ts", restricted],
  ["a relative path into another app", "apps/tui/src", "../../web/src/main.tsx", restricted],
  ["a relative path into what was built", "apps/askbox/src", "../../web/dist/index.js", restricted],
  ["a relative path from a test into another package", "packages/wire/test", "../../core/src/errors.ts", restricted],
  ["a relative path from a test into a package", "tests/workspace", "../../packages/core/src/errors.ts", restricted],
  ["a relative path from an example into a package", "examples/embedded", "../../packages/core/src/errors.ts", restricted],
  ["React stays in the hooks", "packages/react/src/form", "react", restricted],
  ["the stores import no hook", "packages/react/src/inbox", "../hooks/use-inbox.ts", restricted],
  ["the terminal inbox's model imports no Ink", "apps/tui/src/model", "ink", restricted],
  ["the terminal inbox's model imports no React", "apps/tui/src/model", "react", restricted],
  ["the terminal inbox's model imports no Node module", "apps/tui/src/model", "node:fs", restricted],
  ["the terminal inbox's model imports nothing that draws", "apps/tui/src/model", "../ui/screen.ts", restricted],
  ["the example in a browser imports no Node module", "examples/browser-only", "node:fs", restricted],
  ["the example in a browser imports the core alone", "examples/browser-only", "@askbox/wire", restricted],
];

/** Sources that run outside Node too. */
const withoutNode = [
  "packages/core",
  "packages/elicit",
  "packages/mcp",
  "packages/react",
  "packages/terminal-text",
  "packages/wire",
  "apps/web",
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
    rule: "zod by its one name, which esbuild keeps whole",
    source: 'import { z } from "zod";\nexport const any = z.any();\n',
    caughtBy: restricted,
  },
  { rule: "an import that no manifest declares", source: 'export { chalk } from "chalk";\n', caughtBy: undeclared },
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

/** One violation per layout rule; the numbers distinguish the files. */
export const violations: readonly Violation[] = [
  ...forbiddenImports.map(([rule, folder, imported, caughtBy], index) => ({
    rule: `${rule} (${imported})`,
    path: at(folder, index),
    source: `export type { Something } from ${JSON.stringify(imported)};\n`,
    caughtBy,
  })),
  ...withoutNode.map((folder, index) => ({
    rule: `${folder} imports no Node module`,
    path: at(`${folder}/src`, 50 + index),
    source: 'export { readFileSync } from "node:fs";\n',
    caughtBy: "lint/correctness/noNodejsModules",
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
  {
    rule: "a circle of imports that only types close",
    path: at("packages/core/src/broker", 302),
    source:
      'import { width } from "./seeded-violation-303.ts";\nexport interface Box {\n  size: number;\n}\nexport const double = (box: Box): number => 2 * width(box);\n',
    caughtBy: "lint/suspicious/noImportCycles",
  },
  {
    rule: "the other half of the circle of types",
    path: at("packages/core/src/broker", 303),
    source: 'import type { Box } from "./seeded-violation-302.ts";\nexport const width = (box: Box): number => box.size;\n',
    caughtBy: "lint/suspicious/noImportCycles",
  },
];
