import { createScanner, findNodeAtLocation, type Node, type ParseError, parse, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Json } from "../json.ts";
import { lineEnd, Malformed, Obstacle } from "./format.ts";
import { settingsFormat } from "./settings.ts";

/**
 * JSON with comments, edited as a tree, so that comments, order and indentation stay. A file with a syntax error is
 * refused.
 */

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

/**
 * Edits of JSON text that leave everything else unchanged: neighbours, comments and layout. (The library's own edits reformat the
 * surrounding lines, and drop comments.)
 */

/** Appends `"name": value`, or for a list a value, to an object or a list. */
function addChild(text: string, container: Node, name: string | undefined, value: Json): string {
  const children = container.children ?? [];
  const last = children.at(-1);
  const close = container.offset + container.length - 1;
  const key = name === undefined ? "" : `${JSON.stringify(name)}: `;
  const isOneLine = !text.slice(container.offset, close).includes("\n");
  if (last === undefined) {
    const inside = text.slice(container.offset + 1, close);
    if (inside.trim() === "") {
      const [outer, inner] = [indentAt(text, container.offset), indentAt(text, container.offset) + unit(text)];
      const added = `${lineEnd(text)}${inner}${key}${laidOut(text, value, inner)}${lineEnd(text)}${outer}`;
      return splice(text, container.offset + 1, close, added);
    }
  }
  const comma = last === undefined ? undefined : commaAfter(text, end(last), close);
  const at = lastSign(text, container.offset, close);
  const first = last === undefined ? undefined : (children[0] as Node);
  const indent = isOneLine || first === undefined ? indentAt(text, container.offset) + unit(text) : indentAt(text, first.offset);
  const added =
    isOneLine && last !== undefined ? ` ${key}${compact(value)}` : `${lineEnd(text)}${indent}${key}${laidOut(text, value, indent)}`;
  const withChild = splice(text, at, at, added + (comma === undefined ? "" : ","));
  return last === undefined || comma !== undefined ? withChild : splice(withChild, end(last), end(last), ",");
}

/** Removes a property or an item with its comma. */
function removeChild(text: string, container: Node, child: Node): string {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const close = container.offset + container.length - 1;
  const next = children[index + 1];
  const after = commaAfter(text, end(child), next?.offset ?? close);
  const before = children[index - 1];
  const commaBefore = after === undefined && before !== undefined ? commaAfter(text, end(before), child.offset) : undefined;
  let edited = after === undefined ? text : splice(text, after, after + 1, "");
  const from = edited.slice(0, child.offset).trimEnd().length;
  edited = splice(edited, before === undefined && next !== undefined ? child.offset : Math.max(from, container.offset + 1), end(child), "");
  if (before === undefined && next !== undefined)
    edited = splice(edited, child.offset, child.offset + leading(edited.slice(child.offset)), "");
  if (commaBefore !== undefined) edited = splice(edited, commaBefore, commaBefore + 1, "");
  if (children.length > 1) return edited;
  const closing = close - (text.length - edited.length);
  const inside = edited.slice(container.offset + 1, closing);
  return inside.trim() === "" ? splice(edited, container.offset + 1, closing, "") : edited;
}

/** Replaces a value. */
function replaceValue(text: string, node: Node, value: Json): string {
  return splice(text, node.offset, end(node), laidOut(text, value, indentAt(text, node.offset)));
}

/** A new document, after any existing comments. */
function newDocument(text: string, value: Json): string {
  const gap = text.trim() === "" || text.endsWith("\n") ? "" : lineEnd(text);
  return `${text.trim() === "" ? "" : text}${gap}${laidOut(text, value, "")}${lineEnd(text)}`;
}

const end = (node: Node) => node.offset + node.length;
const splice = (text: string, from: number, to: number, put: string) => text.slice(0, from) + put + text.slice(to);
const leading = (text: string) => text.length - text.trimStart().length;

function laidOut(text: string, value: Json, indent: string): string {
  return JSON.stringify(value, undefined, unit(text)).replaceAll("\n", `${lineEnd(text)}${indent}`);
}

const compact = (value: Json) => JSON.stringify(value, undefined, 1).replace(/\n\s*/g, " ");

/** The text's indentation, so that new lines match the others. */
function unit(text: string): string {
  const scanner = createScanner(text, true);
  scanner.scan();
  const inside = text.slice(scanner.getTokenOffset() + 1);
  return /^[^\S\n]*(?:\/\/[^\n]*)?\n([ \t]+)/.exec(inside)?.[1] ?? "  ";
}

/** The white space at the start of the line. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

/** Where the comma between two places is, ignoring comments. */
function commaAfter(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return offset < to && text[offset] === "," ? offset : undefined;
}

/** The end of the last token within: a value, a comma or a comment. */
function lastSign(text: string, open: number, close: number): number {
  return open + text.slice(open, close).trimEnd().length;
}
