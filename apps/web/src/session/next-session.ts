import { ActionLook, agentHasLeft, type InboxState, type SortOrder, sortSessions } from "@askbox/inbox";
import { isDenial, snoozedUntil } from "@askbox/inbox/list";
import { pageState } from "../ui/page-state.ts";

/** The session to continue with: the first in the list, those whose agent has left last; skips snoozed sessions and answers being held. After a denial, another one. */
export function nextSession(
  { pending, settled, drafts }: InboxState,
  { sort, now, except }: { sort: SortOrder; now: number; except: string },
) {
  const present = pending.get(except) ?? settled.get(except);
  const isOfDenials = present !== undefined && isDenial(present);
  const waiting = sortSessions(pending.values(), sort).filter(
    (session) =>
      session.id !== except &&
      isDenial(session) === isOfDenials &&
      drafts.get(session.id)?.scheduled === undefined &&
      snoozedUntil(session, now) === undefined,
  );
  return (waiting.find((session) => !agentHasLeft(session, now)) ?? waiting[0])?.id;
}

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

/** A note, a comment or a message was finished with Enter: a second one on its way is not meant for the answer. */
export const finishedOn = pageState(({ clock }) => {
  const finishes = new ActionLook(clock);
  return { note: () => finishes.sent(), isJustNow: () => finishes.hasJustSent };
});

/** The question of a set that was pressed in its preview, at which the set opens. */
export const startsAtOn = pageState(() => {
  let pressed: { sessionId: string; questionId: string } | undefined;
  return {
    note(sessionId: string, questionId: string | undefined): void {
      pressed = questionId === undefined ? undefined : { sessionId, questionId };
    },
    /** Undefined from the second time on. */
    take(sessionId: string): string | undefined {
      const questionId = pressed?.sessionId === sessionId ? pressed.questionId : undefined;
      pressed = undefined;
      return questionId;
    },
  };
});
