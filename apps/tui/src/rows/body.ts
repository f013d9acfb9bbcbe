import type { EditorRows } from "../editor/editor.ts";
import { emptyRow, prefixed, type Row, type Span } from "../text/row.ts";
import type { DocumentLayout, Sticky } from "./document-rows.ts";

/** The rows of a scrollable area, and which of them must be visible. */
export interface Body {
  rows: Row[];
  /** First and last row of the item under the cursor. */
  focus: { from: number; to: number } | undefined;
  /** First and last row of the action that needs approval. */
  action: { from: number; to: number } | undefined;
  /** First and last row of the thread's latest message. */
  latest: { from: number; to: number } | undefined;
  /** Headings that stay in view. */
  sticky: Sticky[];
  /** First and last row of the verdicts on a document. */
  verdicts: { from: number; to: number } | undefined;
  /** The position of the terminal's own cursor, for input methods and screen readers. */
  cursor: { row: number; column: number } | undefined;
}

export class BodyBuilder {
  readonly body: Body = {
    rows: [],
    focus: undefined,
    action: undefined,
    latest: undefined,
    sticky: [],
    verdicts: undefined,
    cursor: undefined,
  };

  add(rows: readonly Row[], isFocused = false): this {
    const from = this.body.rows.length;
    this.body.rows.push(...rows);
    if (isFocused && rows.length > 0) this.body.focus = { from, to: this.body.rows.length - 1 };
    return this;
  }

  /** Adds rows that must be visible together with the focused item. */
  addToFocus(rows: readonly Row[]): this {
    const { focus } = this.body;
    this.add(rows);
    if (focus !== undefined && rows.length > 0) this.body.focus = { ...focus, to: this.body.rows.length - 1 };
    return this;
  }

  /** An action, followed by an empty row. */
  addAction(rows: readonly Row[]): this {
    this.body.action = { from: this.body.rows.length, to: this.body.rows.length + rows.length - 1 };
    return this.add(rows).add([emptyRow]);
  }

  /** A document, whose headings stay in view. */
  addDocument({ rows, sticky }: DocumentLayout): this {
    const above = this.body.rows.length;
    this.body.sticky.push(...sticky.map(({ from, to, row }) => ({ from: above + from, to: above + to, row })));
    return this.add(rows);
  }

  /** What was added from this row on is a verdict. */
  addVerdict(from: number): void {
    this.body.verdicts = { from: this.body.verdicts?.from ?? from, to: this.body.rows.length - 1 };
  }

  /** A thread, message by message. */
  addThread(messages: readonly Row[][]): this {
    for (const rows of messages) {
      this.body.latest = { from: this.body.rows.length, to: this.body.rows.length + rows.length - 1 };
      this.add(rows);
    }
    return this;
  }

  /** A text field behind a mark; with `isActive`, the terminal's cursor is in it. */
  field({ rows, cursor }: EditorRows, mark: Span, isActive: boolean, isFocused: boolean): this {
    const from = this.body.rows.length;
    this.add(prefixed(rows, mark), isFocused);
    if (!isActive) return this;
    const row = from + cursor.row;
    this.body.cursor = { row, column: mark.text.length + cursor.column };
    this.body.focus = { from: row, to: row };
    return this;
  }
}

/** The first row to show so that the focus is visible, scrolling as little as possible; `scroll` is the user's own scroll position. */
export function topOf(body: Body, height: number, before: number, scroll: number | "thread" | undefined): number {
  const last = Math.max(0, body.rows.length - height);
  const limit = (top: number) => Math.min(last, Math.max(0, top));
  const inSight = scroll === "thread" ? (body.latest ?? body.focus) : body.focus;
  if (typeof scroll === "number" || inSight === undefined) return limit(typeof scroll === "number" ? scroll : before);
  const { from, to } = inSight;
  // If the item is higher than the screen, its beginning is shown.
  const top = limit(from < before ? from : Math.max(before, Math.min(from, to - height + 1)));
  // Keeps the text being typed in view.
  return body.cursor === undefined ? top : Math.max(body.cursor.row - height + 1, Math.min(top, body.cursor.row));
}
