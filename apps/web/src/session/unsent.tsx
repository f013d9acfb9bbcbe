import { type AnswerSet, limits, toAskboxError } from "@askbox/core";
import { commentText } from "@askbox/core/questions";
import type { FormState } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayAnswer } from "../i18n/say-answer.ts";
import type { Translate } from "../i18n/translate.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Answers } from "./outcome.tsx";

/** What was written here and not sent, to copy it, or to send it as a message. */
export function Unsent({ session, draft }: Pick<FormState, "session"> & { draft: AnswerSet }) {
  const t = useTranslate();
  return (
    <section className="outcome unsent" aria-label={t("unsent.title")} data-testid="unsent">
      <p className="outcome-title">
        <strong>{t("unsent.title")}</strong>
      </p>
      <Answers session={{ ...session, questions: session.questions.filter(({ id }) => isIn(draft, id)) }} {...draft} say={sayAnswer} />
      <p className="unsent-tools">
        <CopyButton text={() => asText(t, session, draft)} />
        <FollowUp sessionId={session.id} text={asText(t, session, draft)} />
      </p>
    </section>
  );
}

/** Sends it to the agent all the same, which keeps the answer that it has: at once if it waits for another, or with its next call. */
function FollowUp({ sessionId, text }: { sessionId: string; text: string }) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const [state, setState] = useState<"offered" | "sending" | "sent">("offered");
  const [problem, setProblem] = useState<string>();
  const [idempotencyKey] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join("-"));
  if (text.length > limits.askBack.max) return null;
  const send = async () => {
    setState("sending");
    setProblem(undefined);
    try {
      inbox.accept(await desk.message(sessionId, text, { idempotencyKey }));
      setState("sent");
    } catch (thrown) {
      setProblem(toAskboxError(thrown).message);
      setState("offered");
    }
  };
  return (
    <>
      {state !== "sent" && (
        <button type="button" className="button small" disabled={state === "sending"} onClick={() => void send()}>
          {t("unsent.follow")}
        </button>
      )}
      <span role="status">{state === "sent" && <span className="quiet">{t("unsent.followed")}</span>}</span>
      {problem !== undefined && (
        <span className="error" role="alert">
          {t("error.submit", { message: problem })}
        </span>
      )}
    </>
  );
}

const isIn = ({ answers }: AnswerSet, id: string): boolean => answers.some(({ questionId }) => questionId === id);

/** A draft as plain text, each answer below its question. */
function asText(t: Translate, { questions }: FormState["session"], { answers, ...said }: AnswerSet): string {
  const parts = questions.flatMap((question) => {
    const answer = answers.find(({ questionId }) => questionId === question.id);
    if (answer === undefined) return [];
    const note = answer.note === undefined ? undefined : t("review.note", { note: answer.note });
    return [[question.question, sayAnswer(t, question, answer), note].filter((line) => line).join("\n")];
  });
  return [...parts, commentText(said)].filter((part) => part !== "").join("\n\n");
}
