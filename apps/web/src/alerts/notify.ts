import type { SessionView } from "@askbox/core";
import { sessionTitle } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { basePath } from "../base-path.ts";
import type { Translate } from "../i18n/translate.ts";
import { navigate, sessionPath } from "../router/router.tsx";
import { changeSettings, settings } from "../settings/settings.ts";
import { playSound } from "./sound.ts";

export const canNotify = (): boolean => "Notification" in globalThis && Notification.permission !== "denied";

/** Asks the browser, and keeps what the person said. Resolves with whether notifications are on. */
export async function turnNotificationsOn(): Promise<boolean> {
  const permission = "Notification" in globalThis ? await Notification.requestPermission() : "denied";
  changeSettings({ notify: permission === "granted" ? "on" : "off" });
  return permission === "granted";
}

/** Tells of a new question while the page is not in front. */
export function announce(session: SessionView, t: Translate): void {
  const { notify, sound } = settings.getState();
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  if (sound) playSound();
  if (notify !== "on" || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  const notification = show(t("alerts.title"), {
    body: terminalLine(sessionTitle(session)),
    tag: session.id,
    icon: `${basePath}/icon.svg`,
  });
  if (notification === undefined) return;
  notification.onclick = () => {
    window.focus();
    navigate(sessionPath(session.id));
    notification.close();
  };
}

/** Undefined if the browser has notifications for service workers alone, as phones do: its constructor throws there. */
function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    return undefined;
  }
}
