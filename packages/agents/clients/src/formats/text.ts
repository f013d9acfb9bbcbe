import type { Change } from "./change.ts";
import { type Format, lineEnd, Obstacle } from "./format.ts";

const begin = "<!-- askbox: begin -->";
const end = "<!-- askbox: end -->";

/** Texts that people edit too: a block between two marks, a line of a list, or a file of askbox's own. */
export const text: Format = {
  name: "text",
  parse: (held) => held,
  apply(held, change) {
    const changed = put(held, change);
    if (changed === held) return { text: held };
    return { text: changed, applied: { change, ...(change.kind === "whole" && held !== "" ? { before: held } : {}) } };
  },
  undo(held, { change, before }) {
    if (change.kind === "block") return withoutBlock(held);
    if (change.kind === "line") return withoutLine(held, change.text);
    if (change.kind !== "whole" || held.replaceAll("\r\n", "\n") !== change.text) return held;
    return typeof before === "string" ? before : "";
  },
  isEmpty: (held) => held.trim() === "",
};

function put(held: string, change: Change): string {
  const newline = lineEnd(held);
  switch (change.kind) {
    case "whole":
      return held.replaceAll("\r\n", "\n") === change.text ? held : change.text;
    case "line": {
      if (held.split(/\r?\n/).includes(change.text)) return held;
      return held + (held === "" || held.endsWith("\n") ? "" : newline) + change.text + newline;
    }
    case "block": {
      const block = [begin, change.text.trim(), end].join("\n").replaceAll("\n", newline);
      const place = blockIn(held);
      if (place !== undefined) return held.slice(0, place.from) + block + held.slice(place.to);
      if (held.trim() === "") return held + block + newline;
      return `${held}${held.endsWith("\n") ? "" : newline}${newline}${block}${newline}`;
    }
    default:
      throw new Obstacle(`it cannot contain a ${change.kind}`);
  }
}

function blockIn(held: string): { from: number; to: number } | undefined {
  const from = held.indexOf(begin);
  const to = held.indexOf(end);
  if (from < 0 && to < 0) return undefined;
  if (from < 0 || to < from || held.indexOf(begin, from + 1) >= 0 || held.indexOf(end, to + 1) >= 0) {
    throw new Obstacle(`the marks ${begin} and ${end} must appear once each and in this order`);
  }
  return { from, to: to + end.length };
}

/** Includes the preceding blank line and its own line end, which were added with it. */
function withoutBlock(held: string): string {
  const place = blockIn(held);
  if (place === undefined) return held;
  const after = held.slice(place.to).replace(/^\r?\n/, "");
  const before = held.slice(0, place.from).replace(/(\r?\n)\r?\n$/, "$1");
  return before + after;
}

function withoutLine(held: string, line: string): string {
  const lines = held.split(/(?<=\n)/);
  const index = lines.findLastIndex((one) => one.replace(/\r?\n$/, "") === line);
  return index < 0 ? held : lines.toSpliced(index, 1).join("");
}
