import type { Question } from "@askbox/core";
import { type AnswerForm, emptyField, type FormState, isAnswered } from "@askbox/inbox";
import { useEffect, useRef } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";

export type StepState = "answered" | "open" | "skipped" | "wrong";

const marks: Readonly<Record<Exclude<StepState, "open">, string>> = { answered: "✓", skipped: "–", wrong: "!" };

/** Whether the questions are shown one at a time, with links to each. */
export const hasSteps = ({ layout, steps }: FormState): boolean => layout === "steps" && steps > 1;

/** The state of a question. */
function stepState({ fields, errors }: FormState, question: Question): StepState {
  const field = fields[question.id] ?? emptyField;
  if (field.skipped) return "skipped";
  if (errors[question.id] !== undefined) return "wrong";
  return isAnswered(question, field) ? "answered" : "open";
}

/** The questions of a set with their states, as in the terminal inbox, with the review at the end. */
export function Steps({ form, state }: { form: AnswerForm; state: FormState }) {
  const t = useTranslate();
  const list = useRef<HTMLOListElement>(null);
  const { session, step, steps } = state;
  useEffect(() => {
    const current = list.current?.children[step];
    if (current instanceof HTMLElement && list.current !== null) {
      list.current.scrollTo({ left: current.offsetLeft - (list.current.clientWidth - current.clientWidth) / 2 });
    }
  }, [step]);
  return (
    <nav className="steps" aria-label={t("steps.title")}>
      <ol ref={list}>
        {session.questions.map((question, index) => {
          const reached = stepState(state, question);
          return (
            <li key={question.id}>
              <button
                type="button"
                className="step"
                data-state={reached}
                aria-current={index === step ? "step" : undefined}
                onClick={() => form.goTo(index)}
              >
                <span className="step-mark" aria-hidden="true">
                  {reached === "open" ? index + 1 : marks[reached]}
                </span>
                <span className="visually-hidden">{t("question.of", { number: index + 1, total: session.questions.length })}</span>
                {question.header !== undefined && <AgentText className="step-name">{question.header}</AgentText>}
                <span className="visually-hidden">{t(`steps.${reached}`)}</span>
              </button>
            </li>
          );
        })}
        <li>
          <button
            type="button"
            className="step"
            aria-current={step === steps - 1 ? "step" : undefined}
            onClick={() => form.goTo(steps - 1)}
          >
            <span className="step-name">{t("review.title")}</span>
          </button>
        </li>
      </ol>
    </nav>
  );
}
