import { useSyncExternalStore } from "react";
import type { InboxState } from "../inbox/inbox.ts";
import { useSurface } from "./surface.ts";

/** The inbox as it now is. */
export function useInbox(): InboxState {
  const { inbox } = useSurface();
  return useSyncExternalStore(inbox.subscribe, inbox.getState, inbox.getState);
}
