import { type KeyActionName, typingKey } from "@askbox/inbox/commands";
import { useAskbox } from "@askbox/react";
import { createContext, useContext, useSyncExternalStore } from "react";
import { isTouch, keymap, takesText } from "./keyboard.ts";
import { pageState } from "./page-state.ts";

/**
 * What has the focus, as far as keys depend on it:
 * - `page`: letters are shortcuts, and Enter continues;
 * - `control` and `row`: letters are shortcuts, and Enter is the control's own, or opens the row's question;
 * - `document`: some letters are the document's own, as Enter is; the others are shortcuts;
 * - `line` and `lines`: letters are typed, and Enter continues or adds a line;
 * - `elsewhere`: a text field that isn't part of the answer, and uses Enter itself.
 */
type FocusPlace = "page" | "control" | "row" | "document" | "line" | "lines" | "elsewhere";

/** Ranks are changed with arrows and digits; Enter does nothing there by itself. */
const controls = "a, button:not([type=submit], .handle), summary";

export function placeOf(element: Element | null): FocusPlace {
  if (element === null) return "page";
  if (element.matches("[data-session]")) return "row";
  if (element.matches("[data-takes]")) return "document";
  if (!takesText(element)) return element.matches(controls) ? "control" : "page";
  if (element.closest(".session, .row-card") === null || element.matches("[data-own-keys]")) return "elsewhere";
  const isSkippable = element.getAttribute("aria-required") !== "true" && (element as HTMLInputElement).value?.trim() === "";
  // Nothing is sent by Enter in an empty field. A phone's keyboard has no other key for a new line.
  if (isSkippable || element.matches("select")) return "lines";
  return element.matches("input") || (element.matches("[data-enter]") && !isTouch()) ? "line" : "lines";
}

/** Whether letters are typed there. */
const isTypedAt = (place: FocusPlace): boolean => place === "line" || place === "lines" || place === "elsewhere";

const enters: Partial<Record<KeyActionName, Partial<Record<FocusPlace, string>>>> = {
  confirm: { page: "enter", line: "enter", lines: "ctrl+enter", control: "ctrl+enter", row: "ctrl+enter", document: "ctrl+enter" },
  open: { page: "enter", row: "enter" },
};

/** The keys that a document takes while it has the focus, once its code is loaded. */
export const documentKeys = new Set<string>();
const isTakenBy = (place: FocusPlace, key: string): boolean => place === "document" && documentKeys.has(key);

/** Whether a text field would take this key there. */
export const isTypedInto = (place: FocusPlace, key: string): boolean => isTypedAt(place) && !/^(ctrl|alt)\+|^(enter|escape)$/.test(key);

/** Whether one of an action's keys works while the focus is there. */
export function worksAt(place: FocusPlace, action: KeyActionName, key: string): boolean {
  if (isTakenBy(place, key)) return false;
  if (enters[action] === undefined || key === "ctrl+enter")
    return !isTypedInto(place, key) && (key !== "ctrl+enter" || place !== "elsewhere");
  return keyAt(place, action) === key;
}

/** The key that does this while the focus is there; empty if there is none. Buttons and the help show it. */
export function keyAt(place: FocusPlace, action: KeyActionName): string {
  const own = enters[action];
  if (own !== undefined) return own[place] ?? "";
  if (isTypedAt(place)) return typingKey(keymap, action);
  return keymap.keysOf(action).find((key) => !isTakenBy(place, key)) ?? "";
}

/** Where the focus is on a page. */
export const focusPlaceOn = pageState(({ clock }) => {
  let present: FocusPlace = "page";
  /** The last one outside any dialog. */
  let behind: FocusPlace = "page";
  let isPressed = false;
  const listeners = new Set<() => void>();

  const note = (): void => {
    // A button doesn't move between the press and the release of the pointer, nor while an answer is sent: then no key does anything.
    if (isPressed || document.querySelector("[data-sending]") !== null) return;
    const { activeElement } = document;
    const next = placeOf(activeElement);
    const isInDialog = activeElement?.closest("dialog") != null;
    if (next === present && (isInDialog || next === behind)) return;
    present = next;
    if (!isInDialog) behind = next;
    for (const listener of [...listeners]) listener();
  };
  const soon = () => void clock.setTimer(0, note);
  const onPointer = ({ type }: Event) => {
    isPressed = type === "pointerdown";
    if (!isPressed) soon();
  };
  const sources = { focusin: note, focusout: soon, input: note, pointerdown: onPointer, pointerup: onPointer, pointercancel: onPointer };

  return {
    /** Makes the hints those of what has the focus now. */
    note,
    present: () => present,
    behind: () => behind,
    subscribe(listener: () => void): () => void {
      if (listeners.size === 0) {
        for (const [name, source] of Object.entries(sources)) document.addEventListener(name, source, true);
        present = behind = placeOf(document.activeElement);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) for (const [name, source] of Object.entries(sources)) document.removeEventListener(name, source, true);
      };
    },
  };
});

/** Whether this is in a dialog: what lies behind one keeps its hints, since none of its keys work until it is closed. */
export const InDialog = createContext(false);

/** Where the focus is. */
export function useFocusPlace(): FocusPlace {
  const { subscribe, present, behind } = focusPlaceOn(useAskbox());
  return useSyncExternalStore(subscribe, useContext(InDialog) ? present : behind);
}
