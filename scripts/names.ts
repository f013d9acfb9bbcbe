import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";

/** Things with names that only their own folder may compare; all other code uses their traits. */
export interface Named {
  what: string;
  /** The folders and files that own the names. */
  owner: readonly string[];
  /** Reads the names from the code. */
  names(root: string): readonly string[];
  /** Where such a name is found: `type` is any `x.type` and a plain `type`, `client.name` is a client's name. */
  properties: readonly string[];
  /** Variables whose property of that name is something else, such as the type of a markdown token. */
  otherOwners?: readonly string[];
}

export const named: readonly Named[] = [
  {
    what: "type of question",
    owner: ["packages/core/src/session/questions"],
    names: (root) => keysOf(root, "packages/core/src/session/questions/types.ts", "types"),
    properties: ["type"],
    // Form fields and markdown nodes have their own "type", with some of the same values.
    otherOwners: ["field", "token", "node"],
  },
  {
    what: "dialect",
    owner: ["packages/mcp/src/dialects"],
    names: (root) => keysOf(root, "packages/mcp/src/dialects/index.ts", "dialects"),
    properties: ["dialect", "tool", "name"],
  },
  {
    what: "attention mode",
    owner: ["packages/attention/src/modes"],
    names: (root) => keysOf(root, "packages/attention/src/modes/index.ts", "modes"),
    properties: ["mode", "attention"],
  },
  {
    what: "kind of webhook",
    owner: ["packages/webhooks/src/kinds"],
    names: (root) => keysOf(root, "packages/webhooks/src/kinds/index.ts", "webhookKinds"),
    properties: ["kind"],
  },
  {
    what: "client",
    owner: ["packages/clients/src/clients", "packages/mcp/src/clients.ts"],
    names: (root) => [
      ...listOf(root, "packages/home/src/config/schema.ts", "clientNames"),
      ...listOf(root, "packages/mcp/src/clients.ts", "knownClients"),
    ],
    properties: ["client", "client.name", "clientInfo.name", "clientName"],
  },
];

/** The files that are checked: sources and examples, without their tests. */
const sources = ["packages/*/src/**/*.{ts,tsx}", "apps/*/src/**/*.{ts,tsx}", "examples/**/*.{ts,tsx}"];

export interface Comparison {
  path: string;
  line: number;
  what: string;
  name: string;
}

/** Every comparison with one of the names outside the folder that owns it. */
export function findComparisons(root: string, things: readonly Named[] = named): Comparison[] {
  const known = things.map((thing) => ({ thing, names: new Set(thing.names(root)) }));
  const files = globSync(sources, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path) });
  return files.sort().flatMap((path) => {
    const source = readFileSync(resolve(root, path), "utf8");
    const foreign = known.filter(({ thing }) => !thing.owner.some((folder) => path === folder || path.startsWith(`${folder}/`)));
    if (!foreign.some(({ names }) => [...names].some((name) => source.includes(name)))) return [];
    const tree = parse(source, path);
    const constants = constantsOf(tree);
    const found: Comparison[] = [];
    visit(tree, (node) => {
      for (const { thing, names } of foreign) {
        const name = comparedName(node, { constants, isName: (text) => names.has(text), isSubject: (part) => isSubject(part, thing) });
        if (name !== undefined)
          found.push({ path, line: source.slice(0, node["start"] as number).split("\n").length, what: thing.what, name });
      }
    });
    return found;
  });
}

/** The keys of a constant object in a file. */
export function keysOf(root: string, path: string, constant: string): string[] {
  return namesIn(root, path, constant, propertiesOf);
}

/** The strings in a constant array of a file, or the `name` of each object in it. */
export function listOf(root: string, path: string, constant: string): string[] {
  return namesIn(root, path, constant, (value) => itemsOf(value).flatMap((item) => textOf(item) ?? textOf(propertyOf(item, "name")) ?? []));
}

function namesIn(root: string, path: string, constant: string, read: (value: Node) => string[]): string[] {
  const file = resolve(root, path);
  const value = existsSync(file) ? constantsOf(parse(readFileSync(file, "utf8"), path)).get(constant) : undefined;
  const names = value === undefined ? [] : read(value);
  if (names.length === 0) throw new Error(`${path} has no ${constant} any more; scripts/names.ts reads names from it.`);
  return names;
}

type Node = { readonly type: string } & Readonly<Record<string, unknown>>;

interface Look {
  constants: ReadonlyMap<string, Node>;
  isName(text: string): boolean;
  isSubject(node: unknown): boolean;
}

