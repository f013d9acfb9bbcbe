import type { KeyboardEvent } from "react";

type AnyKeyEvent = KeyboardEvent | globalThis.KeyboardEvent;

/** Whether an input method is composing, which uses Enter itself. Older engines report 229 for the last key. */
export function isComposing(event: AnyKeyEvent): boolean {
  const native = "nativeEvent" in event ? event.nativeEvent : event;
  return native.isComposing || native.keyCode === 229;
}

/** Whether a key is typed into a text field. */
export function isTyping(event: AnyKeyEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["radio", "checkbox", "button", "submit"].includes(target.type);
}

/** The key's name in the keymap. A letter is the same with Shift or Caps Lock. */
export function keyOf(event: AnyKeyEvent): string {
  const { key, altKey, ctrlKey, metaKey } = event;
  const name = key === " " ? "space" : key.toLowerCase();
  return `${ctrlKey || metaKey ? "ctrl+" : ""}${altKey ? "alt+" : ""}${name}`;
}

/** Whether the element handles Enter itself. */
export function isControl(element: Element | null): boolean {
  return element?.matches("a, button, input, select, summary, textarea") === true;
}

/** The field of an open question with a typed answer. */
export function openText(): HTMLElement | null {
  return document.querySelector<HTMLElement>(".session .fields:enabled :is(textarea, .line)[data-first]");
}
