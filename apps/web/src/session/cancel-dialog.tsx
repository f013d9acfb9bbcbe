import type { SessionView } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useId, useLayoutEffect, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayTitle } from "../i18n/phrases.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Key } from "../ui/key-hint.tsx";
import { isTouch, keyOf } from "../ui/keyboard.ts";
import { TextArea } from "../widgets/text-area.tsx";
import { QuickReplies } from "./quick-replies.tsx";

interface CancelDialogProps {
  /** What is declined. */
  sessions: readonly SessionView[];
  onCancel(reason: string): void;
  onClose(): void;
}

/** Asks for confirmation and a reason, which is kept with the draft until it is sent. */
export function CancelDialog({ sessions, onCancel, onClose }: CancelDialogProps) {
  const t = useTranslate();
  const { forms } = useAskbox();
  const id = useId();
  const [reason, setShown] = useState(() => shared(sessions.map((session) => forms.of(session).getState().reason)));
  const setReason = (text: string) => {
    setShown(text);
    for (const session of sessions) forms.of(session).setReason(text);
  };
  const count = sessions.length;
  const project = shared(sessions.map(({ asker }) => asker.project ?? ""));
  // The dialog focuses its first field. On a phone, a keyboard would cover the question for a reason that is optional.
  useLayoutEffect(() => {
    const title = isTouch() ? document.querySelector<HTMLElement>("dialog[open] h2") : null;
    title?.setAttribute("tabindex", "-1");
    title?.focus();
  }, []);
  const words = wordsFor(sessions);
  return (
    <Dialog title={sayTitle(t, words, sessions)} onClose={onClose}>
      <form
        onKeyDown={(event) => {
          if (keyOf(event) !== "ctrl+enter") return;
          event.preventDefault();
          onCancel(reason);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          onCancel(reason);
        }}
      >
        <p>{t(`${words}.text`, { count })}</p>
        <div className="extra">
          <label htmlFor={id}>{t("cancel.reason")}</label>
          <TextArea
            id={id}
            rows={2}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            placeholder={t("cancel.reason.hint")}
          />
          <QuickReplies project={project || undefined} kind="reasons" text={reason} onWrite={setReason} />
        </div>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {words === "keep" ? t("action.back") : t("cancel.keep", { count })}
          </button>
          <button type="submit" className="button danger">
            {t(`${words}.confirm`, { count })}
            <Key name="ctrl+enter" />
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What all of them say; empty if they differ. */
const shared = (texts: readonly string[]): string => (new Set(texts).size === 1 ? (texts[0] ?? "") : "");

/** An action is denied, and a plan is sent back. */
function wordsFor(sessions: readonly SessionView[]): "cancel" | "deny" | "keep" {
  const [only, ...more] = sessions;
  const question = more.length === 0 && only?.questions.length === 1 ? only.questions[0] : undefined;
  if (question === undefined || !("action" in question)) return "cancel";
  return question.action.kind === "plan" ? "keep" : "deny";
}
