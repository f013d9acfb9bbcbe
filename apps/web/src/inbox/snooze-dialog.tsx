import type { SessionView } from "@askbox/core";
import { type SnoozeChoice, snoozeChoices } from "@askbox/inbox/list";
import { useAskbox } from "@askbox/react";
import { useState } from "react";
import { sayDuration } from "../i18n/first-phrases.ts";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayTitle } from "../i18n/phrases.ts";
import { Dialog } from "../ui/dialog.tsx";

interface SnoozeDialogProps {
  sessions: readonly SessionView[];
  /** Takes wall time in ms. */
  onSnooze(until: number): void;
  onClose(): void;
}

/** Offers the times that the deadlines allow: each question returns before its end. */
export function SnoozeDialog({ sessions, onSnooze, onClose }: SnoozeDialogProps) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const { moment } = useFormats();
  const [now] = useState(() => clock.now());
  const choices = snoozeChoices(sessions, now);
  const label = ({ as, until }: SnoozeChoice) => t(`snooze.${as}`, { time: as === "until" ? moment(until) : sayDuration(t, until - now) });
  return (
    <Dialog title={sayTitle(t, "snooze", sessions)} onClose={onClose}>
      <p>{t(choices.length === 0 ? "snooze.none" : "snooze.text", { count: sessions.length })}</p>
      <div className="snooze-choices">
        {choices.map((choice) => (
          <button key={choice.as + choice.until} type="button" className="button" onClick={() => onSnooze(choice.until)}>
            {label(choice)}
          </button>
        ))}
      </div>
      <div className="dialog-actions">
        <button type="button" className="button quiet-button" onClick={onClose}>
          {t("action.close")}
        </button>
      </div>
    </Dialog>
  );
}
