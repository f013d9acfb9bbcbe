import type { KeyboardEvent } from "react";

type AnyKeyEvent = KeyboardEvent | globalThis.KeyboardEvent;

/** Whether an input method is composing: then Enter belongs to it. 229 is what older engines say on the last key. */
export function isComposing(event: AnyKeyEvent): boolean {
  const native = "nativeEvent" in event ? event.nativeEvent : event;
  return native.isComposing || native.keyCode === 229;
}

/** Whether a key goes into text. */
export function isTyping(event: AnyKeyEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["radio", "checkbox", "button", "submit"].includes(target.type);
}

export function hasModifier({ metaKey, ctrlKey, altKey }: AnyKeyEvent): boolean {
  return metaKey || ctrlKey || altKey;
}
