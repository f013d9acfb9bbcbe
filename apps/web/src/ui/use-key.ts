import { type KeyActionName, keymapWith, webActions } from "@askbox/react/keymap";
import { useEffect, useEffectEvent } from "react";
import { isComposing, isTyping, keyOf, openText } from "./keyboard.ts";

/** The keys of the page; help lists them. */
export const { keymap } = keymapWith(webActions);

/** A key outside of dialogs, unless it is text. */
export interface Press {
  key: string;
  is(action: KeyActionName): boolean;
  event: KeyboardEvent;
}

/** Calls the handler for each key; one that returns true has used it. */
export function useKeys(handler: (press: Press) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event) || document.querySelector("dialog[open]") !== null) return;
    const key = keyOf(event);
    // In a text only what types nothing is a shortcut. Enter and Escape belong to the field and its form.
    if (isTyping(event) && !/^alt\+/.test(key)) return;
    if (isMeantForText(event, key)) return openText()?.focus();
    if (handler({ key, event, is: (action) => keymap.is(key, action) || (event.shiftKey && keymap.is(`shift+${key}`, action)) }))
      event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}

/** Whether a letter comes while a question is answered by typing and nothing has the focus: then the field gets it. */
function isMeantForText(event: KeyboardEvent, key: string): boolean {
  return event.target === document.body && [...key].length === 1 && openText() !== null;
}
