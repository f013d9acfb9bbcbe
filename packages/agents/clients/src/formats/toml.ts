import { cut } from "@askbox/core/questions";
import { parse, patch, stringify } from "@decimalturn/toml-patch";
import { isObject, type Json, type JsonObject, valueAt } from "../json.ts";
import { lineEnd, Malformed, orLeft } from "./format.ts";
import { settingsFormat } from "./settings.ts";

/** TOML; comments and layout are preserved. */
export const toml = settingsFormat({ name: "TOML", parse: read, put });

function read(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const { line, column } = Object(error) as { line?: unknown; column?: unknown };
    const what = (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "";
    throw new Malformed(
      cut(what.trim(), 200, "").toWellFormed(),
      typeof line === "number" ? line : 1,
      typeof column === "number" ? column + 1 : 1,
    );
  }
}

function put(text: string, at: readonly string[], value: Json | undefined): string {
  if (isObject(value)) {
    // A new table goes to the end of the file, in the form that the client's own documentation uses.
    const without = hasAt(text, at) ? patched(text, at, undefined) : text;
    const appended = without + separator(without) + table(at, value).replaceAll("\n", lineEnd(text));
    if (isValid(appended)) return appended;
  }
  return (value === undefined ? withoutTable(text, at) : undefined) ?? patched(text, at, value);
}

/**
 * The text without a table that is still as it was appended, and without the blank line before it. The library would also take away a comment
 * that somebody has written below, and change the line ends of others. Undefined if it isn't there like that.
 */
function withoutTable(text: string, at: readonly string[]): string | undefined {
  const value = valueAt(read(text), at);
  if (!isObject(value)) return undefined;
  const end = lineEnd(text);
  const written = table(at, value).replaceAll("\n", end);
  const start = `\n${text}`.indexOf(`\n${written}`);
  if (start < 0) return undefined;
  const [before, after] = [text.slice(0, start), text.slice(start + written.length)];
  const left = (before.endsWith(end + end) ? before.slice(0, -end.length) : before) + after;
  return isValid(left) && !hasAt(left, at) ? left : undefined;
}

function patched(text: string, at: readonly string[], value: Json | undefined): string {
  const settings = structuredCloneOf(parse(text));
  let inner = settings;
  for (const name of at.slice(0, -1)) {
    const next = inner[name];
    if (isObject(next)) inner = next;
    else {
      const made: JsonObject = {};
      inner[name] = made;
      inner = made;
    }
  }
  const last = at.at(-1) ?? "";
  if (value === undefined) delete inner[last];
  else inner[last] = value;
  return orLeft(() => patch(text, settings));
}

/** Plain objects down to the leaves, whose types the library recognizes by class. */
function structuredCloneOf(value: unknown): JsonObject {
  const copy = (inner: unknown): unknown =>
    Array.isArray(inner)
      ? inner.map(copy)
      : isObject(inner)
        ? Object.fromEntries(Object.entries(inner).map(([name, held]) => [name, copy(held)]))
        : inner;
  return copy(value) as JsonObject;
}

/** A blank line between the existing text and the new one. */
function separator(text: string): string {
  if (text.trim() === "") return "";
  const end = lineEnd(text);
  return text.endsWith("\n") ? end : end + end;
}

function table(at: readonly string[], value: JsonObject): string {
  const entries = Object.entries(value);
  const own = entries.filter(([, inner]) => !isObject(inner));
  const inner = entries.filter(([, held]) => isObject(held));
  const lines = [`[${at.map(key).join(".")}]`, ...own.map(([name, held]) => `${key(name)} = ${literal(held)}`)];
  return [`${lines.join("\n")}\n`, ...inner.map(([name, held]) => table([...at, name], held as JsonObject))].join("\n");
}

const key = (name: string) => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name));

/** TOML's basic strings escape like JSON's, except for DEL. */
function literal(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  return typeof value === "number" || typeof value === "boolean" ? String(value) : stringify(value).trim();
}

function hasAt(text: string, at: readonly string[]): boolean {
  let inner: unknown = parse(text);
  for (const name of at) {
    if (!isObject(inner) || !Object.hasOwn(inner, name)) return false;
    inner = inner[name];
  }
  return true;
}

function isValid(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
