import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, valueAt } from "../json.ts";
import { type Applied, type Change, type Format, Obstacle } from "./format.ts";

/** How a format of nested settings edits its text. `undefined` removes the setting. */
export interface Editor {
  name: string;
  parse(text: string): unknown;
  put(text: string, at: readonly string[], value: Json | undefined): string;
  /** Appends an item to an existing list; if missing, the whole list is replaced. */
  add?(text: string, at: readonly string[], item: Json): string;
  drop?(text: string, at: readonly string[], index: number): string;
}

/**
 * A format of nested settings over an editor of its text. The result of every edit is checked: the text must then contain exactly what it
 * contained before, plus the change.
 */
export function settingsFormat({ name, parse, put, add, drop }: Editor): Format {
  const root = (text: string): JsonObject => {
    const value = text.trim() === "" ? {} : notTooDeep(parse)(text);
    if (isObject(value)) return value;
    if (value === undefined) return {};
    throw new Obstacle("something other than named settings was found");
  };

  const checked = (text: string, edited: string, at: readonly string[], value: Json | undefined): string => {
    const wanted = plain(root(text)) as JsonObject;
    putInto(wanted, at, value);
    const found = plain(root(edited)) as JsonObject;
    // In TOML, a table without a line of its own goes with the last one in it.
    if (value === undefined) for (const settings of [wanted, found]) dropEmpty(settings, at.slice(0, -1));
    if (!isDeepStrictEqual(found, plain(wanted))) {
      throw new Obstacle(`${at.join(".")} cannot be changed without touching other settings`);
    }
    return edited;
  };
  const edit = (text: string, at: readonly string[], value: Json | undefined) => checked(text, put(text, at, value), at, value);

  /** The settings on the way to a path that don't exist. */
  const missing = (held: JsonObject, at: readonly string[]): string[][] => {
    const made: string[][] = [];
    for (let length = 1; length < at.length; length += 1) {
      const path = at.slice(0, length);
      const value = valueAt(held, path);
      if (value === undefined) made.push(path);
      else if (!isObject(value)) throw new Obstacle(`${path.join(".")} does not contain settings`);
    }
    return made;
  };

  const applySet = (text: string, change: Change & { kind: "set" }) => {
    const held = root(text);
    const made = missing(held, change.at);
    const before = valueAt(held, change.at);
    const to = change.to ?? undefined;
    if (isDeepStrictEqual(plain(before), plain(to))) return { text };
    const applied: Applied = {
      change,
      ...(before !== undefined && { before: plain(before) as Json }),
      ...(made.length > 0 && { made }),
    };
    return { text: edit(text, change.at, to), applied };
  };

  const applyInclude = (text: string, change: Change & { kind: "include" }) => {
    const held = root(text);
    const made = missing(held, change.at);
    const list = valueAt(held, change.at);
    if (list !== undefined && !Array.isArray(list)) throw new Obstacle(`${change.at.join(".")} is not a list`);
    if (list?.some((item) => isDeepStrictEqual(plain(item), plain(change.item)))) return { text };
    if (list === undefined) made.push([...change.at]);
    const applied: Applied = { change, ...(made.length > 0 && { made }) };
    const items = [...((list as Json[] | undefined) ?? []), change.item];
    const edited = list === undefined || add === undefined ? put(text, change.at, items) : add(text, change.at, change.item);
    return { text: checked(text, edited, change.at, items), applied };
  };

  const prune = (text: string, made: readonly string[][] = []): string => {
    let pruned = text;
    for (const path of made.toReversed()) {
      const value = valueAt(root(pruned), path);
      const isLeft = Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
      if (isLeft) pruned = edit(pruned, path, undefined);
    }
    return pruned;
  };

  return {
    name,
    parse: root,
    apply: notTooDeep((text, change) => {
      if (change.kind === "set") return applySet(text, change);
      if (change.kind === "include") return applyInclude(text, change);
      throw new Obstacle(`it cannot contain a ${change.kind}`);
    }),
    undo: notTooDeep((text, { change, before, made }) => {
      if (change.kind === "set") {
        const present = valueAt(root(text), change.at);
        if (present === undefined && (change.to !== null || before === undefined)) return prune(text, made);
        if (!change.ours && !isDeepStrictEqual(plain(present), plain(change.to ?? undefined))) return text;
        return prune(edit(text, change.at, before), made);
      }
      if (change.kind !== "include") return text;
      const list = valueAt(root(text), change.at);
      if (!Array.isArray(list)) return text;
      const index = list.findIndex((item) => isDeepStrictEqual(plain(item), plain(change.item)));
      if (index < 0) return text;
      const rest = list.toSpliced(index, 1) as Json[];
      const edited = drop === undefined ? put(text, change.at, rest) : drop(text, change.at, index);
      return prune(checked(text, edited, change.at, rest), made);
    }),
    // A comment is somebody's own.
    isEmpty: (text) => ["", "{}"].includes(text.replaceAll(/\s/g, "")),
  };
}

/** Parsers and comparisons are recursive. Settings that are nested deeper than this are not real ones. */
function notTooDeep<Args extends unknown[], Result>(work: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    try {
      return work(...args);
    } catch (error) {
      if (error instanceof RangeError) throw new Obstacle("its settings are nested too deeply");
      throw error;
    }
  };
}

/** Without a parser's prototypes and classes, so that equal values compare as equal. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

function dropEmpty(target: JsonObject, at: readonly string[]): void {
  for (let length = at.length; length > 0; length -= 1) {
    const path = at.slice(0, length);
    const value = valueAt(target, path);
    if (isObject(value) && Object.keys(value).length === 0) putInto(target, path, undefined);
  }
}

function putInto(target: JsonObject, [name = "", ...rest]: readonly string[], value: Json | undefined): void {
  if (rest.length > 0) {
    const inner = target[name];
    const next: JsonObject = isObject(inner) ? inner : {};
    if (value !== undefined || isObject(inner)) target[name] = next;
    putInto(next, rest, value);
  } else if (value === undefined) delete target[name];
  else target[name] = value;
}
