import type { AnswerSet, Question, SessionView } from "@askbox/core";
import { commentText, traitsOf } from "@askbox/core/questions";
import type { FormState } from "./editable-form.ts";
import { answerOf, emptyField } from "./field.ts";

/** What is looked at when a form is sent, and after it was settled elsewhere. */

/** Whether an action would be allowed although its lines were commented, which only a denial tells the agent. */
export const allowsCommented = ({ session, fields }: Pick<FormState, "session" | "fields">): boolean =>
  session.questions.some((question) => {
    const { values = [], comments } = fields[question.id] ?? {};
    return comments !== undefined && traitsOf(question).picks === "decision" && values.some((value) => value !== "deny");
  });

/**
 * The other sessions that only ask for the same action in the same project of the same machine, on the same branch, for the same client. A
 * denial is decided alone.
 */
export function equalApprovals(session: SessionView, question: Question, pending: readonly SessionView[]): SessionView[] {
  const wanted = keyOf(session, question);
  if (wanted === undefined || session.questions.length !== 1) return [];
  return pending.filter((other) => {
    const [only, ...more] = other.questions;
    return other.id !== session.id && only !== undefined && more.length === 0 && keyOf(other, only) === wanted;
  });
}

function keyOf({ asker }: SessionView, question: Question): string | undefined {
  if (!("action" in question) || question.denial !== undefined) return undefined;
  return JSON.stringify([asker.client.name, asker.machine, asker.project, asker.branch, question.action, question.question]);
}

/** How long a grant may last, as in an answer; the first is the default. */
export const grantTimes = ["8h", "1h", "1d", "7d", "30d"] as const;

/** The draft of a form whose session was settled elsewhere; undefined if there is none, or if it says what was answered. The reason to decline counts as a comment. */
export function unsentIn({ phase, settledHere, session, fields, comment: onAll, reason, files }: FormState): AnswerSet | undefined {
  if (phase !== "settled" || settledHere) return undefined;
  const answers = session.questions
    .map((question) => answerOf(question, fields[question.id] ?? emptyField))
    .filter(({ values, customText, note }) => [...values, customText, note].some((text) => text?.trim()));
  const { outcome } = session;
  const isReason =
    outcome?.kind === "cancelled"
      ? outcome.reason === reason
      : outcome?.kind === "answered" && outcome.answers.some(({ customText }) => customText === reason);
  const comment = [onAll, isReason ? "" : reason].filter((text) => text.trim() !== "").join("\n\n");
  if (answers.length === 0 && comment.trim() === "" && !files) return undefined;
  const draft = { answers, ...(comment.trim() && { comment }), ...(files && { files }) };
  const said = (set: AnswerSet) =>
    JSON.stringify([
      session.questions.map(({ id }) => {
        const { values = [], customText, note } = set.answers.find(({ questionId }) => questionId === id) ?? {};
        return [values, customText, note];
      }),
      commentText(set),
    ]);
  const answered = outcome?.kind === "answered" ? outcome : undefined;
  return answered !== undefined && said(answered) === said(draft) ? undefined : draft;
}
