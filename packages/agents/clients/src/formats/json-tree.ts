import { createScanner, type Node } from "jsonc-parser";
import type { Json } from "../json.ts";
import { lineEnd } from "./format.ts";

/**
 * Edits of JSON text that leave everything else unchanged: neighbours, comments and layout. (The library's own edits reformat the
 * surrounding lines, and drop comments.)
 */

/** Appends `"name": value`, or for a list a value, to an object or a list. */
export function addChild(text: string, container: Node, name: string | undefined, value: Json): string {
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
export function removeChild(text: string, container: Node, child: Node): string {
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
export function replaceValue(text: string, node: Node, value: Json): string {
  return splice(text, node.offset, end(node), laidOut(text, value, indentAt(text, node.offset)));
}

/** A new document, after any existing comments. */
export function newDocument(text: string, value: Json): string {
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
