import type { Json } from "../json.ts";

/** One thing that askbox adds to a file. */
export type Change =
  /** A setting; null removes it. `ours`: only askbox uses the name, so it is removed even if a person has changed it. */
  | { kind: "set"; at: readonly string[]; to: Json; ours?: boolean }
  /** An item of a list. */
  | { kind: "include"; at: readonly string[]; item: Json }
  /** Lines between two marks, in a text that others edit too. */
  | { kind: "block"; text: string }
  /** A line of a list of lines. */
  | { kind: "line"; text: string }
  /** The whole file. */
  | { kind: "whole"; text: string };

/** A change that was made, with what is needed to undo it. */
export interface Applied {
  change: Change;
  /** The previous value; absent if there was none. */
  before?: Json;
  /** The enclosing settings that were created for it, outermost first. */
  made?: string[][];
}

/** Whether two changes concern the same place, so that the later replaces the earlier. */
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
