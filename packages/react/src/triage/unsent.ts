import type { AnswerSet } from "@askbox/core";
import { commentText } from "@askbox/core/questions";
import { answerOf, emptyField } from "../form/field.ts";
import type { FormState } from "../form/form-state.ts";

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
