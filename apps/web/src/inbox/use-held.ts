import { useAskbox } from "@askbox/react";
import { useEffect, useRef, useState } from "react";

/** What was shown when the pointer was pressed, until it is released: nothing moves under a pointer that is about to click. */
export function useHeld<Value>(value: Value): { held: Value; press(): void } {
  const { clock } = useAskbox();
  const [isPressed, setPressed] = useState(false);
  const shown = useRef(value);
  if (!isPressed) shown.current = value;
  useEffect(() => {
    if (!isPressed) return;
    // The click comes after the release.
    const release = () => void clock.setTimer(0, () => setPressed(false));
    addEventListener("pointerup", release);
    addEventListener("pointercancel", release);
    return () => {
      removeEventListener("pointerup", release);
      removeEventListener("pointercancel", release);
    };
  }, [isPressed, clock]);
  return { held: shown.current, press: () => setPressed(true) };
}
