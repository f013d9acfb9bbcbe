import { createStore } from "@askbox/react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslate } from "../i18n/language.tsx";

/** The event that Chromium sends to an installable page; other browsers have a menu item. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

const offer = createStore<InstallPrompt | undefined>(undefined);

/** Keeps the browser's install event, which comes soon after the page opens, until it is used. */
export function keepInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer.setState(event as InstallPrompt);
  });
  addEventListener("appinstalled", () => offer.setState(undefined));
}

/** The button that installs the page; undefined if the browser does not offer it. */
export function InstallOffer({ around }: { around(button: ReactNode): ReactNode }) {
  const t = useTranslate();
  const prompt = useSyncExternalStore(offer.subscribe, offer.getState);
  if (prompt === undefined) return null;
  const install = async () => {
    await prompt.prompt();
    offer.setState(undefined);
  };
  return around(
    <p>
      <button type="button" className="button" onClick={() => void install()}>
        {t("install.button")}
      </button>
    </p>,
  );
}
