import type { Clock, Desk, StandardGlobals } from "@askbox/core";
import { standardClock } from "@askbox/core/transport";
import { createForms, type Forms, type FormsOptions } from "./form/forms.ts";
import { createInbox, type Inbox, type InboxOptions } from "./inbox/inbox.ts";

/** Options of `createAskbox` and `AskboxProvider`. */
export interface AskboxOptions extends Omit<InboxOptions, "clock">, Pick<FormsOptions, "unsaved"> {
  /** Default: the system's clock. */
  clock?: Clock | undefined;
}

/** What the hooks work on: the inbox of a desk and its forms. */
export interface Askbox {
  desk: Desk;
  clock: Clock;
  inbox: Inbox;
  forms: Forms;
}

/** Creates the inbox of a desk and its forms, outside React or for an `AskboxContext`. Nothing happens until `inbox.start()`. */
export function createAskbox(options: AskboxOptions): Askbox {
  // The types of this package know no globals.
  const { desk, unsaved, clock = standardClock(globalThis as unknown as StandardGlobals) } = options;
  const inbox = createInbox({ ...options, clock });
  return { desk, clock, inbox, forms: createForms({ desk, clock, inbox, unsaved }) };
}
