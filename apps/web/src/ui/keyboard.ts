import type { KeyboardEvent } from "react";

type AnyKeyEvent = KeyboardEvent | globalThis.KeyboardEvent;

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
