import { answerText } from "@askbox/core/questions";
import type { FormState } from "@askbox/inbox";
import { unsentIn } from "@askbox/inbox/list";
import { terminalText } from "@askbox/terminal-text";
import type { UiState } from "./ui-state.ts";

/**
 * What was written here to a session that was settled elsewhere, as plain text, each answer below its question; undefined if there is none,
 * or if it was sent as a message.
 */
export function unsentText(form: FormState, { unsent, followedUp }: Pick<UiState, "unsent" | "followedUp">): string | undefined {
  const message = unsent[form.session.id] ?? "";
  const { questions } = form.session;
  const { answers = [], comment } = unsentIn(form) ?? {};
  const parts = questions.flatMap((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    if (answer === undefined) return [];
    const asked = questions.length > 1 ? [question.question] : [];
    return [[...asked, answerText(question, answer), answer.note].filter((line) => line).join("\n")];
  });
  const isOver = form.phase === "settled" && !form.settledHere;
  const isSent = followedUp.includes(form.session.id);
  const draft = isSent ? "" : [...parts, comment].filter((part) => part?.trim()).join("\n\n");
  // A message may begin with the draft, or be all that was written.
  const all = [message.includes(draft) ? "" : draft, isOver || message.includes(draft) ? message : ""].filter((part) => part.trim() !== "");
  return all.length === 0 ? undefined : terminalText(all.join("\n\n"));
}
