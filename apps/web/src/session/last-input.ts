import { useAskbox } from "@askbox/react";
import { type KeyboardEvent, type MouseEvent, useRef } from "react";
import { placeOf } from "../ui/focus-place.ts";
import { lastPickOn } from "./send-on-pick.ts";

/** How a form was used last, for which its own events don't tell. Spread `capture` on the form. */
export function useLastInput() {
  const lastPick = lastPickOn(useAskbox());
  /** Whether a button was clicked with a pointer: Enter in a field also clicks it. */
  const isClicked = useRef(false);
  /** Whether an arrow key moves in a group, and selects each radio on the way. */
  const isMoving = useRef(false);
  const capture = {
    onKeyDownCapture(event: KeyboardEvent) {
      isMoving.current = event.key.startsWith("Arrow");
      // A held key would press one button after the other.
      isClicked.current = false;
      const isNewline = placeOf(event.target as Element) === "lines" && !event.ctrlKey && !event.metaKey;
      if (event.repeat && event.key === "Enter" && !isNewline) stop(event);
    },
    onPointerDownCapture() {
      isMoving.current = false;
    },
    onClickCapture(event: MouseEvent) {
      isClicked.current = event.detail > 0;
      if (lastPick.isSecondClick(event)) stop(event);
    },
  };
  return { isClicked, isMoving, capture };
}

function stop(event: KeyboardEvent | MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
