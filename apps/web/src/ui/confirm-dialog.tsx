import { useTranslate } from "../i18n/language.tsx";
import { Dialog } from "./dialog.tsx";

interface ConfirmDialogProps {
  title: string;
  text: string;
  /** The button's label. */
  confirm: string;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before an action that can't be undone. Cancel comes first. */
export function ConfirmDialog({ title, text, confirm, onConfirm, onClose }: ConfirmDialogProps) {
  const t = useTranslate();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {t("action.keep")}
        </button>
        <button type="button" className="button danger" onClick={onConfirm}>
          {confirm}
        </button>
      </div>
    </Dialog>
  );
}
