/** The settings that this browser keeps, and whether it may notify. */
import { useEffect, useId, useState } from "react";
import { turnNotificationsOn } from "../alerts/notify.ts";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { isLanguage, languages } from "../i18n/translate.ts";
import { changeSettings, type Settings, useSettings } from "../stored-settings.ts";

const undoChoices = [0, 3, 5, 10, 30];

/** The preferences for this browser. */
export function PreferenceFields() {
  const t = useTranslate();
  const { theme, language, layout, undoSeconds, sendOnPick, opensNext, sound } = useSettings();
  return (
    <div className="preferences">
      <label>
        <span>{t("preferences.theme")}</span>
        <select value={theme} onChange={(event) => changeSettings({ theme: event.target.value as Settings["theme"] })}>
          <option value="system">{t("preferences.theme.system")}</option>
          <option value="light">{t("preferences.theme.light")}</option>
          <option value="dark">{t("preferences.theme.dark")}</option>
        </select>
      </label>
      <label>
        <span>{t("preferences.language")}</span>
        <select
          value={language}
          onChange={(event) => changeSettings({ language: isLanguage(event.target.value) ? event.target.value : "browser" })}
        >
          <option value="browser">{t("preferences.theme.system")}</option>
          {Object.entries(languages).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>{t("preferences.layout")}</span>
        <select value={layout} onChange={(event) => changeSettings({ layout: event.target.value as Settings["layout"] })}>
          <option value="steps">{t("session.layout.steps")}</option>
          <option value="page">{t("session.layout.page")}</option>
        </select>
      </label>
      <label>
        <span>{t("preferences.undo")}</span>
        <select value={undoSeconds} onChange={(event) => changeSettings({ undoSeconds: Number(event.target.value) })}>
          {undoChoices.map((seconds) => (
            <option key={seconds} value={seconds}>
              {seconds === 0 ? t("preferences.undo.none") : t("time.seconds", { count: seconds })}
            </option>
          ))}
        </select>
      </label>
      <label className="switch">
        <span>{t("preferences.sendOnPick")}</span>
        <input type="checkbox" checked={sendOnPick} onChange={(event) => changeSettings({ sendOnPick: event.target.checked })} />
      </label>
      <p className="quiet preference-hint">{t("preferences.sendOnPick.hint")}</p>
      <label className="switch">
        <span>{t("preferences.opensNext")}</span>
        <input type="checkbox" checked={opensNext} onChange={(event) => changeSettings({ opensNext: event.target.checked })} />
      </label>
      <NotificationField />
      <label className="switch">
        <span>{t("preferences.sound")}</span>
        <input type="checkbox" checked={sound} onChange={(event) => changeSettings({ sound: event.target.checked })} />
      </label>
    </div>
  );
}

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

/** The browser's notification permission; `insecure` if it only offers them to secure origins. */
type NotificationPower = NotificationPermission | "insecure" | "missing";

function present(): NotificationPower {
  if ("Notification" in globalThis) return Notification.permission;
  return isSecureContext ? "missing" : "insecure";
}

/** The current permission, which may change in the browser's own settings at any time. */
function useNotificationPower(): NotificationPower {
  const [power, setPower] = useState(present);

  useEffect(() => {
    let status: PermissionStatus | undefined;
    let left = false;
    const update = () => setPower(present());
    navigator.permissions?.query({ name: "notifications" }).then(
      (found) => {
        if (left) return;
        status = found;
        found.addEventListener("change", update);
      },
      // Some browsers don't report changes; they are checked again when the page becomes visible.
      () => {},
    );
    addEventListener("focus", update);
    return () => {
      left = true;
      status?.removeEventListener("change", update);
      removeEventListener("focus", update);
    };
  }, []);
  return power;
}
