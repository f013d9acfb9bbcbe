import { useState } from "react";
import { canNotify, turnNotificationsOn } from "../alerts/notify.ts";
import { useTranslate } from "../i18n/language.tsx";
import { isLanguage, languages } from "../i18n/translate.ts";
import { changeSettings, type Settings, useSettings } from "../settings/settings.ts";
import { Dialog } from "../ui/dialog.tsx";

const undoChoices = [0, 3, 5, 10, 30];

export function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate();
  const { theme, language, layout, undoSeconds, notify, sound } = useSettings();
  const [denied, setDenied] = useState(false);
  const setNotify = async (on: boolean) => {
    if (on) setDenied(!(await turnNotificationsOn()));
    else changeSettings({ notify: "off" });
  };
  return (
    <Dialog title={t("preferences.title")} onClose={onClose}>
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
          <span>{t("preferences.notify")}</span>
          <input type="checkbox" checked={notify === "on" && canNotify()} onChange={(event) => void setNotify(event.target.checked)} />
        </label>
        {denied && <p className="error">{t("alerts.denied")}</p>}
        <label className="switch">
          <span>{t("preferences.sound")}</span>
          <input type="checkbox" checked={sound} onChange={(event) => changeSettings({ sound: event.target.checked })} />
        </label>
      </div>
      <div className="dialog-actions">
        <button type="button" className="button" onClick={onClose}>
          {t("action.close")}
        </button>
      </div>
    </Dialog>
  );
}
