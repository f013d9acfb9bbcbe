import { createStore } from "@askbox/react";
import { useSyncExternalStore } from "react";

/** The latest snooze, until it is undone or another action follows. */
export interface LastSnooze {
  ids: readonly string[];
  until: number;
  undo(): void;
}

const store = createStore<LastSnooze | undefined>(undefined);

export const setLastSnooze = (snooze: LastSnooze | undefined): void => store.setState(snooze);

export const useLastSnooze = (): LastSnooze | undefined => useSyncExternalStore(store.subscribe, store.getState);
