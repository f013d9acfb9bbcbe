import { globSync, readFileSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import { parseAst } from "rolldown/parseAst";

const root = resolve(import.meta.dirname, "../../..");
const tests = ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "tests/**/*.test.ts", "tests/published/cases/*.ts"];
/** Sentences that tests elsewhere run, as data: contract suites and the requirements of the MCP tools. */
const suites = ["packages/*/src/testing/**/*.ts", "tests/requirements/list/*.ts"];

interface Node {
  type: string;
  [field: string]: unknown;
}

/**
 * Every test that there is, as `FILE > TITLE`, the title as Vitest prints it. That of a table of cases has its `%s` still. Read from
 * the sources, since running them to collect the titles takes minutes. One that is skipped for good is none.
 */
export function testTitles(): Set<string> {
  const titles = (patterns: string[], find: (ast: Node, code: string) => string[]) =>
    globSync(patterns, { cwd: root }).flatMap((file) => {
      const code = readFileSync(join(root, file), "utf8");
      return find(parseAst(code, { lang: "ts" }) as unknown as Node, code).map((title) => `${file.replaceAll(sep, "/")} > ${title}`);
    });
  return new Set([...titles(tests, titlesOfTests), ...titles(suites, titlesOfSuite)]);
}

/** Exported for its own test. */
export function titlesOfTests(ast: Node, code: string, groups: readonly string[] = []): string[] {
  const found = ast.type === "CallExpression" ? runnerOf(ast["callee"] as Node) : undefined;
  if (found?.skipped === true) return [];
  const [first] = (ast["arguments"] ?? []) as Node[];
  const title = found === undefined || first === undefined ? undefined : (textOf(first, code) ?? nameOf(first, code));
  if (title === undefined) return children(ast).flatMap((child) => titlesOfTests(child, code, groups));
  if (found?.name === "describe") return children(ast).flatMap((child) => titlesOfTests(child, code, [...groups, title]));
  return [[...groups, title].join(" > ")];
}

/** What `test`, `it.each(…)`, `describe.runIf(…)` and their likes are called for. */
function runnerOf(callee: Node): { name: "describe" | "test"; skipped: boolean } | undefined {
  if (callee.type === "Identifier") {
    if (callee["name"] === "describe") return { name: "describe", skipped: false };
    return callee["name"] === "test" || callee["name"] === "it" ? { name: "test", skipped: false } : undefined;
  }
  if (callee.type === "CallExpression" || callee.type === "TaggedTemplateExpression") {
    const inner = (callee["callee"] ?? callee["tag"]) as Node;
    // Called once to be made, a second time with its title: only what has a member such as `each`.
    return inner.type === "MemberExpression" ? runnerOf(inner) : undefined;
  }
  if (callee.type !== "MemberExpression") return undefined;
  const runner = runnerOf(callee["object"] as Node);
  const member = (callee["property"] as Node)["name"];
  return runner === undefined ? undefined : { ...runner, skipped: runner.skipped || member === "skip" || member === "todo" };
}

/** The names that its cases are given: `portsCase("…", …)`, `{ name: "…" }`, `{ sentence: "…" }`. */
function titlesOfSuite(ast: Node, code: string): string[] {
  const below = children(ast).flatMap((child) => titlesOfSuite(child, code));
  const callee = ast["callee"] as Node | undefined;
  const isCase = ast.type === "CallExpression" && callee?.type === "Identifier" && /Case$/.test(String(callee["name"]));
  const isName = ast.type === "Property" && ["name", "sentence"].includes(String((ast["key"] as Node)["name"]));
  const named = isCase ? ((ast["arguments"] as Node[])[0] ?? ast) : isName ? (ast["value"] as Node) : ast;
  const title = isCase || isName ? textOf(named, code) : undefined;
  return title === undefined ? below : [title, ...below];
}

/** A text as it stands in the code; of a template, with a `$` before what is put in, as tables of cases have it. */
function textOf(node: Node, code: string): string | undefined {
  if (node.type === "Literal" && typeof node["value"] === "string") return node["value"];
  if (node.type !== "TemplateLiteral") return undefined;
  return code.slice(Number(node["start"]) + 1, Number(node["end"]) - 1).replaceAll(/\$\{([^}]*)\}/g, "$$$1");
}

/** A title that a case of a suite brings, as a template would have it. */
function nameOf(node: Node, code: string): string | undefined {
  const isName = node.type === "Identifier" || node.type === "MemberExpression";
  return isName ? `$${code.slice(Number(node["start"]), Number(node["end"]))}` : undefined;
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
