import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { root } from "./run.ts";

/**
 * Part of `pnpm check`: a plain object that is indexed by any text has `constructor` and `toString` from the beginning, and takes `__proto__`
 * for something else. It looks at variables whose type is written as `Record<string, …>`; what arrives as a parameter or a property goes unnoticed.
 */
export function keyProblems(path: string, source: string): string[] {
  const records = new Set<string>();
  const reads: { name: string; start: number }[] = [];
  walk(parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }), (node) => {
    const { type, id, computed, object, property, start } = node;
    if (type === "VariableDeclarator" && isRecord(id?.typeAnnotation?.typeAnnotation)) records.add(String(id?.name));
    if (type === "MemberExpression" && computed && object?.type === "Identifier" && property?.type !== "Literal")
      reads.push({ name: String(object.name), start: Number(start) });
  });
  const lines = source.split("\n");
  return reads.flatMap(({ name, start }) => {
    const line = source.slice(0, start).split("\n").length;
    const isExplained = lines.slice(Math.max(0, line - 2), line).some((text) => text.includes("// keys: "));
    if (!records.has(name) || isExplained || source.includes(`Object.hasOwn(${name}, `)) return [];
    return `${path}:${line}: ${name} is a plain object, in which a text finds what every object has; use a Map, \`own\` or Object.hasOwn, or say after "// keys: " where the names come from.`;
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
  const paths = globSync(["packages/*/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}"], { cwd: root });
  for (const problem of paths.sort().flatMap((path) => keyProblems(path, readFileSync(resolve(root, path), "utf8")))) {
    console.error(problem);
    process.exitCode = 1;
  }
}
