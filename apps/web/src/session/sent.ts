import { createStore } from "@askbox/react";
import { useSyncExternalStore } from "react";

/** The sessions that were answered here before moving on, the latest last. */
const store = createStore<readonly string[]>([]);

/** More than a person can send within the longest time to undo. */
const maxKept = 50;

export function leaveBehind(id: string): void {
  store.setState([...store.getState().filter((each) => each !== id), id].slice(-maxKept));
}

export function forgetSent(id: string): void {
  if (store.getState().includes(id)) store.setState(store.getState().filter((each) => each !== id));
}

export const useSent = (): readonly string[] => useSyncExternalStore(store.subscribe, store.getState);
