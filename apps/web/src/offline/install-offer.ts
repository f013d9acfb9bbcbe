import { createStore } from "@askbox/inbox";

/** The event that Chromium sends to an installable page; other browsers have a menu item. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The browser's offer to install the page, which comes soon after the page opens, until it is used. */
export const installOffer = createStore<InstallPrompt | undefined>(undefined);

export function keepInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installOffer.setState(event as InstallPrompt);
  });
  addEventListener("appinstalled", () => installOffer.setState(undefined));
}
