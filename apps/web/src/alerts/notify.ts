/** Notifications of the browser, and the sound. A browser may allow neither; then nothing happens. */
import type { SessionView } from "@askbox/core";
import { sessionTitle } from "@askbox/inbox";
import { terminalLine } from "@askbox/terminal-text";
import { basePath } from "../base-path.ts";
import type { MessageKey } from "../i18n/en.ts";
import type { Translate } from "../i18n/translate.ts";
import { navigate, sessionPath } from "../router/router.tsx";
import { changeSettings, settings } from "../stored-settings.ts";

export const canNotify = (): boolean => "Notification" in globalThis && Notification.permission !== "denied";

/** Asks the browser for permission, shows a test notification, and stores the result. */
export async function turnNotificationsOn(t: Translate): Promise<void> {
  const permission = "Notification" in globalThis ? await Notification.requestPermission() : "denied";
  if (permission !== "granted") changeSettings({ notify: "off" });
  else if (show(t("app.name"), { body: t("alerts.test"), tag: "askbox", icon: `${basePath}/icon.svg` }) !== undefined)
    changeSettings({ notify: "on" });
}

/** Notifies of a question if the page isn't visible: with a sound and a notification, according to the settings. */
export function announce(session: SessionView, title: MessageKey, t: Translate): void {
  const { notify, sound } = settings.getState();
  if (document.visibilityState === "visible" && document.hasFocus()) return;
  if (sound) playSound();
  if (notify !== "on" || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  const notification = show(t(title), { body: terminalLine(sessionTitle(session)), tag: session.id, icon: `${basePath}/icon.svg` });
  if (notification === undefined) return;
  notification.onclick = () => {
    window.focus();
    navigate(sessionPath(session.id));
    notification.close();
  };
}

/** Undefined, and stored as failed, if the browser only has notifications in service workers, as on phones: its constructor throws there. */
function show(title: string, options: NotificationOptions): Notification | undefined {
  try {
    return new Notification(title, options);
  } catch {
    changeSettings({ notify: "failed" });
    return undefined;
  }
}

/** Two soft notes, synthesised so that no file is loaded. Browsers only allow sound after the user has interacted with the page. */
function playSound(): void {
  try {
    playNotes();
  } catch {
    // The title and the icon still change.
  }
}

function playNotes(): void {
  const context = new AudioContext();
  const note = (frequency: number, at: number) => {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    oscillator.frequency.value = frequency;
    gain.gain.setValueAtTime(0, context.currentTime + at);
    gain.gain.linearRampToValueAtTime(0.12, context.currentTime + at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + at + 0.35);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(context.currentTime + at);
    oscillator.stop(context.currentTime + at + 0.4);
    return oscillator;
  };
  note(660, 0);
  note(880, 0.14).onended = () => void context.close();
}
