import { agentHasLeft, type InboxState, type SortOrder, sortSessions } from "@askbox/inbox";
import { snoozedUntil } from "@askbox/inbox/list";

/** The session to continue with: the first in the list, those whose agent has left last; skips snoozed sessions and answers being held. */
export function nextSession({ pending, drafts }: InboxState, { sort, now, except }: { sort: SortOrder; now: number; except: string }) {
  const waiting = sortSessions(pending.values(), sort).filter(
    (session) => session.id !== except && drafts.get(session.id)?.scheduled === undefined && snoozedUntil(session, now) === undefined,
  );
  return (waiting.find((session) => !agentHasLeft(session, now)) ?? waiting[0])?.id;
}
