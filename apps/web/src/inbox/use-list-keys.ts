import type { KeyboardEvent, RefObject } from "react";
import { navigate, sessionPath } from "../router/router.tsx";
import { isControl, useKeys } from "../ui/keyboard.ts";
import type { ListCursor } from "../ui/list-cursor.ts";

interface ListKeysOptions {
  search: RefObject<HTMLInputElement | null>;
  rows: readonly string[];
  cursor: ListCursor;
  openId: string | undefined;
  /** Selects the rows from one to another as well, or no longer. */
  extend(from: string, to: string): void;
  /** A keyboard action for the question under the cursor, or undefined if there is none. Returns whether it did anything. */
  act: Readonly<Record<ListAct, (id: string | undefined) => boolean>>;
}

type ListAct = "select" | "snooze" | "cancel" | "undo" | "back";
const acts: readonly ListAct[] = ["select", "snooze", "cancel", "undo", "back"];
/** While a question is open, these keys apply to it. */
const ofTheForm: ReadonlySet<ListAct> = new Set(["cancel", "undo", "back"]);

interface ListKeys {
  /** The keys of a row that has the focus. */
  onKeyDown(event: KeyboardEvent): void;
  /** The keys of the search field. */
  onSearchKey(key: "Enter" | "ArrowDown" | "Escape"): void;
}

/** The keys of the list, which are about the question under the cursor. */
export function useListKeys({ search, rows, cursor, openId, extend, act }: ListKeysOptions): ListKeys {
  const at = cursor.id === undefined ? -1 : rows.indexOf(cursor.id);
  const goTo = (id: string) => (openId === undefined ? cursor.moveTo(id) : navigate(sessionPath(id), { passes: true }));
  /** Whether there is a row to go to. */
  const move = (step: 1 | -1): boolean => {
    // The row under the cursor has taken the place of an open question that is gone.
    const isNext = openId !== undefined && openId !== cursor.id && step === 1;
    const target = rows[isNext ? at : Math.max(0, at + step)];
    if (target !== undefined) goTo(target);
    return target !== undefined;
  };
  const select = (step: 1 | -1): boolean => {
    const target = rows[at + step];
    if (cursor.id === undefined || target === undefined) return false;
    extend(cursor.id, target);
    cursor.moveTo(target);
    return true;
  };
  const open = (): boolean => {
    if (cursor.id !== undefined) navigate(sessionPath(cursor.id));
    return cursor.id !== undefined;
  };

  useKeys(({ is }) => {
    const isList = openId === undefined;
    const end = is("last") ? rows.at(-1) : is("first") ? rows[0] : undefined;
    if (is("search")) search.current?.focus();
    else if (isList && (is("selectDown") || is("selectUp"))) return select(is("selectDown") ? 1 : -1);
    else if (is("down") || is("up")) return move(is("down") ? 1 : -1);
    else if (isList && end !== undefined) goTo(end);
    else if (isList && is("open") && !isControl(document.activeElement)) return open();
    else {
      const wanted = acts.find((each) => is(each) && (isList || !ofTheForm.has(each)));
      return wanted !== undefined && act[wanted](openId ?? cursor.id);
    }
    return true;
  });

  return {
    onSearchKey(key) {
      if (key === "Enter") open();
      else if (key === "ArrowDown") cursor.focus();
      else search.current?.blur();
    },
    onKeyDown(event) {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
      if (step === undefined || !(event.target as Element).matches("[data-session]")) return;
      event.preventDefault();
      if (event.shiftKey) select(step);
      else if (at + step < 0) search.current?.focus();
      else if (rows[at + step] !== undefined) cursor.moveTo(rows[at + step] ?? "");
    },
  };
}
