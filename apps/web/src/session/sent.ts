import type { Draft } from "@askbox/core";
import { type Askbox, createStore } from "@askbox/inbox";
import { pageState, useStored } from "../ui/page-state.ts";

/** What was done here, the latest last: the sessions that were answered, and the latest decline and snooze, and a reply. */
const sentOn = pageState(() => createStore<readonly string[]>([]));

/** More than a person can send within the longest time to undo. */
const maxKept = 50;

export function noteSent(page: Askbox, id: string): void {
  const store = sentOn(page);
  store.setState([...store.getState().filter((each) => each !== id), id].slice(-maxKept));
}

export function forgetSent(page: Askbox, id: string): void {
  const store = sentOn(page);
  if (store.getState().includes(id)) store.setState(store.getState().filter((each) => each !== id));
}

/** Whether what was answered here is out of the list: its draft is erased just before it settles; an answer no longer scheduled was recalled. */
export const isGone = (draft: Draft | undefined): boolean => draft === undefined || draft.scheduled !== undefined;

/** Undoes an answer that the hub still holds. If it has been sent by now, the inbox shows that anyway. */
export function recallSent(page: Askbox, id: string): void {
  page.desk.recall(id).then(page.inbox.accept, () => {});
  forgetSent(page, id);
}

export const useSent = (): readonly string[] => useStored(sentOn);

/** Stand for the latest decline, the latest snooze and an agent's latest reply among the sessions. */
export const [declined, snoozed, replied] = ["declined", "snoozed", "replied"] as const;

/** The session whose agent was the last to reply to what was asked back, while that is announced. */
const replyOn = pageState(() => createStore<string | undefined>(undefined));
export function noteReply(page: Askbox, id: string | undefined): void {
  replyOn(page).setState(id);
  if (id !== undefined) noteSent(page, replied);
}
export const useReply = (): string | undefined => useStored(replyOn);
