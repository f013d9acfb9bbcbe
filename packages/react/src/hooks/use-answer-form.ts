import type { SessionView } from "@askbox/core";
import { useEffect, useSyncExternalStore } from "react";
import type { AnswerForm } from "../form/answer-form.ts";
import type { FormLayout, FormState } from "../form/form-state.ts";
import { useAskbox } from "./askbox-context.ts";

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
