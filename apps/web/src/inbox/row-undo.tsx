import type { SessionView } from "@askbox/core";
import { sessionTitle, useAskbox, useNow } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";

/** Undoes an answer that the hub is still holding, in its row. */
export function RowUndo({ session, sendAt }: { session: SessionView; sendAt: number }) {
  const t = useTranslate();
  const { desk, inbox } = useAskbox();
  const now = useNow(250);
  // If it has already been sent, the inbox shows that anyway.
  const recall = () => void desk.recall(session.id).then(inbox.accept, () => {});
  return (
    <p className="row-undo">
      <span>{t("action.scheduled", { time: sayDuration(t, Math.max(0, sendAt - now) + 999) })}</span>
      <button type="button" className="button small" onClick={recall}>
        {t("action.undo")}
        <span className="visually-hidden">: {terminalLine(sessionTitle(session))}</span>
      </button>
    </p>
  );
}
