import type { Json } from "../json.ts";

/** One thing that askbox puts into a file. */
export type Change =
  /** A setting. `ours`: nobody else's name, so that it is taken out even where a person has changed it since. */
  | { kind: "set"; at: readonly string[]; to: Json; ours?: boolean }
  /** An item of a list. */
  | { kind: "include"; at: readonly string[]; item: Json }
  /** Lines between two marks, in a text that others write too. */
  | { kind: "block"; text: string }
  /** A line of a list of lines. */
  | { kind: "line"; text: string }
  /** The whole file. */
  | { kind: "whole"; text: string };

/** A change that was made, with what is needed to take it back. */
export interface Applied {
  change: Change;
  /** What stood there before; absent where there was nothing. */
  before?: Json;
  /** The settings around it that were not there before, outermost first. */
  made?: string[][];
}

/** Whether two changes concern the same place, so that the later takes the earlier's place. */
export function isSamePlace(one: Change, other: Change): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === "set" && other.kind === "set") return samePath(one.at, other.at);
  if (one.kind === "include" && other.kind === "include") {
    return samePath(one.at, other.at) && JSON.stringify(one.item) === JSON.stringify(other.item);
  }
  if (one.kind === "line" && other.kind === "line") return one.text === other.text;
  return true;
}

const samePath = (one: readonly string[], other: readonly string[]) => one.join("\0") === other.join("\0");
