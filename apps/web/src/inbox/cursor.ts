/**
 * The cursor of the list: one question, by its id, which the preview, the focus and every verb are about. While a question is open, it is that
 * one. When its row leaves, it goes to the row that took the place; when an action is undone, back to what it was about.
 */
import { type Askbox, createStore } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { isNowhere, isTouch } from "../ui/keyboard.ts";
import { pageState, useStored } from "../ui/page-state.ts";

interface Cursor {
  /** Undefined until there is a row. */
  id: string | undefined;
  /** Its place in the list, for when its row leaves. */
  at: number;
  /** Where it goes as soon as that has a row, unless it is moved before. */
  awaited: string | undefined;
}

const cursorOn = pageState(() => createStore<Cursor>({ id: undefined, at: 0, awaited: undefined }));

/** The question under the cursor. */
export const useCursor = (): string | undefined => useStored(cursorOn).id;
export const cursorOf = (page: Askbox): string | undefined => cursorOn(page).getState().id;

/** Moves the cursor. */
export function setCursor(page: Askbox, id: string): void {
  const store = cursorOn(page);
  if (store.getState().id !== id) store.setState({ ...store.getState(), id, awaited: undefined });
}

/** Moves the cursor to the first row. */
export const resetCursor = (page: Askbox): void => cursorOn(page).setState({ id: undefined, at: 0, awaited: undefined });

/** Moves the cursor to a question whose row comes back, as soon as it has. */
export function awaitRow(page: Askbox, id: string | undefined): void {
  const store = cursorOn(page);
  store.setState({ ...store.getState(), awaited: id });
}

interface CursorOptions {
  list: RefObject<HTMLElement | null>;
  /** All that are shown, in their order. */
  rows: readonly string[];
  /** What was answered or declined here and can be undone: it comes back to the cursor. */
  hidden: ReadonlySet<string>;
  /** Whether these are all: the first rows to arrive need not stay the first. */
  isReady: boolean;
  openId: string | undefined;
  /** Whether a dialog is about the row. */
  hasDialog: boolean;
}

export interface ListCursor {
  /** Undefined without rows. */
  id: string | undefined;
  /** Moves it, and the focus with it. */
  moveTo(id: string): void;
  /** Gives its row the focus. */
  focus(): void;
}

/** Keeps the cursor on one of the rows, and the focus on it, unless something else was given that. */
export function useListCursor({ list, rows, hidden, isReady, openId, hasDialog }: CursorOptions): ListCursor {
  const page = useAskbox();
  const store = cursorOn(page);
  const { id, at, awaited } = useStored(cursorOn);
  const isBack = awaited !== undefined && rows.includes(awaited);
  const wanted = isBack ? awaited : (openId ?? id);
  const place = wanted === undefined ? -1 : rows.indexOf(wanted);
  const next = place === -1 ? Math.min(at, rows.length - 1) : place;
  const under = rows[next];
  useLayoutEffect(() => {
    if (!isReady) return;
    const before = store.getState();
    const at = under === undefined ? before.at : next;
    if (before.id !== under || before.at !== at || isBack) store.setState({ id: under, at, awaited: isBack ? undefined : before.awaited });
  }, [store, isReady, under, next, isBack]);

  const wereHidden = useRef(hidden);
  useLayoutEffect(() => {
    const back = [...wereHidden.current].find((id) => !hidden.has(id) && page.inbox.getState().pending.has(id));
    wereHidden.current = hidden;
    if (back !== undefined) awaitRow(page, back);
  }, [page, hidden]);

  const focus = (options?: FocusOptions) => list.current?.querySelector<HTMLElement>("[data-peeked]")?.focus(options);
  const moves = useRef(false);
  const hadDialog = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isAsked = moves.current || (hadDialog.current && !hasDialog);
    moves.current = false;
    hadDialog.current = hasDialog;
    if (under === undefined || openId !== undefined || hasDialog || isTouch()) return;
    if (isAsked || activeElement?.matches("[data-session]") === true) focus();
    else if (isNowhere(activeElement)) focus({ preventScroll: true });
  });
  return {
    id: under,
    focus,
    moveTo(to) {
      moves.current = true;
      setCursor(page, to);
    },
  };
}
