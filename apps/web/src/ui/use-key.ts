import { useEffect, useEffectEvent } from "react";
import { hasModifier, isComposing, isTyping } from "./keyboard.ts";

/** Single keys, outside text and dialogs; a handler that returns true has used the key. */
export function useKeys(handler: (key: string, event: KeyboardEvent) => boolean): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || hasModifier(event) || isComposing(event) || isTyping(event)) return;
    if (document.querySelector("dialog[open]") !== null) return;
    if (handler(event.key, event)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
