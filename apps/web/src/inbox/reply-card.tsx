import type { SessionView } from "@askbox/core";
import { sessionTitle, useAnswerForm, useSession } from "@askbox/react";
import { type KeyboardEvent, useEffect, useId, useRef } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { isolated, sayProblem } from "../i18n/phrases.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { useSettings } from "../settings/settings.ts";
import { isComposing } from "../ui/keyboard.ts";
import { TextArea } from "../widgets/text-area.tsx";

/** A row shows two lines of a question; of a longer one all is shown over the reply. */
const fitsInRow = 70;

/** What is typed here is the same draft as in the question's own form. */
export function ReplyCard({ session, onClose }: { session: SessionView; onClose(): void }) {
  const t = useTranslate();
  const { undoSeconds } = useSettings();
  // Whoever replies here has the question open, as others and its agent are told.
  useSession(session.id);
  const { form, state } = useAnswerForm(session);
  const errorId = useId();
  const card = useRef<HTMLFormElement>(null);
  useEffect(() => card.current?.querySelector("textarea")?.focus(), []);
  const [question] = session.questions;
  if (question === undefined || state.phase === "scheduled" || state.phase === "settled") return null;
  const problem = state.errors[question.id];
  const failure = state.failure;
  const send = () => void form.submit({ delay: undoSeconds * 1_000 });
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      onClose();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    }
  };
  return (
    <form
      ref={card}
      className="row-reply"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {(question.question.length > fitsInRow || question.question.includes("\n")) && <Markdown text={question.question} />}
      <TextArea
        rows={2}
        value={state.fields[question.id]?.values[0] ?? ""}
        disabled={state.phase === "sending"}
        onChange={(event) => form.setText(question.id, event.target.value)}
        onKeyDown={onKeyDown}
        onFocus={() => form.focus({ questionId: question.id })}
        onBlur={() => form.focus(undefined)}
        placeholder={t("question.text.hint")}
        aria-label={t("inbox.reply.label", { title: isolated(sessionTitle(session)) })}
        aria-describedby={errorId}
        aria-invalid={problem !== undefined}
      />
      <p id={errorId} className="error" role="alert">
        {problem !== undefined && sayProblem(t, problem)}
        {failure !== undefined &&
          (failure.code === "HUB_UNREACHABLE" ? t("error.unreachable") : t("error.submit", { message: failure.message }))}
      </p>
      <p className="row-reply-tools">
        <button type="button" className="button small quiet-button" onClick={onClose}>
          {t("inbox.reply.close")}
        </button>
        <button type="submit" className="button small primary" disabled={state.phase === "sending"}>
          {t(state.phase === "sending" ? "action.sending" : "action.reply")}
        </button>
      </p>
    </form>
  );
}
