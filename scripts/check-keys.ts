import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { root } from "./run.ts";

/**
 * Part of `pnpm check`: a plain object that is indexed by any text has `constructor` and `toString` from the beginning, and takes `__proto__`
 * for something else. It looks at variables whose type is written as `Record<string, …>`; what arrives as a parameter or a property goes unnoticed.
 */
export function keyProblems(path: string, source: string): string[] {
  const lines = source.split("\n");
  const lineOf = ({ start }: Node) => source.slice(0, Number(start)).split("\n").length;
  const isExplained = (line: number) => lines.slice(Math.max(0, line - 2), line).some((text) => text.includes("// keys: "));
  const records = new Set<string>();
  const uses: Node[] = [];
  walk(parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }), (node) => {
    const { type, id, computed, object, property } = node;
    const isRecordHere = type === "VariableDeclarator" && isRecord(id?.typeAnnotation?.typeAnnotation);
    if (isRecordHere && !isExplained(lineOf(node))) records.add(String(id?.name));
    if (type === "MemberExpression" && computed && object?.type === "Identifier" && property?.type !== "Literal") uses.push(node);
  });
  return uses.flatMap((node) => {
    const name = String(node.object?.name);
    if (!records.has(name) || source.includes(`Object.hasOwn(${name}, `)) return [];
    return `${path}:${lineOf(node)}: ${name} is a plain object, in which any text finds what every object has; use a Map, \`own\` or Object.hasOwn, or say where it is declared, after "// keys: ", where the names come from.`;
  });
}

interface Node {
  type?: string;
  id?: Node;
  name?: unknown;
  start?: unknown;
  computed?: boolean;
  object?: Node;
  property?: Node;
  typeAnnotation?: Node;
  typeName?: Node;
  typeArguments?: { params?: Node[] };
}

/** `Record<string, …>`, also read-only. */
function isRecord(node: Node | undefined): boolean {
  if (node?.type !== "TSTypeReference") return false;
  const [first] = node.typeArguments?.params ?? [];
  if (node.typeName?.name === "Readonly") return isRecord(first);
  return node.typeName?.name === "Record" && first?.type === "TSStringKeyword";
}

function walk(node: unknown, visit: (node: Node) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) visit(node);
  for (const each of Object.values(node)) walk(each, visit);
}

if (import.meta.main) {
  const paths = globSync(["packages/{*,agents/*,reach/*}/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}"], { cwd: root });
  for (const problem of paths.sort().flatMap((path) => keyProblems(path, readFileSync(resolve(root, path), "utf8")))) {
    console.error(problem);
    process.exitCode = 1;
  }
}
