import { isAlias, isCollection, isMap, isNode, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from "yaml";
import type { Json } from "../json.ts";
import { lineEnd, Malformed, Obstacle, orLeft } from "./format.ts";
import { settingsFormat } from "./settings.ts";

/**
 * YAML. The library says where a setting is, and what is edited are whole lines, since the library would write all others in its own style.
 * Only settings in braces are written by the library.
 */
export const yaml = settingsFormat({
  name: "YAML",
  parse(text) {
    const document = read(text);
    try {
      return document.toJS({ maxAliasCount: 100 }) ?? undefined;
    } catch (error) {
      // An alias of nothing, or aliases that grow without end.
      throw new Obstacle(error instanceof Error ? error.message.slice(0, 200) : "its aliases can't be resolved");
    }
  },
  put,
});

function read(text: string) {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return document;
  const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
  throw new Malformed((error.message.split(" at line ")[0] ?? "").slice(0, 200).toWellFormed(), line, col);
}

function put(text: string, at: readonly string[], value: Json | undefined): string {
  const document = read(text);
  if (document.contents === null) return value === undefined ? text : text + missingEnd(text) + lines(text, nested(at, value), 0);
  const { map, depth } = deepest(document.contents, at);
  const first = map?.items[0];
  if (map === undefined || map.flow === true || first === undefined) {
    return orLeft(() => {
      if (value === undefined) document.deleteIn(at);
      else document.setIn(at, value);
      return document.toString({ lineWidth: 0 }).replaceAll("\n", lineEnd(text));
    });
  }
  const present = pairAt(map, at[depth]);
  if (present === undefined) {
    if (value === undefined) return text;
    const { end } = linesOf(text, map.items.at(-1) ?? first);
    const before = text.slice(0, end);
    return before + missingEnd(before) + lines(text, nested(at.slice(depth), value), indentOf(text, first)) + text.slice(end);
  }
  const { start, end, comment } = linesOf(text, present);
  const indent = indentOf(text, present);
  if (value !== undefined) {
    const kept = comment === "" ? "" : `${" ".repeat(indent)}${comment}${lineEnd(text)}`;
    return text.slice(0, start) + kept + lines(text, nested(at.slice(depth), value), indent) + text.slice(end);
  }
  if (depth < at.length - 1) return text;
  // A name without settings would mean null.
  return map.items.length === 1 && depth > 0 ? put(text, at.slice(0, -1), {}) : text.slice(0, start) + text.slice(end);
}

const nested = (path: readonly string[], value: Json): Json => path.reduceRight<Json>((inner, name) => ({ [name]: inner }), value);

const pairAt = ({ items }: YAMLMap, name: string | undefined): Pair | undefined =>
  items.find(({ key }) => isScalar(key) && String(key.value) === name);

/** The last map with settings on the way, and how many names lead to it. */
function deepest(contents: unknown, at: readonly string[]): { map: YAMLMap | undefined; depth: number } {
  let map = isMap(contents) ? contents : undefined;
  let depth = 0;
  while (map !== undefined && depth < at.length - 1) {
    const inner: unknown = pairAt(map, at[depth])?.value;
    if (!isMap(inner) || inner.items.length === 0) break;
    map = inner;
    depth += 1;
  }
  return { map, depth };
}

/** A setting's own lines, and a comment in the last of them. */
function linesOf(text: string, pair: Pair): { start: number; end: number; comment: string } {
  const from = startOf(pair);
  const to = endOf(pair);
  const next = text[to - 1] === "\n" ? to : text.indexOf("\n", to) + 1;
  const end = next === 0 ? text.length : next;
  return { start: text.lastIndexOf("\n", from - 1) + 1, end, comment: isCollection(pair.value) ? text.slice(to, end).trim() : "" };
}

const startOf = ({ key }: Pair): number => (isNode(key) ? (key.range?.[0] ?? 0) : 0);
const indentOf = (text: string, pair: Pair): number => startOf(pair) - (text.lastIndexOf("\n", startOf(pair) - 1) + 1);

/** Where the last word of a value ends; comments may follow. */
function endOf(node: unknown): number {
  if (isCollection(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  if (isNode(node)) return node.range?.[1] ?? 0;
  const { key, value } = Object(node) as Partial<Pair>;
  const end = isNode(value) || isAlias(value) ? endOf(value) : 0;
  return Math.max(end, isNode(key) ? (key.range?.[1] ?? 0) : 0);
}

const missingEnd = (text: string): string => (text === "" || text.endsWith("\n") ? "" : lineEnd(text));

/** Settings as lines of their own. */
function lines(text: string, value: Json, indent: number): string {
  return stringify(value, { lineWidth: 0 })
    .replaceAll(/^(?=.)/gm, " ".repeat(indent))
    .replaceAll("\n", lineEnd(text));
}
