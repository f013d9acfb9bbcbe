import { findNodeAtLocation, type Node, type ParseError, parse, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Json } from "../json.ts";
import { Malformed, Obstacle } from "./format.ts";
import { addChild, newDocument, removeChild, replaceValue } from "./json-tree.ts";
import { settingsFormat } from "./settings.ts";

const options = { allowTrailingComma: true, allowEmptyContent: true };

/** JSON with comments and trailing commas, as most clients read it; existing text is preserved. */
export const jsonc = settingsFormat({
  name: "JSON",
  parse(text) {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, options);
    const [first] = errors;
    if (first !== undefined) {
      const before = text.slice(0, first.offset).split("\n");
      throw new Malformed(words(printParseErrorCode(first.error)), before.length, (before.at(-1) ?? "").length + 1);
    }
    return value;
  },
  put(text, at, value) {
    const root = parseTree(text, [], options);
    if (root === undefined) return value === undefined ? text : newDocument(text, nested(at, value));
    const present = findNodeAtLocation(root, [...at]);
    if (present !== undefined) {
      const property = present.parent;
      if (value !== undefined) return replaceValue(text, present, value);
      return property?.parent === undefined ? text : removeChild(text, property.parent, property);
    }
    if (value === undefined) return text;
    const { container, depth } = deepest(root, at);
    return addChild(text, container, at[depth] ?? "", nested(at.slice(depth + 1), value));
  },
  add(text, at, item) {
    return addChild(text, listAt(text, at), undefined, item);
  },
  drop(text, at, index) {
    const list = listAt(text, at);
    const item = list.children?.[index];
    return item === undefined ? text : removeChild(text, list, item);
  },
});

/** `CommaExpected` as words. */
const words = (code: string) => code.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** The value of the deepest existing setting on the way to it. */
function nested(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value);
}

/** The last existing setting on the way. */
function deepest(root: Node, at: readonly string[]): { container: Node; depth: number } {
  let container = root;
  let depth = 0;
  for (; depth < at.length - 1; depth += 1) {
    const next = findNodeAtLocation(container, [at[depth] ?? ""]);
    if (next?.type !== "object") break;
    container = next;
  }
  return { container, depth };
}

function listAt(text: string, at: readonly string[]): Node {
  const root = parseTree(text, [], options);
  const list = root === undefined ? undefined : findNodeAtLocation(root, [...at]);
  if (list?.type !== "array") throw new Obstacle(`${at.join(".")} is not a list`);
  return list;
}
