import type { SessionView } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useState } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import { Dialog } from "../ui/dialog.tsx";
import { latestWake } from "./snoozes.ts";

const minute = 60_000;
const lengths = [5 * minute, 15 * minute, 60 * minute];
/** With less time left than this (ms), snoozing makes no sense. */
const minLength = minute;
/** The hour at which the next day begins. */
const morning = 9;

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
  const latest = Math.min(...sessions.map(latestWake));
  const tomorrow = nextMorning(now);
  const choices = [
    ...lengths.map((length) => ({ until: now + length, label: t("snooze.for", { time: sayDuration(t, length) }) })),
    { until: tomorrow, label: t("snooze.until", { time: moment(tomorrow) }) },
  ].filter(({ until }) => until <= latest);
  if (Number.isFinite(latest) && latest - now >= minLength) {
    choices.push({ until: latest, label: t("snooze.end", { time: sayDuration(t, latest - now) }) });
  }
  return (
    <Dialog title={t("snooze.title", { count: sessions.length })} onClose={onClose}>
      <p>{t(choices.length === 0 ? "snooze.none" : "snooze.text")}</p>
      <div className="snooze-choices">
        {choices.map(({ until, label }) => (
          <button key={label} type="button" className="button" onClick={() => onSnooze(until)}>
            {label}
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

function nextMorning(now: number): number {
  const day = new Date(now);
  day.setDate(day.getDate() + 1);
  day.setHours(morning, 0, 0, 0);
  return day.getTime();
}
