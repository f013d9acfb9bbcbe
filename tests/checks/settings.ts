import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { configJsonSchema } from "@askbox/home";
import { parseAst } from "rolldown/parseAst";

/**
 * Part of `pnpm check`: a setting that nothing reads. Every setting of `config.json` must be read somewhere outside the schema: from something that
 * is called `config`, as a property (`config.port`, `loaded.config.limits.pending`) or by taking it apart (`const { port } = config`). A group such
 * as `limits` may be passed on as a whole; then its settings must be read by their names anywhere.
 *
 * It reads syntax, not types: a setting of a group with a common name may seem read although it isn't.
 */

/** What the sources read. */
interface Reads {
  /** Paths below something called `config`, such as `limits.pending`; of a group that is passed on, the group. */
  ofConfig: Set<string>;
  /** Every property that is read from anything. */
  names: Set<string>;
}

/** Settings that are for other programs than askbox. */
const forOthers: readonly string[] = ["$schema"];

/** The names of functions that return the settings. */
const sources: readonly string[] = ["config", "readConfig"];

interface Schema {
  properties?: Record<string, Schema>;
}

/** The paths of all settings in a JSON Schema. */
export const settingsOf = ({ properties = {} }: Schema, before = ""): string[] =>
  Object.entries(properties).flatMap(([name, schema]) =>
    schema.properties === undefined ? [`${before}${name}`] : settingsOf(schema, `${before}${name}.`),
  );

/** What is wrong, a sentence each. */
export function settingProblems(schema: Schema, files: ReadonlyMap<string, string>): string[] {
  const reads: Reads = { ofConfig: new Set(), names: new Set() };
  for (const [path, text] of files) collect(parseAst(text, { lang: path.endsWith("x") ? "tsx" : "ts" }), reads);
  const isRead = (setting: string) => {
    const [group = "", name] = setting.split(".");
    return reads.ofConfig.has(setting) || (name !== undefined && reads.ofConfig.has(group) && reads.names.has(name));
  };
  return settingsOf(schema)
    .filter((setting) => !forOthers.includes(setting) && !isRead(setting))
    .map(
      (setting) =>
        `Nothing reads the setting ${setting}; read it where it takes effect, or remove it from packages/home/src/config/schema.ts.`,
    );
}

interface Node {
  type?: string;
  name?: string;
  computed?: boolean;
  object?: Node;
  property?: Node;
  expression?: Node;
  argument?: Node;
  callee?: Node;
  left?: Node;
  right?: Node;
  id?: Node;
  init?: Node | null;
  key?: Node;
  value?: Node;
  properties?: Node[];
  typeAnnotation?: Node;
  typeName?: Node;
}

function collect(root: unknown, reads: Reads): void {
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node)) look(node as Node);
    for (const each of Object.values(node)) visit(each);
  };
  const take = (pattern: Node | undefined, before: string) => {
    for (const { key, value } of pattern?.properties ?? []) {
      if (key?.name === undefined) continue;
      reads.ofConfig.add(before + key.name);
      const inner = value?.type === "AssignmentPattern" ? value.left : value;
      if (inner?.type === "ObjectPattern") take(inner, `${before}${key.name}.`);
    }
  };
  const look = (node: Node) => {
    const { type, property, computed, id, init, key, value } = node;
    if (type === "MemberExpression" && !computed && property?.name !== undefined) {
      reads.names.add(property.name);
      const path = pathOf(node);
      if (path !== undefined && path !== "") reads.ofConfig.add(path);
    }
    if (type === "VariableDeclarator" && id?.type === "ObjectPattern" && pathOf(init ?? undefined) !== undefined) {
      const before = pathOf(init ?? undefined);
      take(id, before === "" ? "" : `${before}.`);
    }
    // `({ config: { port } })`, and a parameter `{ port }: Config`.
    if (type === "Property" && key?.name === "config" && value?.type === "ObjectPattern") take(value, "");
    if (type === "ObjectPattern") {
      if (node.typeAnnotation?.typeAnnotation?.typeName?.name === "Config") take(node, "");
      for (const { key } of node.properties ?? []) if (key?.name !== undefined) reads.names.add(key.name);
    }
  };
  visit(root);
}

/** The path below the settings that an expression reads: "" for all settings; undefined if it reads something else. */
function pathOf(node: Node | undefined): string | undefined {
  switch (node?.type) {
    case "Identifier":
      return node.name === "config" ? "" : undefined;
    case "MemberExpression": {
      const name = node.computed ? undefined : node.property?.name;
      const before = pathOf(node.object);
      if (before === undefined) return name === "config" ? "" : undefined;
      return name === undefined ? undefined : before === "" ? name : `${before}.${name}`;
    }
    case "CallExpression":
      return sources.includes(node.callee?.name ?? "") ? "" : undefined;
    case "LogicalExpression":
      return pathOf(node.left);
    case "AwaitExpression":
      return pathOf(node.argument);
    case "ChainExpression":
    case "ParenthesizedExpression":
    case "TSNonNullExpression":
    case "TSAsExpression":
      return pathOf(node.expression);
    default:
      return undefined;
  }
}

if (import.meta.main) {
  const root = resolve(import.meta.dirname, "../..");
  const paths = globSync(["packages/*/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}"], { cwd: root }).filter(
    (path) => !path.replaceAll("\\", "/").startsWith("packages/home/src/config/"),
  );
  const problems = settingProblems(configJsonSchema(), new Map(paths.map((path) => [path, readFileSync(resolve(root, path), "utf8")])));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
