import type { Askbox, Store } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { useSyncExternalStore } from "react";

/** Any state that a page has once. It is made when it is first needed, so that two pages, such as those of two tests, share none. */
export function pageState<State extends object>(create: (page: Askbox) => State): (page: Askbox) => State {
  const states = new WeakMap<Askbox["inbox"], State>();
  return (page) => {
    const state = states.get(page.inbox) ?? create(page);
    states.set(page.inbox, state);
    return state;
  };
}

/** The present value of a page's store. */
export function useStored<Value>(storeOn: (page: Askbox) => Store<Value>): Value {
  const { subscribe, getState } = storeOn(useAskbox());
  return useSyncExternalStore(subscribe, getState);
}
