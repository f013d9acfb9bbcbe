import { Typing } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { useEffect } from "react";
import { isNowhere, isTouch, isTyping, takesText } from "./keyboard.ts";
import { pageState } from "./page-state.ts";

const homes = ["#session-title", ".list", "main"];

/** What has the focus then: the text field of the open question, its title, the row under the cursor, the list, or the page. */
function focusHome(): HTMLElement | undefined {
  const field = isTouch()
    ? null
    : document.querySelector(".session .fields:enabled .question:first-of-type :is(textarea, .line)[data-first]");
  const row = isTouch() ? null : document.querySelector(".list [data-peeked]");
  // Focusing a field would end the selection.
  const candidates = [getSelection()?.isCollapsed === false ? null : field, row, ...homes.map((home) => document.querySelector(home))];
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

const typingOn = pageState(({ clock }) => new Typing(clock));

/** When text was typed last on this page, while a component that asks for it is shown. */
export function useTyping(): Typing {
  const typing = typingOn(useAskbox());
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ([...event.key].length === 1 && (isTyping(event) || typing.isGoingOn)) typing.typed();
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [typing]);
  return typing;
}

/** The focus never falls to the page, where no key would do anything. */
export function FocusHome(): null {
  const { clock } = useAskbox();
  // From the beginning: what is typed before a question is open may be on its way when it opens.
  useTyping();
  useEffect(() => {
    let isPressed = false;
    let cancel = () => {};
    const bringBack = () => {
      if (!isPressed && isNowhere(document.activeElement) && document.querySelector("dialog[open]") === null) focusHome();
    };
    const soon = () => {
      cancel();
      cancel = clock.setTimer(0, bringBack);
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
      cancel();
      for (const name of names) removeEventListener(name, onPointer, true);
      removeEventListener("focusout", soon);
      removeEventListener("keydown", onKey, true);
    };
  }, [clock]);
  return null;
}
