import { useEffect } from "react";
import { isTouch, takesText } from "./keyboard.ts";

/** Whether nothing has the focus that a person could mean: after a click beside everything, or when what had it is gone. */
export const isNowhere = (element: EventTarget | null): boolean =>
  element === null || element === document.body || (element as Element).matches("#detail, main, .list");

const homes = ["#session-title", ".list", "main"];

/** What has the focus then: the text field of the open question, its title, the list, or the page. */
export function focusHome(): HTMLElement | undefined {
  const field = isTouch()
    ? null
    : document.querySelector(".session .fields:enabled .question:first-of-type :is(textarea, .line)[data-first]");
  // Focusing a field would end the selection.
  const candidates = [getSelection()?.isCollapsed === false ? null : field, ...homes.map((home) => document.querySelector(home))];
  return candidates.find((each): each is HTMLElement => each instanceof HTMLElement && takesFocus(each));
}

function takesFocus(element: HTMLElement): boolean {
  if (!takesText(element) && element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

/** A letter goes to the field of a question with a typed answer, if nothing has the focus. */
function onKey(event: KeyboardEvent): void {
  const isLetter = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isLetter || !isNowhere(event.target) || document.querySelector("dialog[open]") !== null) return;
  if (takesText(focusHome() ?? null)) event.stopImmediatePropagation();
}

/** The focus never falls to the page, where no key would do anything. */
export function FocusHome(): null {
  useEffect(() => {
    let isPressed = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (!isPressed && isNowhere(document.activeElement) && document.querySelector("dialog[open]") === null) focusHome();
    };
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(look);
    };
    const onPointer = ({ type }: Event) => {
      isPressed = type === "pointerdown";
      if (!isPressed) soon();
    };
    // What is removed or disabled loses the focus without an event.
    const changes = new MutationObserver(soon);
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled", "hidden", "open"] });
    const names = ["pointerdown", "pointerup", "pointercancel"];
    for (const name of names) addEventListener(name, onPointer, true);
    addEventListener("focusout", soon);
    addEventListener("keydown", onKey, true);
    soon();
    return () => {
      changes.disconnect();
      clearTimeout(timer);
      for (const name of names) removeEventListener(name, onPointer, true);
      removeEventListener("focusout", soon);
      removeEventListener("keydown", onKey, true);
    };
  }, []);
  return null;
}
