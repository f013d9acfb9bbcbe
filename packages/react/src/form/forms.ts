import type { Clock, Desk, SessionView } from "@askbox/core";
import type { Inbox } from "../inbox/inbox.ts";
import { AnswerForm } from "./answer-form.ts";
import type { UnsavedDrafts } from "./draft-keeper.ts";
import type { FormLayout } from "./form-state.ts";

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
