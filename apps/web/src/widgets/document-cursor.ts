import { documentActions, keymapWith } from "@askbox/inbox/commands";
import { type MouseEvent, type PointerEvent, type RefObject, useRef } from "react";
import { documentKeys } from "../ui/focus-place.ts";
import type { Chunks } from "./document-chunks.tsx";

/**
 * The marked lines of a document: one line, the first at once, or a range within one file. Marking changes attributes and renders nothing: with
 * 5,000 lines a render takes longer than somebody holds a key.
 */

/** What the cursor stops at: a line, or a block of several, by the indexes of their lines. */
export interface Stop {
  from: number;
  to: number;
}

interface CursorOptions {
  chunks: Chunks;
  stops(): readonly Stop[];
  /** Whether the file with this line is unfolded. */
  isShown(line: number): boolean;
  isSameFile(line: number, other: number): boolean;
}

export type Cursor = ReturnType<typeof useCursor>;

export function useCursor({ chunks, stops, isShown, isSameFile }: CursorOptions) {
  /** The first lines of the stops where marking began, and which it has reached; -1 for none. */
  const range = useRef({ from: -1, to: -1 });
  const marked = useRef<HTMLElement[]>([]);

  /** The index of the stop with this line. */
  const at = (line: number): number => {
    const all = stops();
    let [low, high] = [0, all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle]?.from ?? 0) <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  /** Marks what is marked once more: lines are made again when something is written below them. */
  const remark = (): void => {
    const { from, to } = range.current;
    if (to >= 0 && marked.current.some((each) => !each.isConnected)) mark(from, to, false);
  };
  const mark = (from: number, to: number, scrolls = true): void => {
    range.current = { from, to };
    for (const each of marked.current) each.removeAttribute("data-at");
    const [first, last] = [at(Math.min(from, to)), at(Math.max(from, to))];
    marked.current = stops()
      .slice(Math.max(0, first), last + 1)
      .flatMap((stop) => chunks.elementOf(stop.from) ?? []);
    for (const [index, each] of marked.current.entries()) {
      const ends = [index === 0 && "first", index === marked.current.length - 1 && "last"];
      each.setAttribute("data-at", ends.filter(Boolean).join(" "));
    }
    if (scrolls) chunks.elementOf(to)?.scrollIntoView({ block: "nearest" });
  };
  /** To the next stop that is shown. A range stays within its file. */
  const step = (by: 1 | -1, isRange: boolean): void => {
    const all = stops();
    const { from, to } = range.current;
    let next = to < 0 ? 0 : at(to) + by;
    while (all[next] !== undefined && !isShown((all[next] as Stop).from)) next += by;
    const line = all[next]?.from;
    if (line !== undefined && (!isRange || isSameFile(line, from))) mark(isRange && from >= 0 ? from : line, line);
  };
  /** The first stop, if none is marked. */
  const begin = (): void => {
    if (range.current.to < 0) step(1, false);
  };
  /** To the nearest of these lines in this direction. */
  const jump = (by: 1 | -1, lines: readonly number[]): void => {
    const { to } = range.current;
    const sorted = lines.map((line) => stops()[at(line)]?.from ?? -1).sort((one, other) => one - other);
    const next = by > 0 ? sorted.find((line) => line > to) : sorted.findLast((line) => line < to && line >= 0);
    if (next !== undefined) mark(next, next);
  };
  /** The lines that are marked, from the first to the last. */
  const lines = (): Stop | undefined => {
    const { from, to } = range.current;
    const [first, last] = [stops()[at(Math.min(from, to))], stops()[at(Math.max(from, to))]];
    return to < 0 || first === undefined || last === undefined ? undefined : { from: first.from, to: last.to };
  };
  return { range, mark, remark, step, begin, jump, lines, at };
}

interface PointerOptions {
  isSameFile(line: number, other: number): boolean;
  /** The pointer has left the lines that it marked. */
  onMarked(): void;
}

const own = "a, button, summary, input, label, textarea, .line-comment, .document-head";

/**
 * Marks the lines beside whose text the pointer goes down and along; text itself can be selected. With Shift, the range goes on from where it
 * began. A finger marks the line that it taps, wherever that is.
 */
export function usePointer(box: RefObject<HTMLElement | null>, { range, mark }: Cursor, { isSameFile, onMarked }: PointerOptions) {
  /** The line where the pointer went down. */
  const dragged = useRef<number>(undefined);
  const isFinger = useRef(false);
  const lineOf = (element: Element | null | undefined) => {
    const cell = element?.closest<HTMLElement>("[data-line]");
    return cell != null && box.current?.contains(cell) ? Number(cell.dataset["line"]) : undefined;
  };
  return {
    onPointerDown(event: PointerEvent) {
      const target = event.target as Element;
      isFinger.current = event.pointerType === "touch";
      dragged.current = undefined;
      if (isFinger.current || event.button !== 0 || target.closest(own) !== null) return;
      const text = target.closest("[data-line], .diff-side")?.querySelector(".diff-text, .markdown");
      if (text == null || event.clientX >= text.getBoundingClientRect().left) return;
      dragged.current = lineOf(target);
      if (dragged.current === undefined) return;
      event.preventDefault();
      box.current?.focus({ preventScroll: true });
      mark(event.shiftKey && range.current.from >= 0 ? range.current.from : dragged.current, dragged.current, false);
    },
    onPointerMove(event: PointerEvent) {
      if (dragged.current === undefined) return;
      const to = lineOf(document.elementFromPoint(event.clientX, event.clientY));
      if (to !== undefined && to !== range.current.to && isSameFile(to, range.current.from)) mark(range.current.from, to, false);
    },
    onPointerCancel() {
      dragged.current = undefined;
    },
    // The click comes after everything that moves the focus.
    onClick({ target }: MouseEvent) {
      const tapped = isFinger.current && (target as Element).closest(own) === null ? lineOf(target as Element) : undefined;
      if (tapped !== undefined) mark(tapped, tapped, false);
      if (tapped !== undefined || dragged.current !== undefined) onMarked();
      dragged.current = undefined;
    },
  };
}

/** The keys of a document, which it takes from all others while it has the focus. */
export const { keymap: documentKeymap } = keymapWith(documentActions);
for (const { keys } of Object.values(documentActions)) for (const key of keys) documentKeys.add(key);
