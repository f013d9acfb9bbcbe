import { ActionLook } from "@askbox/inbox";
import { pageState } from "../ui/page-state.ts";

/** The question that opened by itself after an answer: keys on their way are not meant for it. */
export const openedNextOn = pageState(({ clock }) => {
  const sends = new ActionLook(clock);
  let opened: string | undefined;
  let isShown = false;
  return {
    note(sessionId: string): void {
      opened = sessionId;
      isShown = false;
      sends.sent();
    },
    /** It is on the screen, which takes a slow machine a while: keys that came meanwhile are not meant for it either. */
    shown(sessionId: string): void {
      if (sessionId === opened && !isShown) sends.sent();
      if (sessionId === opened) isShown = true;
    },
    isJustNow: (sessionId: string): boolean => sessionId === opened && sends.hasJustSent,
  };
});
