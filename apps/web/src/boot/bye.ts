import { createStore } from "@askbox/inbox";
import { byeReasons } from "@askbox/wire";
import { useSyncExternalStore } from "react";

const store = createStore<keyof typeof byeReasons | undefined>(undefined);

/** Why the hub closed the connection on purpose, if it told. */
export function noteBye(reason: unknown): void {
  store.setState(reason === byeReasons.stopped ? "stopped" : reason === byeReasons.ended ? "ended" : undefined);
}

export const useBye = (): keyof typeof byeReasons | undefined => useSyncExternalStore(store.subscribe, store.getState);
