import type { Desk, Draft } from "@askbox/core";
import { createStore, type Inbox } from "@askbox/react";
import { useSyncExternalStore } from "react";

/** The sessions that were answered here, the latest last. */
const store = createStore<readonly string[]>([]);

/** More than a person can send within the longest time to undo. */
const maxKept = 50;

export function noteSent(id: string): void {
  store.setState([...store.getState().filter((each) => each !== id), id].slice(-maxKept));
}

export function forgetSent(id: string): void {
  if (store.getState().includes(id)) store.setState(store.getState().filter((each) => each !== id));
}

/** Whether what was answered here is out of the list: its draft is erased just before it settles; an answer no longer scheduled was recalled. */
export const isGone = (draft: Draft | undefined): boolean => draft === undefined || draft.scheduled !== undefined;

/** Undoes an answer that the hub still holds. If it has been sent by now, the inbox shows that anyway. */
export function recallSent(desk: Desk, inbox: Inbox, id: string): void {
  desk.recall(id).then(inbox.accept, () => {});
  forgetSent(id);
}

export const useSent = (): readonly string[] => useSyncExternalStore(store.subscribe, store.getState);

/** The session whose agent was the last to reply to what was asked back, while that is announced. */
const reply = createStore<string | undefined>(undefined);
export const noteReply = (id: string | undefined): void => reply.setState(id);
export const useReply = (): string | undefined => useSyncExternalStore(reply.subscribe, reply.getState);
