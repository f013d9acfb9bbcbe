import type { KeyboardEvent } from "react";
import { placeOf } from "../ui/focus-place.ts";
import { isComposing } from "../ui/keyboard.ts";

/** Enter in a text field of an answer: continues, and finally sends, but never an empty field; with Shift it adds a line. */
export function onEnter(event: KeyboardEvent<HTMLTextAreaElement | HTMLInputElement>): void {
  const { key, shiftKey, ctrlKey, metaKey, altKey, currentTarget } = event;
  if (key !== "Enter" || shiftKey || ctrlKey || metaKey || altKey || isComposing(event)) return;
  const isLine = placeOf(currentTarget) === "line";
  if (isLine || currentTarget instanceof HTMLInputElement) event.preventDefault();
  if (isLine) currentTarget.form?.requestSubmit();
}
