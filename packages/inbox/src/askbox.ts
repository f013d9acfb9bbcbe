import type { Clock, Desk, SessionView, StandardGlobals } from "@askbox/core";
import { standardClock } from "@askbox/core/transport";
import { AnswerForm } from "./form/answer-form.ts";
import type { UnsavedDrafts } from "./form/draft-keeper.ts";
import type { FormLayout } from "./form/editable-form.ts";
import { createInbox, type Inbox, type InboxOptions } from "./list/inbox.ts";

export interface FormsOptions {
  desk: Desk;
  inbox: Inbox;
  clock: Clock;
  /** Stores unsaved input across a reload or a crash of the page. */
  unsaved?: UnsavedDrafts | undefined;
}

/** The forms of a surface: one per session, however often it is opened and left, kept up to date by the inbox. */
export interface Forms {
  /** The form of a session, created on first use. */
  of(session: SessionView, options?: { layout?: FormLayout }): AnswerForm;
  /** Saves all input to the hub. */
  flush(): Promise<void>;
}

/** Creates the forms of an inbox, one for each session. */
export function createForms({ desk, inbox, clock, unsaved }: FormsOptions): Forms {
  const forms = new Map<string, AnswerForm>();
  inbox.subscribe(() => {
    const { drafts, ready } = inbox.getState();
    for (const [id, form] of forms) {
      const session = inbox.find(id);
      if (session !== undefined) form.accept(session);
      // Settled long ago, so nobody can edit it.
      else if (ready && form.getState().phase === "settled") forms.delete(id);
      const draft = drafts.get(id);
      if (draft !== undefined) form.acceptDraft(draft);
    }
  });
  return {
    of(session, options = {}) {
      const known = forms.get(session.id);
      if (known !== undefined) return known;
      const draft = inbox.getState().drafts.get(session.id);
      const form = new AnswerForm(session, { desk, clock, unsaved, draft, ...options, onSession: (changed) => inbox.accept(changed) });
      forms.set(session.id, form);
      return form;
    },
    flush: async () => {
      await Promise.all([...forms.values()].map((form) => form.flush()));
    },
  };
}

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

/**
 * Creates the inbox of a desk and its forms, outside React or for an `AskboxContext`. Nothing happens until `inbox.start()`.
 *
 * @example
 * ```ts
 * import type { Desk } from "@askbox/core";
 * import { createAskbox } from "@askbox/inbox";
 *
 * export function waiting(desk: Desk): () => number {
 *   const { inbox } = createAskbox({ desk });
 *   inbox.start();
 *   return () => inbox.getState().pending.size;
 * }
 * ```
 */
export function createAskbox(options: AskboxOptions): Askbox {
  // The types of this package know no globals.
  const { desk, unsaved, clock = standardClock(globalThis as unknown as StandardGlobals) } = options;
  const inbox = createInbox({ ...options, clock });
  return { desk, clock, inbox, forms: createForms({ desk, clock, inbox, unsaved }) };
}
