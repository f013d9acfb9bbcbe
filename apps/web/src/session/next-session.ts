import { agentHasLeft, type InboxState, type SortOrder, sortSessions } from "@askbox/react";

/** The session to go on to: the first in the list, those whose agent has left last, without those whose answer is on its way. */
export function nextSession({ pending, drafts }: InboxState, { sort, now, except }: { sort: SortOrder; now: number; except: string }) {
  const waiting = sortSessions(pending.values(), sort).filter(({ id }) => id !== except && drafts.get(id)?.scheduled === undefined);
  return (waiting.find((session) => !agentHasLeft(session, now)) ?? waiting[0])?.id;
}
