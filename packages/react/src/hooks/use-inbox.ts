import { useSyncExternalStore } from "react";
import type { InboxState } from "../inbox/inbox.ts";
import { useAskbox } from "./askbox-context.ts";

/** The current state of the inbox. */
export function useInbox(): InboxState {
  const { inbox } = useAskbox();
  return useSyncExternalStore(inbox.subscribe, inbox.getState, inbox.getState);
}
