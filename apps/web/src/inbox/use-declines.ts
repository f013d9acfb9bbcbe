import { type AnswerForm, createStore } from "@askbox/inbox";
import { useAskbox, useInbox } from "@askbox/react";
import { useMemo } from "react";
import { declined, declined as declinedHere, isGone, noteSent, snoozed, useSent } from "../session/sent.ts";
import { settings } from "../stored-settings.ts";
import { pageState, useStored } from "../ui/page-state.ts";
import { useLastSnooze } from "./last-snooze.ts";

interface Declined {
  /** All that were declined here and may still be pending. */
  ids: readonly string[];
  /** Those that were declined last, together: they are undone together. Empty once that is not possible. */
  latest: readonly string[];
  /** Those that the hub has not taken yet. */
  sending: readonly string[];
  /** Resolves when the hub has taken or refused the latest. */
  taken: Promise<void>;
  failure: string | undefined;
}

export interface Declines {
  /** The latest, as far as they can still be undone. */
  waiting: readonly string[];
  /** Ids that are out of the list: the hub holds them back, or is being sent them. */
  hidden: ReadonlySet<string>;
  /** Why some of the latest could not be declined. */
  failure: string | undefined;
  decline(ids: readonly string[], reason: string): void;
  undo(): void;
}

const declinedOn = pageState(() =>
  createStore<Declined>({ ids: [], latest: [], sending: [], taken: Promise.resolve(), failure: undefined }),
);

/**
 * Declines questions, one or several at once. The hub holds that back as it does answers, so a page that is closed loses no decline; what
 * was declined last is undone together.
 */
export function useDeclines(): Declines {
  const page = useAskbox();
  const { inbox, forms } = page;
  const { drafts } = useInbox();
  const store = declinedOn(page);
  const { ids, latest, sending, failure } = useStored(declinedOn);
  const change = (part: Partial<Declined>) => store.setState({ ...store.getState(), ...part });
  const formsOf = (of: readonly string[]) => of.flatMap((id) => inbox.find(id) ?? []).map((session) => forms.of(session));
  const waiting = latest.filter((id) => sending.includes(id) || drafts.get(id)?.scheduled);

  const send = async (declined: readonly string[], reason: string, delay: number) => {
    const refused: AnswerForm[] = [];
    // To decline an action is to deny it.
    await Promise.all(formsOf(declined).map(async (form) => (await form.cancel(reason, { delay })) || refused.push(form)));
    const now = store.getState();
    change({
      ids: now.ids.filter((id) => !refused.some(({ sessionId }) => sessionId === id)),
      sending: now.sending.filter((id) => !declined.includes(id)),
      // A session that has settled meanwhile needs no declining.
      failure: refused.map((form) => form.getState().failure).find((each) => each !== undefined && each.code !== "SESSION_CLOSED")?.message,
    });
  };

  const hidden = useMemo(() => new Set(ids.filter((id) => sending.includes(id) || isGone(drafts.get(id)))), [ids, sending, drafts]);
  return {
    waiting,
    hidden,
    failure,
    decline(declined, reason) {
      const delay = settings.getState().undoSeconds * 1_000;
      const before = store.getState();
      change({
        ids: [...before.ids.filter((id) => inbox.getState().pending.has(id) && !declined.includes(id)), ...declined],
        latest: delay > 0 ? declined : [],
        sending: [...before.sending, ...declined],
        failure: undefined,
      });
      noteSent(page, declinedHere);
      change({ taken: send(declined, reason, delay) });
    },
    undo() {
      const { latest: undone, taken } = store.getState();
      change({ latest: [] });
      void taken.then(async () => {
        await Promise.all(formsOf(undone).map((form) => form.recall()));
        change({ ids: store.getState().ids.filter((id) => !undone.includes(id)) });
      });
    },
  };
}

/** The questions that are out of the list while they still wait: those that are being declined, and those answered here. */
export function useHidden(): ReadonlySet<string> {
  const sent = useSent();
  const { drafts } = useInbox();
  const { hidden } = useDeclines();
  return useMemo(() => new Set([...hidden, ...sent.filter((id) => isGone(drafts.get(id)))]), [hidden, sent, drafts]);
}

/** What was done here and can still be undone, the latest last: the sessions whose answers wait, `declined` and `snoozed`. */
export function useUndoable(): string[] {
  const { drafts } = useInbox();
  const { waiting } = useDeclines();
  const snooze = useLastSnooze();
  return useSent().filter((done) => {
    if (done === declined) return waiting.length > 0;
    return done === snoozed ? snooze !== undefined : drafts.get(done)?.scheduled !== undefined;
  });
}
