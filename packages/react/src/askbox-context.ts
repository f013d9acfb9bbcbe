import type { Askbox, InboxState } from "@askbox/inbox";
import { createContext, useContext, useSyncExternalStore } from "react";

/** For programs that create the value themselves with `createAskbox`: `<AskboxContext value={askbox}>`. */
export const AskboxContext = createContext<Askbox | undefined>(undefined);

/** The value of the surrounding `AskboxProvider`. Throws outside one. */
export function useAskbox(): Askbox {
  const askbox = useContext(AskboxContext);
  if (askbox === undefined) throw new Error("Put an AskboxProvider around the components that use askbox's hooks.");
  return askbox;
}

/** The current state of the inbox. */
export function useInbox(): InboxState {
  const { inbox } = useAskbox();
  return useSyncExternalStore(inbox.subscribe, inbox.getState, inbox.getState);
}
