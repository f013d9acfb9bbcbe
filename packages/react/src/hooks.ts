import type { SessionView } from "@askbox/core";
import { isAskboxError } from "@askbox/core/transport";
import { type AnswerForm, type AskboxOptions, Attendance, createAskbox, type FormLayout, type FormState } from "@askbox/inbox";
import { createElement, type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { AskboxContext, useAskbox, useInbox } from "./askbox-context.ts";

/**
 * Provides a desk's inbox and forms to the hooks below it, from mount to unmount. A new `desk` creates a new inbox and new forms;
 * the other options are only read then.
 *
 * @example
 * ```tsx
 * import type { Desk } from "@askbox/core";
 * import { AskboxProvider, useInbox } from "@askbox/react";
 *
 * const Count = () => useInbox().pending.size;
 * export const App = ({ desk }: { desk: Desk }) => <AskboxProvider desk={desk}><Count /></AskboxProvider>;
 * ```
 */
export function AskboxProvider({ children, ...options }: AskboxOptions & { children?: ReactNode }): ReactNode {
  const [made, setMade] = useState(() => createAskbox(options));
  const askbox = made.desk === options.desk ? made : createAskbox(options);
  if (askbox !== made) setMade(askbox);
  useEffect(() => askbox.inbox.start(), [askbox]);
  return createElement(AskboxContext.Provider, { value: askbox }, children);
}

/** The result of `useSession`. */
export interface SessionLookup {
  session: SessionView | undefined;
  /** `missing`: the hub has no such session. */
  state: "found" | "loading" | "missing";
}

/**
 * A session, which counts as open here (its asker and others can see this) once the component has been on the screen for a second. `isShown`
 * is false while nobody can see it, as on a page in the background.
 */
export function useSession(id: string, { isShown = true }: { isShown?: boolean } = {}): SessionLookup {
  const { desk, inbox, clock } = useAskbox();
  const { pending, settled, ready } = useInbox();
  const session = pending.get(id) ?? settled.get(id);
  const [missing, setMissing] = useState<string>();
  const isPending = pending.has(id);

  useEffect(() => {
    const attendance = new Attendance(desk, clock);
    attendance.attend(isPending && isShown ? id : undefined);
    return () => attendance.attend(undefined);
  }, [desk, clock, id, isPending, isShown]);

  const isKnown = session !== undefined;
  useEffect(() => {
    if (!ready || isKnown) return;
    let left = false;
    desk.get(id).then(
      (found) => {
        if (!left) inbox.accept(found);
      },
      (error: unknown) => {
        const isGone = isAskboxError(error, "SESSION_NOT_FOUND") || isAskboxError(error, "AMBIGUOUS_ID");
        if (!left && isGone) setMissing(id);
      },
    );
    return () => {
      left = true;
    };
  }, [desk, inbox, id, ready, isKnown]);

  if (session !== undefined) return { session, state: "found" };
  return { session, state: missing === id ? "missing" : "loading" };
}

/**
 * The form of a session and its state. Input outlives the component, and is saved to the hub on unmount.
 *
 * @example
 * ```tsx
 * import type { SessionView } from "@askbox/core";
 * import { useAnswerForm } from "@askbox/react";
 *
 * export function Send({ session }: { session: SessionView }) {
 *   const { form } = useAnswerForm(session);
 *   return <button onClick={() => form.submit()}>Send</button>;
 * }
 * ```
 */
export function useAnswerForm(session: SessionView, options: { layout?: FormLayout } = {}): { form: AnswerForm; state: FormState } {
  const { forms } = useAskbox();
  const { layout } = options;
  const form = forms.of(session, options);
  const state = useSyncExternalStore(form.subscribe, form.getState, form.getState);

  useEffect(() => {
    if (layout !== undefined) form.setLayout(layout);
  }, [form, layout]);
  useEffect(
    () => () => {
      form.focus(undefined);
      void form.flush();
    },
    [form],
  );
  return { form, state };
}
