/** What keys are called, and pressing one for those who chose it by name. */
import type { WebKeyAction } from "@askbox/inbox/commands";
import { keymap } from "./keyboard.ts";

/** A key as labelled on keyboards: `Ctrl Enter`, `Alt r`. */
export const keyLabel = (key: string): string =>
  key
    .replace("escape", "esc")
    .replace(/down$/, "↓")
    .replace(/up$/, "↑")
    .split("+")
    .map((part) => (part.length > 1 ? part.slice(0, 1).toUpperCase() + part.slice(1) : part))
    .join(" ");

/** Does what an action's key does, whatever has the focus: outside of what takes text, and of what counts as nothing. */
export function pressKey(action: WebKeyAction): void {
  const [name = ""] = keymap.keysOf(action);
  const key = name.replace(/^shift\+/, "");
  const shiftKey = key !== name;
  const event = new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true });
  document.querySelector(".header")?.dispatchEvent(event);
}
