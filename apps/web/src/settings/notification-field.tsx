import { useId } from "react";
import { turnNotificationsOn } from "../alerts/notify.ts";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { changeSettings, useSettings } from "../stored-settings.ts";
import { type NotificationPower, useNotificationPower } from "./notification-power.ts";

/** What prevents notifications, and who can fix it. */
const hints: Partial<Record<NotificationPower, MessageKey>> = {
  denied: "preferences.notify.denied",
  insecure: "preferences.notify.insecure",
  missing: "preferences.notify.missing",
};

/** A switch that is on only if notifications will really be shown. */
export function NotificationField() {
  const t = useTranslate();
  const { notify } = useSettings();
  const power = useNotificationPower();
  const id = useId();
  const canBeOn = power === "granted" || power === "default";
  const hint =
    hints[power] ??
    (notify === "failed" ? "preferences.notify.failed" : notify === "on" && power === "default" ? "preferences.notify.unasked" : undefined);
  return (
    <>
      <label className="switch">
        <span>{t("preferences.notify")}</span>
        <input
          type="checkbox"
          checked={notify === "on" && power === "granted"}
          disabled={!canBeOn}
          aria-describedby={hint === undefined ? undefined : id}
          onChange={(event) => (event.target.checked ? void turnNotificationsOn(t) : changeSettings({ notify: "off" }))}
        />
      </label>
      {hint !== undefined && (
        <p id={id} className="preference-hint quiet">
          {t(hint)}
        </p>
      )}
    </>
  );
}
