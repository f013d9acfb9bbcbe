import { type ReactNode, useEffect, useId, useRef } from "react";

/** A native modal dialog: it traps the focus, restores it, and closes on Escape or a click outside. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const element = dialog.current;
    if (element !== null && !element.open) element.showModal();
    // The browser focuses the first button, which may be below a long text.
    element?.scrollTo({ top: 0 });
    return () => element?.close();
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape, which the browser handles.
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={id}
      // At once, since the close event comes later, and a key in between would find the dialog neither open nor gone.
      onCancel={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
    >
      <div className="dialog-body">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
