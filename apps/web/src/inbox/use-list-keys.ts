import { type KeyboardEvent, type RefObject, useRef } from "react";
import { navigate, sessionPath } from "../router/router.tsx";
import { isControl, useKeys } from "../ui/keyboard.ts";

interface ListKeysOptions {
  list: RefObject<HTMLElement | null>;
  search: RefObject<HTMLInputElement | null>;
  openId: string | undefined;
  /** A keyboard action for the question under the cursor, or undefined if there is none. Returns whether it did anything. */
  act: Readonly<Record<ListAct, (id: string | undefined) => boolean>>;
}

type ListAct = "select" | "snooze" | "cancel" | "undo" | "back";
const acts: readonly ListAct[] = ["select", "snooze", "cancel", "undo", "back"];
/** While a question is open, these keys apply to it. */
const ofTheForm: ReadonlySet<ListAct> = new Set(["cancel", "undo", "back"]);

interface ListKeys {
  onKeyDown(event: KeyboardEvent): void;
  onFocus(): void;
  /** Moves the cursor to the first row. */
  toFirst(): void;
  openFirst(): void;
}

/** The keys of the list. The cursor is the focused row, or the open question. */
export function useListKeys({ list, search, openId, act }: ListKeysOptions): ListKeys {
  const lastAt = useRef(-1);
  const rows = () => [...(list.current?.querySelectorAll<HTMLElement>("[data-session]") ?? [])];
  const cursor = (all: readonly HTMLElement[]) => {
    const focused = all.findIndex((row) => row.closest("li")?.contains(document.activeElement));
    return focused === -1 ? all.findIndex(({ dataset }) => dataset["session"] === openId) : focused;
  };
  const move = (step: 1 | -1): boolean => {
    const all = rows();
    const at = cursor(all);
    // Without a cursor, continues from its last position, where the next row has taken the place of one that is gone.
    const from = at === -1 ? lastAt.current - (step === 1 ? 1 : 0) : at;
    const target = all[Math.min(Math.max(0, from + step), all.length - 1)];
    if (target === undefined || (step === 1 && at === all.length - 1)) return false;
    if (openId === undefined) target.focus();
    else navigate(sessionPath(target.dataset["session"] ?? ""), { passes: true });
    return true;
  };

  useKeys(({ is }) => {
    const all = rows();
    const at = cursor(all);
    const id = all[at]?.dataset["session"] ?? openId;
    if (is("search")) search.current?.focus();
    else if (is("down") || is("up")) return move(is("down") ? 1 : -1);
    else if (is("open") && openId === undefined && !isControl(document.activeElement)) return open(all[0]);
    else {
      const wanted = acts.find((each) => is(each) && (openId === undefined || !ofTheForm.has(each)));
      return wanted !== undefined && act[wanted](id);
    }
    return true;
  });

  return {
    toFirst: () => rows()[0]?.focus(),
    openFirst: () => void open(rows()[0]),
    onFocus() {
      lastAt.current = cursor(rows());
    },
    onKeyDown(event) {
      const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
      if (step === undefined || !(event.target instanceof HTMLElement) || !event.target.matches("[data-session]")) return;
      event.preventDefault();
      const all = rows();
      const target = all[all.indexOf(event.target) + step];
      if (target !== undefined) target.focus();
      else if (step === -1) search.current?.focus();
    },
  };
}

function open(row: HTMLElement | undefined): boolean {
  if (row === undefined) return false;
  navigate(sessionPath(row.dataset["session"] ?? ""));
  return true;
}
