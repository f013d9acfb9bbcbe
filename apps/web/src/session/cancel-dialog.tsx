import type { SessionView } from "@askbox/core";
import { isDecision } from "@askbox/inbox/commands";
import { isDenial } from "@askbox/inbox/list";
import { useAskbox } from "@askbox/react";
import { useId, useLayoutEffect, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayTitle } from "../i18n/phrases.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Key } from "../ui/key-hint.tsx";
import { isComposing, isTouch, isTyping, keyOf } from "../ui/keyboard.ts";
import { TextArea } from "../widgets/text-area.tsx";
import { QuickReplies } from "./quick-replies.tsx";

interface CancelDialogProps {
  /** What is declined. */
  sessions: readonly SessionView[];
  onCancel(reason: string): void;
  onClose(): void;
}

/** Asks for confirmation and a reason, which is kept with the draft until it is sent. Enter confirms, with a physical keyboard. */
export function CancelDialog({ sessions, onCancel, onClose }: CancelDialogProps) {
  const t = useTranslate();
  const { forms } = useAskbox();
  const id = useId();
  const [reason, setShown] = useState(() => shared(sessions.map((session) => forms.of(session).getState().reason)));
  const setReason = (text: string) => {
    setShown(text);
    for (const session of sessions) forms.of(session).setReason(text);
  };
  const confirm = () => {
    // Also to those that had none: what is undone comes back with it.
    setReason(reason);
    onCancel(reason);
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
          const key = keyOf(event);
          const confirms = key === "ctrl+enter" || (key === "enter" && !event.shiftKey && !isTouch() && isTyping(event));
          if (!confirms || isComposing(event)) return;
          event.preventDefault();
          confirm();
        }}
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
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
            {words === "cancel" ? t("cancel.keep", { count }) : t("action.back")}
          </button>
          <button type="submit" className="button danger">
            {t(`${words}.confirm`, { count })}
            <Key name="enter" />
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** What all of them say that say anything; empty if they differ. */
function shared(texts: readonly string[]): string {
  const [only = "", ...others] = new Set(texts.filter((text) => text !== ""));
  return others.length === 0 ? only : "";
}

/** Actions are denied, a plan is sent back, and a model's denial is agreed with. */
function wordsFor(sessions: readonly SessionView[]): "cancel" | "deny" | "keep" | "agree" {
  if (!sessions.every(isDecision)) return "cancel";
  if (sessions.length === 1 && sessions.every(isDenial)) return "agree";
  const isPlan =
    sessions.length === 1 && sessions[0]?.questions.some((question) => "action" in question && question.action.kind === "plan");
  return isPlan ? "keep" : "deny";
}
