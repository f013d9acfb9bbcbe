import { type Askbox, createStore } from "@askbox/inbox";
import { noteSent, snoozed } from "../session/sent.ts";
import { pageState, useStored } from "../ui/page-state.ts";

/** The latest snooze, until it is undone or another action follows. */
export interface LastSnooze {
  ids: readonly string[];
  until: number;
  undo(): void;
}

const snoozeOn = pageState(() => createStore<LastSnooze | undefined>(undefined));

export function setLastSnooze(page: Askbox, snooze: LastSnooze | undefined): void {
  snoozeOn(page).setState(snooze);
  if (snooze !== undefined) noteSent(page, snoozed);
}

export const useLastSnooze = (): LastSnooze | undefined => useStored(snoozeOn);
