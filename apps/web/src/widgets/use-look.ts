import { ActionLook, type AnswerForm } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { createContext, type RefObject, useEffect, useState } from "react";
import { useTyping } from "../ui/focus-home.ts";

/** Whether a question's action was seen whole, so that it can be allowed; tells the person if not. */
export const LookContext = createContext<(questionId: string) => boolean>(() => false);

/** What was seen of the actions below `root`, of a form. The returned function measures what is in view, and has the result. */
export function useLook(root: RefObject<HTMLElement | null>, form: AnswerForm): () => ActionLook {
  const { clock } = useAskbox();
  const typing = useTyping();
  const [look] = useState(() => new ActionLook(clock, typing));
  const measured = () => {
    const { session, fields } = form.getState();
    look.open(session.id);
    if (document.visibilityState === "visible")
      // By its class, which browsers keep a list of: this is done at each scroll, also in a review of thousands of lines.
      for (const action of root.current?.getElementsByClassName("action") ?? [])
        if (action instanceof HTMLElement) measure(look, action, fields[action.dataset["action"] ?? ""]?.input);
    return look;
  };
  useEffect(() => {
    const onChange = () => void measured();
    const onReturn = () => {
      look.appear();
      measured();
    };
    // It reports the present size, too.
    const sizes = new ResizeObserver(onChange);
    if (root.current !== null) sizes.observe(root.current);
    document.addEventListener("scroll", onChange, { capture: true, passive: true });
    document.addEventListener("visibilitychange", onReturn);
    addEventListener("resize", onChange);
    // It zooms and moves within the window.
    visualViewport?.addEventListener("resize", onChange);
    visualViewport?.addEventListener("scroll", onChange);
    addEventListener("focus", onReturn);
    return () => {
      sizes.disconnect();
      document.removeEventListener("scroll", onChange, { capture: true });
      document.removeEventListener("visibilitychange", onReturn);
      removeEventListener("resize", onChange);
      visualViewport?.removeEventListener("resize", onChange);
      visualViewport?.removeEventListener("scroll", onChange);
      removeEventListener("focus", onReturn);
    };
  });
  return measured;
}

function measure(look: ActionLook, action: HTMLElement, version: string | undefined): void {
  const { top, bottom } = action.getBoundingClientRect();
  // Smaller than the window in a page that is zoomed in, and above a keyboard on the screen.
  const { offsetTop, height } = visualViewport ?? { offsetTop: 0, height: innerHeight };
  const isWithin = (y: number) => y > offsetTop && y < offsetTop + height;
  const isInView = bottom > offsetTop && top < offsetTop + height;
  // Changed arguments are below the action, in a field that scrolls if they are long.
  const edited = action.closest(".approval")?.querySelector("[data-arguments]");
  const end = edited ?? action;
  const box = end.getBoundingClientRect();
  const isScrolled = !edited || edited.scrollTop + edited.clientHeight >= edited.scrollHeight - 2;
  // What is covered, such as by the bar at the bottom, is not in view.
  const atEnd = isScrolled && isWithin(box.bottom - 2) ? document.elementFromPoint((box.left + box.right) / 2, box.bottom - 2) : null;
  look.saw(action.dataset["action"] ?? "", {
    isInView,
    isEndInView: atEnd !== null && end.contains(atEnd),
    version,
    // What another device changed isn't taken over before the field is left.
    isTyped: document.activeElement?.matches("[data-arguments]") === true,
  });
}
