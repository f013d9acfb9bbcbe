import { type KeyActionName, keymapWith, webActions } from "@askbox/inbox/commands";
import { useEffect, useEffectEvent } from "react";
import { isComposing, isTyping, keyOf } from "./keyboard.ts";

/** The page's keymap, which the help lists. */
export const { keymap } = keymapWith(webActions);

/** A key outside dialogs that isn't typed into a text field. */
export interface Press {
  key: string;
  is(action: KeyActionName): boolean;
  event: KeyboardEvent;
}

/** Calls the handler for each key; it returns true if it handled the key. */
export function useKeys(handler: (press: Press) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector("dialog[open]") !== null) return;
    const key = keyOf(event);
    // In a text field, only keys that type nothing are shortcuts. Enter and Escape belong to the field and its form.
    if (isTyping(event) && !/^alt\+/.test(key)) return;
    if (handler({ key, event, is: (action) => keymap.is(key, action) || (event.shiftKey && keymap.is(`shift+${key}`, action)) }))
      event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
