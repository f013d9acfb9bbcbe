import { agentHasLeft, type InboxState, type SortOrder, sortSessions } from "@askbox/react";
import { snoozes } from "../inbox/snoozes.ts";

/** The session to continue with: the first in the list, those whose agent has left last; skips snoozed sessions and answers being held. */
export function nextSession({ pending, drafts }: InboxState, { sort, now, except }: { sort: SortOrder; now: number; except: string }) {
  const isAway = (id: string) => (snoozes.getState().get(id) ?? 0) > now;
  const waiting = sortSessions(pending.values(), sort).filter(
    ({ id }) => id !== except && drafts.get(id)?.scheduled === undefined && !isAway(id),
  );
  return (waiting.find((session) => !agentHasLeft(session, now)) ?? waiting[0])?.id;
}
