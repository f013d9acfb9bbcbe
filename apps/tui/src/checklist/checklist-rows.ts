import { emptyRow, line, type Row, type Span, span, wrap } from "../text/row.ts";
import type { Checklist, ChecklistState, ChecklistView } from "./checklist.ts";

/** The rows of a checklist, and where its body is scrolled to. */
export interface ChecklistFrame {
  rows: Row[];
  view: ChecklistView;
}

export interface ChecklistSize {
  columns: number;
  rows: number;
  /** For a screen reader: everything, one row after the other. */
  plain: boolean;
}

/** All that is shown fits into the size: a title, a body that scrolls, and a line with the keys. */
export function checklistFrame(
  list: Checklist,
  state: ChecklistState,
  { columns, rows, plain }: ChecklistSize,
  before: number,
): ChecklistFrame {
  const bar = line([span(list.title, "heading")], columns);
  const { body, focus } = bodyRows(list, state, columns);
  const height = plain ? body.length : Math.max(1, rows - 2);
  const maxTop = Math.max(0, body.length - height);
  const top = Math.min(maxTop, state.top ?? (focus < before ? focus : Math.max(before, focus - height + 1)));
  const shown = body.slice(top, top + height);
  const fill = plain ? [] : Array.from({ length: height - shown.length }, () => emptyRow);
  const hint = hintRow(list, state, columns, maxTop - top);
  return { rows: [bar, ...shown, ...fill, hint], view: { top, maxTop, rows: height } };
}

function bodyRows(list: Checklist, { at, selected, whole }: ChecklistState, columns: number): { body: Row[]; focus: number } {
  const body: Row[] = [...wrap([span(list.intro)], columns), emptyRow];
  let focus = 0;
  const width = Math.max(...list.choices.map(({ label }) => label.length));
  for (const [index, { id, label, note, isFixed }] of list.choices.entries()) {
    const isAt = index === at;
    const mark = isFixed ? "   " : selected.has(id) ? "[x]" : "[ ]";
    const name: Span = isAt ? span(label.padEnd(width), "selection") : span(label.padEnd(width), isFixed ? "dim" : "text");
    if (isAt) focus = body.length;
    const first = [span(isAt ? "› " : "  ", "accent"), span(`${mark} `, selected.has(id) ? "success" : "dim"), name];
    if (note === undefined) body.push(line(first, columns));
    else if (columns >= 60) body.push(line([...first, span(`  ${note}`, "dim")], columns));
    else body.push(line(first, columns), line([span(`      ${note}`, "dim")], columns));
  }
  body.push(emptyRow);
  for (const { indent = 0, spans } of list.preview(selected, whole)) {
    body.push(...wrap(spans, columns, { first: [span(" ".repeat(2 + indent))] }));
  }
  return { body, focus };
}

function hintRow({ confirm }: Checklist, { selected, whole }: ChecklistState, columns: number, below: number): Row {
  const goes = confirm(selected);
  const hints: [string, string][] = [
    ...(goes === undefined ? [] : [["enter", goes] as [string, string]]),
    ["space", "select"],
    ["q", "leave"],
    ["d", whole ? "fewer lines" : "lines"],
    ...(below > 0 ? [["pgdn", `${below} more`] as [string, string]] : []),
  ];
  const shown: Span[] = [];
  let left = columns;
  for (const [key, words] of hints) {
    left -= key.length + words.length + 3;
    if (left < -2) break;
    shown.push(span(key, "accent"), span(` ${words}  `, "dim"));
  }
  return line(shown, columns);
}
