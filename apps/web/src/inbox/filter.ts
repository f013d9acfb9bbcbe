import { createStore, type SessionFilter } from "@askbox/react";
import { useSyncExternalStore } from "react";

const store = createStore<SessionFilter>({});

/** What the list of questions shows only; the palette sets it, too. */
export const setFilter = (filter: SessionFilter): void => store.setState(filter);
export const useFilter = (): SessionFilter => useSyncExternalStore(store.subscribe, store.getState);
