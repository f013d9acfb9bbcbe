import { useAskbox } from "@askbox/react";
import { useTranslate } from "../i18n/language.tsx";
import { Icon } from "../ui/icons.tsx";
import { KeyHint } from "../ui/key-hint.tsx";
import { later } from "../ui/later.tsx";
import { snooze } from "./snooze.ts";
import type { ListActions } from "./use-list-actions.ts";

const CancelDialog = later(async () => (await import("../session/cancel-dialog.tsx")).CancelDialog);
const SnoozeDialog = later(async () => (await import("./snooze-dialog.tsx")).SnoozeDialog);

/** At the bottom of the list: actions for the selected questions. */
export function ListBar({ actions }: { actions: ListActions }) {
  const t = useTranslate();
  const page = useAskbox();
  const { selected, isSelecting, dialog } = actions;
  const none = selected.size === 0;
  return (
    <div className="list-bar">
      {isSelecting && (
        <div className="list-bar-row" role="toolbar" aria-label={t("inbox.select.several")}>
          <span className="list-bar-text">{t("inbox.selected", { count: selected.size })}</span>
          <button type="button" className="button small" onClick={actions.selectAll}>
            {t("inbox.select.all")}
          </button>
          <button type="button" className="button small" disabled={none} onClick={() => actions.open("snooze")}>
            {t("action.snooze")}
            <KeyHint action="snooze" />
          </button>
          <button type="button" className="button small danger" disabled={none} onClick={() => actions.open("decline")}>
            {t("action.cancel")}
            <KeyHint action="cancel" />
          </button>
          <button type="button" className="icon-button" onClick={actions.clear} aria-label={t("inbox.select.none")}>
            <Icon name="cross" />
          </button>
        </div>
      )}
      {dialog?.name === "decline" && <CancelDialog sessions={dialog.sessions} onCancel={actions.decline} onClose={actions.closeDialog} />}
      {dialog?.name === "snooze" && (
        <SnoozeDialog
          sessions={dialog.sessions}
          onSnooze={(until) => snooze(page, actions.finish(), until)}
          onClose={actions.closeDialog}
        />
      )}
    </div>
  );
}
