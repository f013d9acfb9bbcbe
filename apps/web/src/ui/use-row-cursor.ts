/**
 * The cursor of a page's list: one row, by its id, which the focus, the preview and every key are about. The first row has it at once; when its
 * row leaves, the row that took the place; and it is still there when the page is shown again.
 */
import { createStore } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { useLayoutEffect, useRef } from "react";

import { isNowhere, isTouch, useKeys } from "./keyboard.ts";
import { pageState, useStored } from "./page-state.ts";

interface Place {
  id: string;
  /** In the list, for when the row leaves. */
  at: number;
}

const placesOn = pageState(() => createStore<Readonly<Partial<Record<string, Place>>>>({}));

interface RowCursor {
  /** Undefined without rows. */
  id: string | undefined;
  /** With `keepsFocus`, the focus is already in the row. */
  moveTo(id: string, options?: { keepsFocus?: boolean }): void;
}

/** The cursor of the list `name`, whose rows are elements with `data-peeked` where it is. While one is open, it is that one, and `goTo` opens another. */
export function useRowCursor(
  name: string,
  rows: readonly string[],
  open: { id?: string | undefined; goTo?(id: string): void } = {},
): RowCursor {
  const store = placesOn(useAskbox());
  const { [name]: before } = useStored(placesOn);
  const wanted = open.id ?? before?.id;
  const place = wanted === undefined ? -1 : rows.indexOf(wanted);
  const at = place === -1 ? Math.min(before?.at ?? 0, rows.length - 1) : place;
  const id = rows[at];
  useLayoutEffect(() => {
    if (id !== undefined && (before?.id !== id || before.at !== at)) store.setState({ ...store.getState(), [name]: { id, at } });
  });

  /** Whether the focus goes to the row whatever has it: after a key, when nothing is open any more, and when the page is first shown. */
  const moves = useRef(false);
  const isNew = useRef(true);
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isAsked = moves.current || wasOpen.current || (isNew.current && activeElement?.closest(".header") != null);
    moves.current = false;
    wasOpen.current = open.id !== undefined;
    if (id !== undefined) isNew.current = false;
    if (id === undefined || open.id !== undefined || isTouch() || document.querySelector("dialog[open]") !== null) return;
    const isElsewhere = !isNowhere(activeElement) && activeElement?.matches("[data-row]") !== true;
    if (isAsked || !isElsewhere) document.querySelector<HTMLElement>("[data-row][data-peeked]")?.focus({ preventScroll: !isAsked });
  });

  const moveTo = (to: string, { keepsFocus = false } = {}) => {
    moves.current = !keepsFocus;
    if (open.id !== undefined) open.goTo?.(to);
    else store.setState({ ...store.getState(), [name]: { id: to, at: rows.indexOf(to) } });
  };
  useKeys(({ is, key }) => {
    const isRow = open.id === undefined && (isNowhere(document.activeElement) || document.activeElement?.matches("[data-row]") === true);
    const step = is("down") || (isRow && key === "arrowdown") ? 1 : is("up") || (isRow && key === "arrowup") ? -1 : 0;
    const target = is("last") ? rows.at(-1) : is("first") ? rows[0] : step === 0 ? undefined : rows[at + step];
    if (target !== undefined) moveTo(target);
    return target !== undefined || step !== 0;
  });
  return { id, moveTo };
}
