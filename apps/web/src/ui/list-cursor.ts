/**
 * The cursor of a list: one row, by its id, which the preview, the focus and every key are about. While one is open, it is that one. The first
 * row has it at once; when its row leaves, the row that takes the place has it, and when an action is undone, what that was about. It is still
 * there when the page is shown again. Keys move it, and a press that opens or focuses a row; the pointer alone never does.
 */
import { type Askbox, createStore } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { useLayoutEffect, useRef } from "react";
import { isNowhere, isTouch, useKeys } from "./keyboard.ts";
import { pageState, useStored } from "./page-state.ts";

interface Place {
  /** Undefined until there is a row. */
  id: string | undefined;
  /** Its place in the list, for when its row leaves. */
  at: number;
  /** Where it goes as soon as that has a row, unless it is moved before. */
  awaited: string | undefined;
}

type ListName = "inbox" | "history" | "agents" | "ran";
const first: Place = { id: undefined, at: 0, awaited: undefined };
const placesOn = pageState(() =>
  createStore<Readonly<Record<ListName, Place>>>({ inbox: first, history: first, agents: first, ran: first }),
);

function change(page: Askbox, name: ListName, part: Partial<Place>): void {
  const store = placesOn(page);
  const places = store.getState();
  store.setState({ ...places, [name]: { ...places[name], ...part } });
}

/** The row under the cursor. */
export const useCursor = (name: ListName): string | undefined => useStored(placesOn)[name].id;

/** Moves the cursor to a row that has the focus already. */
export function setCursor(page: Askbox, name: ListName, id: string): void {
  if (placesOn(page).getState()[name].id !== id) change(page, name, { id, awaited: undefined });
}

/** Moves the cursor to the first row. */
export const resetCursor = (page: Askbox, name: ListName): void => change(page, name, first);

/** Moves the cursor to what comes back, as soon as it has a row. */
export const awaitRow = (page: Askbox, name: ListName, id: string | undefined): void => change(page, name, { awaited: id });

interface CursorOptions {
  /** The ids of all that are shown, in their order. */
  rows: readonly string[];
  /** Whether these are all: the first rows to arrive need not stay the first. */
  isReady?: boolean;
  openId?: string | undefined;
}

export interface ListCursor {
  /** Undefined without rows. */
  id: string | undefined;
  /** Moves it, and the focus with it. */
  moveTo(id: string): void;
  /** Gives its row the focus. */
  focus(): void;
}

/** Keeps the cursor on one of the rows, which have `data-peeked` where it is, and the focus on it, unless something else was given that. */
export function useListCursor(name: ListName, { rows, isReady = true, openId }: CursorOptions): ListCursor {
  const page = useAskbox();
  const { id, at, awaited } = useStored(placesOn)[name];
  const isBack = awaited !== undefined && rows.includes(awaited);
  const wanted = isBack ? awaited : (openId ?? id);
  const place = wanted === undefined ? -1 : rows.indexOf(wanted);
  const next = place === -1 ? Math.min(at, rows.length - 1) : place;
  const under = rows[next];
  useLayoutEffect(() => {
    if (isReady && (id !== under || (under !== undefined && at !== next) || isBack))
      change(page, name, { id: under, ...(under !== undefined && { at: next }), ...(isBack && { awaited: undefined }) });
  });

  const focus = (options?: FocusOptions) => document.querySelector<HTMLElement>(`${anyRow}[data-peeked]`)?.focus(options);
  /** Whether the row gets the focus whatever has it: after a key, and when a dialog or what was open is closed. */
  const moves = useRef(false);
  const before = useRef({ hasDialog: false, isOpen: false, isNew: true });
  useLayoutEffect(() => {
    const { activeElement } = document;
    const hasDialog = document.querySelector("dialog[open]") !== null;
    const isOpen = openId !== undefined;
    const { hasDialog: hadDialog, isOpen: wasOpen, isNew } = before.current;
    // The page was reached by a link of the header.
    const isReached = isNew && activeElement?.closest("nav") != null;
    const isAsked = moves.current || (hadDialog && !hasDialog) || (wasOpen && !isOpen) || isReached;
    moves.current = false;
    before.current = { hasDialog, isOpen, isNew: under === undefined };
    if (under === undefined || isOpen || hasDialog || isTouch()) return;
    if (isAsked || activeElement?.matches(anyRow) === true) focus();
    else if (isNowhere(activeElement)) focus({ preventScroll: true });
  });
  return {
    id: under,
    focus,
    moveTo(to) {
      moves.current = true;
      setCursor(page, name, to);
    },
  };
}

const anyRow = ":is([data-session], [data-row])";

/** The same with the keys that move it; while one is open, `goTo` opens another. */
export function useRowCursor(
  name: ListName,
  rows: readonly string[],
  open: { id?: string | undefined; goTo?(id: string): void } = {},
): ListCursor {
  const cursor = useListCursor(name, { rows, openId: open.id });
  const at = cursor.id === undefined ? -1 : rows.indexOf(cursor.id);
  useKeys(({ is, key }) => {
    const { activeElement } = document;
    const isRow = open.id === undefined && (isNowhere(activeElement) || activeElement?.matches(anyRow) === true);
    const step = is("down") || (isRow && key === "arrowdown") ? 1 : is("up") || (isRow && key === "arrowup") ? -1 : 0;
    const target = is("last") ? rows.at(-1) : is("first") ? rows[0] : step === 0 ? undefined : rows[at + step];
    if (target !== undefined) (open.id === undefined ? cursor.moveTo : open.goTo)?.(target);
    return target !== undefined || step !== 0;
  });
  return cursor;
}
