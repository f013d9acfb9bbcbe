import { useId, useLayoutEffect, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Key } from "../ui/key-hint.tsx";
import { isTouch, keyOf } from "../ui/keyboard.ts";
import { TextArea } from "../widgets/text-area.tsx";
import { QuickReplies } from "./quick-replies.tsx";

interface CancelDialogProps {
  /** The number of sessions. */
  count?: number;
  /** The project of all of them. */
  project?: string | undefined;
  /** What declining it denies. */
  denies?: "action" | "plan" | undefined;
  onCancel(reason: string): void;
  onClose(): void;
}

/** Asks for confirmation and a reason. */
export function CancelDialog({ count = 1, project, denies, onCancel, onClose }: CancelDialogProps) {
  const t = useTranslate();
  const id = useId();
  const [reason, setReason] = useState("");
  // The dialog focuses its first field. On a phone, a keyboard would cover the question for a reason that is optional.
  useLayoutEffect(() => {
    const title = isTouch() ? document.querySelector<HTMLElement>("dialog[open] h2") : null;
    title?.setAttribute("tabindex", "-1");
    title?.focus();
  }, []);
  const words = denies === "plan" ? "keep" : denies === "action" ? "deny" : "cancel";
  return (
    <Dialog title={t(`${words}.title`, { count })} onClose={onClose}>
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
          <QuickReplies project={project} kind="reasons" text={reason} onWrite={setReason} />
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
