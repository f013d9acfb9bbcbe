import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { InDialog } from "./focus-place.ts";

interface DialogProps {
  title: string;
  className?: string;
  onClose(): void;
  onKeyDown?(event: KeyboardEvent): void;
  children: ReactNode;
}

/** A native modal dialog: it traps the focus, restores it, and closes on Escape or a click outside. */
export function Dialog({ title, className = "", onClose, onKeyDown, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // Before it is removed, since the browser then no longer gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
    // The browser focuses the first button, which may be below a long text.
    element?.scrollTo({ top: 0 });
    return () => element?.close();
  }, []);

  return (
    <dialog
      ref={dialog}
      className={`dialog ${className}`}
      aria-labelledby={id}
      // At once, since the close event comes later, and a key in between would find the dialog neither open nor gone.
      onCancel={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      onClose={onClose}
      // What it was opened from takes neither its keys nor its clicks.
      onKeyDown={(event) => {
        event.stopPropagation();
        onKeyDown?.(event);
      }}
      onClick={(event) => {
        event.stopPropagation();
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog-body">
        <h2 id={id}>{title}</h2>
        <InDialog value={true}>{children}</InDialog>
      </div>
    </dialog>
  );
}

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
