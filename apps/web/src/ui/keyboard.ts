/** Keys: their names in the keymap, and whether a text field, an input method or a dialog takes them first. */
import { type KeyActionName, keymapWith, webActions } from "@askbox/inbox/commands";
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useEffectEvent } from "react";

type AnyKeyEvent = ReactKeyboardEvent | KeyboardEvent;

/** Whether an input method is composing, which uses Enter itself. Older engines report 229 for the last key. */
export function isComposing(event: AnyKeyEvent): boolean {
  const native = "nativeEvent" in event ? event.nativeEvent : event;
  return native.isComposing || native.keyCode === 229;
}

/** Whether what is typed goes into this element. */
export function takesText(element: EventTarget | null): boolean {
  if (!(element instanceof HTMLElement)) return false;
  if (element.isContentEditable || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) return true;
  return element instanceof HTMLInputElement && !["radio", "checkbox", "button", "submit"].includes(element.type);
}

/** Whether a key is typed into a text field. */
export const isTyping = ({ target }: AnyKeyEvent): boolean => takesText(target);

/** Whether the page is used with fingers: a text field with the focus covers half of it with a keyboard. */
export const isTouch = (): boolean => matchMedia("(pointer: coarse)").matches;

/** Whether nothing has the focus that a person could mean: after a click beside everything, or when what had it is gone. */
export const isNowhere = (element: EventTarget | null): boolean =>
  element === null || element === document.body || (element as Element).matches("#detail, main, .list");

/** The key's name in the keymap. A letter is the same with Shift or Caps Lock. */
export function keyOf(event: AnyKeyEvent): string {
  const { key, altKey, ctrlKey, metaKey } = event;
  const name = key === " " ? "space" : key.toLowerCase();
  return `${ctrlKey || metaKey ? "ctrl+" : ""}${altKey ? "alt+" : ""}${name}`;
}

/** Whether the element handles Enter itself. */
export function isControl(element: Element | null): boolean {
  return element?.matches("a, button:not(.handle), input, select, summary, textarea") === true;
}

/** The page's keymap, which the help lists. */
export const { keymap } = keymapWith(webActions);

/** A key outside dialogs that isn't typed into a text field. */
interface Press {
  key: string;
  is(action: KeyActionName): boolean;
  event: KeyboardEvent;
}

/** Calls the handler for each key; it returns true if it handled the key. */
export function useKeys(handler: (press: Press) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isComposing(event)) return;
    const key = keyOf(event);
    // In a text field, only keys that type nothing are shortcuts. Enter and Escape belong to the field and its form.
    if (isTyping(event) && !/^alt\+/.test(key)) return;
    // Last, since it looks through the whole page.
    if (document.querySelector("dialog[open]") !== null) return;
    if (handler({ key, event, is: (action) => keymap.is(key, action) || (event.shiftKey && keymap.is(`shift+${key}`, action)) }))
      event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
