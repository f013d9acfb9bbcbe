import { useNow } from "@askbox/react";
import { useEffect, useEffectEvent } from "react";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayDuration } from "../i18n/phrases.ts";
import { Icon } from "../ui/icons.tsx";
import { later } from "../ui/later.tsx";
import type { Declines, Declining } from "./use-declines.ts";
import type { LastSnooze, ListActions } from "./use-list-actions.ts";

const CancelDialog = later(async () => (await import("../session/cancel-dialog.tsx")).CancelDialog);
const SnoozeDialog = later(async () => (await import("./snooze-dialog.tsx")).SnoozeDialog);

/** How long a snooze can be undone, in ms. */
const snoozeUndo = 10_000;

/** At the bottom of the list: actions for the selected questions, and undo. */
export function ListBar({ declines, actions }: { declines: Declines; actions: ListActions }) {
  const t = useTranslate();
  const { selected, isSelecting, dialog, lastSnooze } = actions;
  const none = selected.size === 0;
  return (
    <div className="list-bar">
      <div role="status">
        {declines.failure !== undefined && <p className="list-bar-row error">{t("decline.failed", { message: declines.failure })}</p>}
        {declines.waiting !== undefined && <DeclineUndo waiting={declines.waiting} onUndo={declines.undo} />}
        {declines.waiting === undefined && lastSnooze !== undefined && <SnoozeUndo last={lastSnooze} onOver={actions.forgetSnooze} />}
      </div>
      {isSelecting && (
        <div className="list-bar-row" role="toolbar" aria-label={t("inbox.select.several")}>
          <span className="list-bar-text">{t("inbox.selected", { count: selected.size })}</span>
          <button type="button" className="button small" onClick={actions.selectAll}>
            {t("inbox.select.all")}
          </button>
          <button type="button" className="button small" disabled={none} onClick={() => actions.open("snooze")}>
            {t("action.snooze")}
          </button>
          <button type="button" className="button small danger" disabled={none} onClick={() => actions.open("decline")}>
            {t("action.cancel")}
          </button>
          <button type="button" className="icon-button" onClick={actions.clear} aria-label={t("inbox.select.none")}>
            <Icon name="cross" />
          </button>
        </div>
      )}
      {dialog?.name === "decline" && (
        <CancelDialog count={dialog.sessions.length} onCancel={actions.decline} onClose={actions.closeDialog} />
      )}
      {dialog?.name === "snooze" && (
        <SnoozeDialog sessions={dialog.sessions} onSnooze={actions.snoozeUntil} onClose={actions.closeDialog} />
      )}
    </div>
  );
}

function DeclineUndo({ waiting, onUndo }: { waiting: Declining; onUndo(): void }) {
  const t = useTranslate();
  const now = useNow(250);
  const time = sayDuration(t, Math.max(0, waiting.sendAt - now) + 999);
  return <UndoRow text={t("decline.scheduled", { count: waiting.ids.length, time })} onUndo={onUndo} />;
}

function SnoozeUndo({ last, onOver }: { last: LastSnooze; onOver(): void }) {
  const t = useTranslate();
  const { moment, time } = useFormats();
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const timer = setTimeout(() => over(), snoozeUndo);
    return () => clearTimeout(timer);
  }, [last]);
  const isToday = new Date(last.until).toDateString() === new Date().toDateString();
  return <UndoRow text={t("snooze.done", { count: last.ids.length, time: (isToday ? time : moment)(last.until) })} onUndo={last.undo} />;
}

function UndoRow({ text, onUndo }: { text: string; onUndo(): void }) {
  const t = useTranslate();
  return (
    <p className="list-bar-row">
      <span className="list-bar-text">{text}</span>
      <button type="button" className="button small" onClick={onUndo}>
        {t("action.undo")}
      </button>
    </p>
  );
}
