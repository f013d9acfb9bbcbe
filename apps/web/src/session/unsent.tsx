import type { AnswerSet } from "@askbox/core";
import type { FormState } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { sayAnswer } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Answers } from "./outcome.tsx";

/** What was written here and not sent, to copy it. */
export function Unsent({ session, draft }: Pick<FormState, "session"> & { draft: AnswerSet }) {
  const t = useTranslate();
  return (
    <section className="outcome unsent" aria-label={t("unsent.title")} data-testid="unsent">
      <p className="outcome-title">
        <strong>{t("unsent.title")}</strong>
      </p>
      <Answers session={{ ...session, questions: session.questions.filter(({ id }) => isIn(draft, id)) }} {...draft} />
      <p className="unsent-tools">
        <CopyButton text={() => asText(t, session, draft)} />
      </p>
    </section>
  );
}

const isIn = ({ answers }: AnswerSet, id: string): boolean => answers.some(({ questionId }) => questionId === id);

/** A draft as plain text, each answer below its question. */
function asText(t: Translate, { questions }: FormState["session"], { answers, comment }: AnswerSet): string {
  const parts = questions.flatMap((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    if (answer === undefined) return [];
    const note = answer.note === undefined ? undefined : t("review.note", { note: answer.note });
    return [[question.question, sayAnswer(t, question, answer), note].filter((line) => line).join("\n")];
  });
  return [...parts, ...(comment === undefined ? [] : [comment])].join("\n\n");
}
