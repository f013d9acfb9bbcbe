import type { Question, QuestionOf, SessionView } from "@askbox/core";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { sessionTitle } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { sayOwnOption } from "../i18n/first-phrases.ts";
import { useTranslate } from "../i18n/language.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Pictures } from "../pictures/pictures.tsx";
import { Link, navigate, sessionPath } from "../router/router.tsx";
import { startsAtOn } from "../session/next-session.ts";
import { Asker } from "../session/session-head.tsx";
import { Messages } from "../thread/thread.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { ActionView } from "../widgets/action-view.tsx";
import { ScaleEnds } from "../widgets/choice-widget.tsx";
import { OptionWords } from "../widgets/option.tsx";
import { sayExpected } from "../widgets/widget.ts";
import "./peek.css";

/** A question next to the list, to read only. It doesn't count as seen until it is opened. */
export function Peek({ session }: { session: SessionView }) {
  const t = useTranslate();
  const startsAt = startsAtOn(useAskbox());
  const { id, title, questions, thread = [] } = session;
  const isItsQuestion = title === undefined && questions.length === 1;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click opens the question, as the link below and Enter do.
    <article
      className="peek session"
      data-peek={id}
      aria-label={t("peek.label")}
      onClick={(event) => {
        const pressed = event.target as Element;
        if (pressed.closest("a, button, summary") !== null || getSelection()?.isCollapsed === false) return;
        startsAt.note(id, pressed.closest<HTMLElement>("[data-peeked-question]")?.dataset["peekedQuestion"]);
        navigate(sessionPath(id));
      }}
    >
      <header className="session-head">
        {!isItsQuestion && (
          <h2>
            <AgentText>{sessionTitle(session)}</AgentText>
          </h2>
        )}
        <Asker session={session} />
      </header>
      {questions.map((question, index) => (
        <PeekedQuestion key={question.id} question={question} session={session} number={index + 1} />
      ))}
      {thread.length > 0 && <Messages session={session} thread={thread} />}
      <p className="peek-open">
        <Link href={sessionPath(id)} className="button primary">
          {t("peek.open")}
          <KeyHint action="open" />
        </Link>
      </p>
    </article>
  );
}

function PeekedQuestion({ question, session, number }: { question: Question; session: SessionView; number: number }) {
  const t = useTranslate();
  const total = session.questions.length;
  const options = "action" in question ? [] : offeredOptions(question);
  const { picks, widget } = traitsOf(question);
  const expected = sayExpected(t, question);
  return (
    <section className="peek-question" data-peeked-question={question.id}>
      {total > 1 && <p className="question-kicker">{t("question.of", { number, total })}</p>}
      <div className="question-text">
        <Markdown text={question.question} />
      </div>
      {"action" in question && <ActionView id={question.id} action={question.action} denial={question.denial} asker={session.asker} />}
      <Pictures sessionId={session.id} question={question} only={question.images ?? []} />
      {expected !== undefined && <p className="expected">{expected}</p>}
      {widget === "scale" ? (
        <div className="rating">
          <ul className="options scale">
            {options.map(({ value, recommended }) => (
              <li key={value} className="option peek-option" data-suggested={recommended}>
                {value}
              </li>
            ))}
          </ul>
          <ScaleEnds question={question as QuestionOf<"rating">} />
        </div>
      ) : (
        options.length > 0 && (
          <ul className={widget === "yes-no" ? "options confirm" : "options"}>
            {options.map((option) => (
              <li key={option.value} className="option">
                <div className="peek-option" data-mark={widget === "order" ? "order" : picks}>
                  <span className="option-text">
                    <OptionWords {...option} label={sayOwnOption(t, question, option.value) ?? option.label} />
                  </span>
                </div>
                {option.images !== undefined && <Pictures sessionId={session.id} question={question} only={option.images} />}
              </li>
            ))}
          </ul>
        )
      )}
    </section>
  );
}
