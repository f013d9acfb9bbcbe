import { canNotify, turnNotificationsOn } from "../alerts/notify.ts";
import { useTranslate } from "../i18n/language.tsx";
import { changeSettings, useSettings } from "../stored-settings.ts";
import { useBeginnings } from "./use-beginnings.ts";

/** Asks once in the page before the browser's own permission prompt, when there is something to be notified of: after the first answer. */
export function NotifyQuestion() {
  const t = useTranslate();
  const { notify } = useSettings();
  const begun = useBeginnings();
  if (notify !== "unasked" || !canNotify() || begun?.hasAnswered !== true) return null;
  return (
    <div className="notify">
      <p>{t("alerts.ask")}</p>
      <button type="button" className="button small" onClick={() => void turnNotificationsOn(t)}>
        {t("alerts.yes")}
      </button>
      <button type="button" className="button small quiet-button" onClick={() => changeSettings({ notify: "off" })}>
        {t("alerts.no")}
      </button>
    </div>
  );
}
