import type { Answer, AnswerSet, Question, SessionView } from "@askbox/core";
import { deliveryOf, describeOutcome } from "@askbox/inbox/describe";
import { sentenceOf } from "@askbox/inbox/text";
import { useNow } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { useEffect, useRef } from "react";
import { sayLongDuration } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayActor, sayAgo } from "../i18n/phrases.ts";
import { type sayAnswer, sayEnding, sayGiven, sayMore } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Pictures } from "../pictures/pictures.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { later } from "../ui/later.tsx";
import { laterIcons } from "../ui/later-icons.ts";
import { ActionView } from "../widgets/action-view.tsx";

const AnswerFiles = later(async () => (await import("../attach/file-view.tsx")).AnswerFiles);

const { check, withdrawn, clock } = laterIcons;
export const endingIcons = {
  answered: check,
  allowed: check,
  denied: "cross",
  approved: check,
  kept: "cross",
  overruled: check,
  agreed: "cross",
  declined: "cross",
  withdrawn,
  timed_out: clock,
  replied: check,
  lost: clock,
} as const;

/** How a session ended: who, where, what and when. */
export function Outcome({ session, here }: { session: SessionView; here: boolean }) {
  const t = useTranslate();
  const now = useNow(10_000);
  const { outcome, reply } = session;
  const title = useRef<HTMLElement>(null);
  // The form that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus({ preventScroll: true });
  }, []);
  if (outcome === undefined) return null;
  const answerSet = outcome.kind === "answered" ? outcome : reply;
  const at = reply?.at ?? outcome.at;
  const { ending } = describeOutcome(session);
  const delivery = deliveryOf(session);
  return (
    <section className="outcome" data-ending={ending} aria-labelledby="outcome-title" data-testid="outcome">
      <p className="outcome-title">
        <Icon name={endingIcons[ending]} />
        <strong ref={title} id="outcome-title" tabIndex={-1}>
          {outcomeTitle(t, session, here)}
        </strong>
        <span className="quiet">{sayAgo(t, at, now)}</span>
      </p>
      {outcome.kind === "cancelled" && outcome.reason !== undefined && (
        <AgentText className="outcome-reason">{t("outcome.reason", { reason: outcome.reason })}</AgentText>
      )}
      {answerSet !== undefined && (
        <Answers session={session} answers={answerSet.answers} comment={answerSet.comment} files={answerSet.files} />
      )}
      {delivery !== undefined && delivery !== "told" && (
        <p className="quiet">
          {t(`delivery.${delivery}`)} {delivery === "wake_failed" && <AgentText>{session.waking?.why ?? ""}</AgentText>}
        </p>
      )}
    </section>
  );
}

/** How a session ended, in one phrase; `here` if it was settled by this page. Empty while it is pending. */
export function outcomeTitle(t: Translate, session: SessionView, here: boolean): string {
  if (session.outcome === undefined) return "";
  const outcome = describeOutcome(session);
  const { ending, by, lasts = 0 } = outcome;
  const said = hereSaid.find((each) => each === ending);
  if (here && said !== undefined) return t(`outcome.${said}.here`);
  if (here && by !== undefined) return sayEnding(t, outcome);
  return t(`outcome.${sentenceOf(outcome)}`, { by: by === undefined ? "" : sayActor(t, by), time: sayLongDuration(t, lasts) });
}

/** The endings that are worded differently for who did them. */
const hereSaid = ["answered", "declined", "replied"] as const;

/** What a decision says that its ending, above it, doesn't. */
const sayBeyond = (t: Translate, question: Question, answer: Answer): string =>
  answer.customText === undefined ? sayMore(t, question, answer) : t("outcome.reason", { reason: answer.customText });

interface AnswersProps {
  session: SessionView;
  answers: readonly Answer[];
  comment?: string | undefined;
  /** With the comment. */
  files?: AnswerSet["files"];
  /** Shown if there is no answer; default: that it was skipped. */
  nothing?: string;
  /** The words of an answer; default: as it was given. Of the only decision, what it says beyond the ending, which stands above. */
  say?: typeof sayAnswer;
}

/** Questions with their answers. */
export function Answers({ session, answers, comment, files, nothing, say }: AnswersProps) {
  const t = useTranslate();
  const isDecision = say === undefined && session.questions.length === 1;
  return (
    <dl className="answers">
      {session.questions.map((question) => {
        const answer = answers.find(({ questionId }) => questionId === question.id);
        const isSaid = isDecision && answer !== undefined && "action" in question;
        const text =
          answer === undefined
            ? ""
            : isSaid
              ? sayBeyond(t, question, answer)
              : (say ?? sayGiven)(t, question, { ...answer, files: undefined });
        return (
          <div key={question.id}>
            <dt>
              <Markdown text={question.question} inline />
            </dt>
            <dd>
              <Pictures sessionId={session.id} question={question} />
              {"action" in question && (
                <ActionView id={question.id} action={question.action} denial={question.denial} asker={session.asker} />
              )}
              {isSaid && text === "" ? null : text === "" && answer?.files === undefined ? (
                <span className="quiet">{nothing ?? t("question.skipped")}</span>
              ) : (
                <AgentText className="answer-text">{text}</AgentText>
              )}
              {answer?.files !== undefined && <AnswerFiles sessionId={session.id} files={answer.files} />}
              {answer?.input !== undefined && (
                <pre className="exact exact-block" dir="ltr" data-testid="changed-input">
                  {exactText(JSON.stringify(answer.input, undefined, 2))}
                </pre>
              )}
              {answer?.note !== undefined && <AgentText className="answer-note">{t("review.note", { note: answer.note })}</AgentText>}
            </dd>
          </div>
        );
      })}
      {(comment !== undefined || files !== undefined) && (
        <div>
          <dt>{t("review.comment")}</dt>
          <dd>
            {comment !== undefined && <AgentText className="answer-text">{comment}</AgentText>}
            {files !== undefined && <AnswerFiles sessionId={session.id} files={files} />}
          </dd>
        </div>
      )}
    </dl>
  );
}
