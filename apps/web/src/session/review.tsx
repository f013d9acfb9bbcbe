import type { Question } from "@askbox/core";
import { type AnswerForm, answerOf, emptyField, errorOf, type FormState } from "@askbox/inbox";
import { terminalLine } from "@askbox/terminal-text";
import { useTranslate } from "../i18n/language.tsx";
import { sayProblem } from "../i18n/phrases.ts";
import { sayAnswer } from "../i18n/say-answer.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { AgentText } from "../ui/agent-text.tsx";

/** All answers before they are sent. */
export function Review({ form, state }: { form: AnswerForm; state: FormState }) {
  const t = useTranslate();
  return (
    <section className="review" aria-labelledby="review-title">
      <h2 id="review-title" tabIndex={-1}>
        {t("review.title")}
      </h2>
      <dl className="answers">
        {state.session.questions.map((question, index) => (
          <ReviewRow key={question.id} question={question} state={state} onChange={() => form.goTo(index)} />
        ))}
      </dl>
    </section>
  );
}

function ReviewRow({ question, state, onChange }: { question: Question; state: FormState; onChange(): void }) {
  const t = useTranslate();
  const field = state.fields[question.id] ?? emptyField;
  const answer = answerOf(question, field);
  const error = errorOf(question, field);
  const text = sayAnswer(t, question, answer);
  return (
    <div>
      <dt>
        <Markdown text={question.question} inline />
        <button type="button" className="link-button" onClick={onChange}>
          {t("review.change")}
          <span className="visually-hidden">: {terminalLine(question.header ?? question.question)}</span>
        </button>
      </dt>
      <dd data-missing={error !== undefined || undefined}>
        {error !== undefined && <span className="error">{sayProblem(t, error)}</span>}
        {error === undefined && text === "" && <span className="quiet">{t("question.skipped")}</span>}
        {error === undefined && <AgentText className="answer-text">{text}</AgentText>}
        {answer.note !== undefined && <AgentText className="answer-note">{t("review.note", { note: answer.note })}</AgentText>}
      </dd>
    </div>
  );
}
