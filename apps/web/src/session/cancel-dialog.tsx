import { useId, useState } from "react";
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
  /** Whether declining it denies an action. */
  denies?: boolean;
  onCancel(reason: string): void;
  onClose(): void;
}

/** Asks for confirmation and a reason. */
export function CancelDialog({ count = 1, project, denies = false, onCancel, onClose }: CancelDialogProps) {
  const t = useTranslate();
  const id = useId();
  const [reason, setReason] = useState("");
  return (
    <Dialog title={denies ? t("deny.title") : t("cancel.title", { count })} onClose={onClose}>
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
        <p>{denies ? t("deny.text") : t("cancel.text", { count })}</p>
        <div className="extra">
          <label htmlFor={id}>{t("cancel.reason")}</label>
          <TextArea
            id={id}
            rows={2}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            placeholder={t("cancel.reason.hint")}
            autoFocus={!isTouch()}
          />
          <QuickReplies project={project} kind="reasons" text={reason} onWrite={setReason} />
        </div>
        <div className="dialog-actions">
          <button type="button" className="button" onClick={onClose}>
            {t("cancel.keep", { count })}
          </button>
          <button type="submit" className="button danger">
            {denies ? t("deny.confirm") : t("cancel.confirm", { count })}
            <Key name="ctrl+enter" />
          </button>
        </div>
      </form>
    </Dialog>
  );
}
