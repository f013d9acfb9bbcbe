import type { Answer, AnswerSet, SessionView } from "@askbox/core";
import { isDenied } from "@askbox/core/questions";
import { useNow } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { useEffect, useRef } from "react";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayAgo, sayWhere } from "../i18n/phrases.ts";
import { sayAnswer } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Pictures } from "../pictures/pictures.tsx";
import { AgentText } from "../ui/agent-text.tsx";
import { Icon } from "../ui/icons.tsx";
import { later } from "../ui/later.tsx";
import { laterIcons } from "../ui/later-icons.ts";
import { ActionView } from "../widgets/action-view.tsx";

const AnswerFiles = later(async () => (await import("../attach/file-view.tsx")).AnswerFiles);

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
  const denied = isDenied(session);
  const delivered = deliveredKey(session);
  return (
    <section className="outcome" data-kind={denied ? "denied" : outcome.kind} aria-labelledby="outcome-title" data-testid="outcome">
      <p className="outcome-title">
        <Icon
          name={
            denied
              ? "cross"
              : outcome.kind === "answered" || reply !== undefined
                ? laterIcons.check
                : outcome.kind === "timedOut"
                  ? laterIcons.clock
                  : "cross"
          }
        />
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
      {delivered !== undefined && <p className="quiet">{t(delivered)}</p>}
    </section>
  );
}

/** Whether the agent received the answer; undefined if there is none. */
function deliveredKey({ outcome, reply, delivery }: SessionView): MessageKey | undefined {
  if (outcome?.kind === "timedOut") return reply === undefined ? undefined : "outcome.replied.text";
  return delivery.deliveredAt === null ? "outcome.undelivered" : "outcome.delivered";
}

/** How a session ended, in one phrase; `here` if it was settled by this page. */
export function outcomeTitle(t: Translate, session: SessionView, here: boolean): string {
  const { outcome, reply } = session;
  if (outcome === undefined) return "";
  if (outcome.kind === "answered") {
    const denied = isDenied(session);
    if (here) return t(denied ? "outcome.kind.denied" : "outcome.answered.here");
    return t(denied ? "outcome.denied" : "outcome.answered", { where: sayWhere(t, outcome.by) });
  }
  if (outcome.kind === "cancelled") {
    if (outcome.by.surface === "asker") return t("outcome.withdrawn");
    return here ? t("outcome.cancelled.here") : t("outcome.cancelled", { where: sayWhere(t, outcome.by) });
  }
  if (reply === undefined) return t("outcome.timed_out");
  return here ? t("outcome.replied.here") : t("outcome.replied", { where: sayWhere(t, reply.by) });
}

interface AnswersProps {
  session: SessionView;
  answers: readonly Answer[];
  comment?: string | undefined;
  /** With the comment. */
  files?: AnswerSet["files"];
  /** Shown if there is no answer; default: that it was skipped. */
  nothing?: string;
}

/** Questions with their answers. */
export function Answers({ session, answers, comment, files, nothing }: AnswersProps) {
  const t = useTranslate();
  return (
    <dl className="answers">
      {session.questions.map((question) => {
        const answer = answers.find(({ questionId }) => questionId === question.id);
        const text = answer === undefined ? "" : sayAnswer(t, question, { ...answer, files: undefined });
        return (
          <div key={question.id}>
            <dt>
              <Markdown text={question.question} inline />
            </dt>
            <dd>
              <Pictures sessionId={session.id} question={question} />
              {"action" in question && <ActionView id={question.id} action={question.action} asker={session.asker} />}
              {text === "" && answer?.files === undefined ? (
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
