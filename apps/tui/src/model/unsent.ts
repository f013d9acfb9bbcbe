import { answerText } from "@askbox/core/questions";
import type { FormState } from "@askbox/react";
import { unsentIn } from "@askbox/react/triage";
import { terminalText } from "@askbox/terminal-text";

/** What was written here to a session that was settled elsewhere, as plain text, each answer below its question; undefined if there is none. */
export function unsentText(form: FormState, message = ""): string | undefined {
  const { questions } = form.session;
  const { answers = [], comment } = unsentIn(form) ?? {};
  const parts = questions.flatMap((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    if (answer === undefined) return [];
    const asked = questions.length > 1 ? [question.question] : [];
    return [[...asked, answerText(question, answer), answer.note].filter((line) => line).join("\n")];
  });
  const isOver = form.phase === "settled" && !form.settledHere;
  const all = [...parts, comment, isOver ? message : ""].filter((part) => part?.trim());
  return all.length === 0 ? undefined : terminalText(all.join("\n\n"));
}