/** The name that this node compares with; undefined if it is not a comparison. */
function comparedName(node: Node, look: Look): string | undefined {
  const firstName = (nodes: readonly unknown[]) => nodes.map(textOf).find((text) => text !== undefined && look.isName(text));
  switch (node.type) {
    case "BinaryExpression": {
      if (!["===", "!==", "==", "!="].includes(String(node["operator"]))) return undefined;
      const sides = [node["left"], node["right"]];
      return sides.some(look.isSubject) ? firstName(sides) : undefined;
    }
    case "SwitchStatement":
      return look.isSubject(node["discriminant"]) ? firstName((node["cases"] as Node[]).map((each) => each["test"])) : undefined;
    case "CallExpression": {
      // ["select", "confirm"].includes(question.type), and the same with a set.
      const callee = unwrapped(node["callee"]);
      const [argument] = node["arguments"] as unknown[];
      const method = callee?.type === "MemberExpression" ? nameOf(callee["property"]) : undefined;
      if (!["includes", "indexOf", "has", "get"].includes(method ?? "") || !look.isSubject(argument)) return undefined;
      return firstName(itemsOf(resolved(callee?.["object"], look)));
    }
    case "MemberExpression": {
      // { confirm: …, rating: … }[question.type]
      if (node["computed"] !== true || !look.isSubject(node["property"])) return undefined;
      return propertiesOf(resolved(node["object"], look)).find(look.isName);
    }
    default:
      return undefined;
  }
}

function isSubject(given: unknown, thing: Pick<Named, "properties" | "otherOwners">): boolean {
  const { properties, otherOwners = [] } = thing;
  const node = unwrapped(given);
  if (node === undefined || textOf(node) !== undefined) return false;
  if (node.type === "UnaryExpression") return false;
  if (node.type === "Identifier") return properties.includes(String(node["name"]));
  // question.type.trim()
  if (node.type === "CallExpression") {
    const callee = unwrapped(node["callee"]);
    return callee?.type === "MemberExpression" && isSubject(callee["object"], thing);
  }
  if (node.type !== "MemberExpression") return false;
  const property = memberName(node);
  const holder = unwrapped(node["object"]);
  const holderName = nameOf(holder) ?? (holder === undefined ? undefined : memberName(holder));
  if (properties.includes(`${holderName}.${property}`)) return true;
  return property !== undefined && properties.includes(property) && !otherOwners.includes(nameOf(holder) ?? "");
}

/** The property's name in `object.property`; undefined if it is not a member expression. */
function memberName(node: Node): string | undefined {
  if (node.type !== "MemberExpression") return undefined;
  return node["computed"] === true ? textOf(node["property"]) : nameOf(node["property"]);
}

const parse = (source: string, path: string): Node => parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }) as unknown as Node;

/** Constants of the file by name, wherever they are declared. */
function constantsOf(tree: Node): Map<string, Node> {
  const constants = new Map<string, Node>();
  visit(tree, (node) => {
    const name = node.type === "VariableDeclarator" ? nameOf(node["id"]) : undefined;
    const value = unwrapped(node["init"]);
    if (name !== undefined && value !== undefined) constants.set(name, value);
  });
  return constants;
}

function resolved(given: unknown, { constants }: Look): Node | undefined {
  const node = unwrapped(given);
  return node?.type === "Identifier" ? constants.get(String(node["name"])) : node;
}

/** The items of an array, of a set or map created from one, or of a frozen one. */
function itemsOf(node: Node | undefined): unknown[] {
  if (node?.type === "ArrayExpression") return (node["elements"] as unknown[]).flatMap((each) => [each, ...itemsOf(unwrapped(each))]);
  if (node?.type === "NewExpression" || node?.type === "CallExpression") return itemsOf(unwrapped((node["arguments"] as unknown[])[0]));
  return [];
}

/** The keys of an object, or of a frozen one. */
function propertiesOf(node: Node | undefined): string[] {
  if (node?.type === "CallExpression") return propertiesOf(unwrapped((node["arguments"] as unknown[])[0]));
  if (node?.type !== "ObjectExpression") return [];
  return (node["properties"] as Node[]).flatMap(({ key }) => nameOf(key) ?? textOf(key) ?? []);
}

/** The value of a property in an object literal. */
function propertyOf(given: unknown, name: string): unknown {
  const node = unwrapped(given);
  if (node?.type !== "ObjectExpression") return undefined;
  return (node["properties"] as Node[]).find(({ key }) => (nameOf(key) ?? textOf(key)) === name)?.["value"];
}

const wrappers = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "ChainExpression", "ParenthesizedExpression"]);

function unwrapped(given: unknown): Node | undefined {
  let node = isNode(given) ? given : undefined;
  while (node !== undefined && wrappers.has(node.type)) node = isNode(node["expression"]) ? node["expression"] : undefined;
  return node;
}

const nameOf = (node: unknown): string | undefined => (isNode(node) && node.type === "Identifier" ? String(node["name"]) : undefined);

function textOf(given: unknown): string | undefined {
  const node = unwrapped(given);
  return node?.type === "Literal" && typeof node["value"] === "string" ? node["value"] : undefined;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";

function visit(node: unknown, look: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, look);
  if (!isNode(node)) return;
  look(node);
  for (const child of Object.values(node)) if (typeof child === "object") visit(child, look);
}
