import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { installOffer } from "../offline/install-offer.ts";

/** The button that installs the page; nothing if the browser does not offer it. */
export function InstallButton({ around }: { around(button: ReactNode): ReactNode }) {
  const t = useTranslate();
  const prompt = useSyncExternalStore(installOffer.subscribe, installOffer.getState);
  if (prompt === undefined) return null;
  const install = async () => {
    await prompt.prompt();
    installOffer.setState(undefined);
  };
  return around(
    <p>
      <button type="button" className="button" onClick={() => void install()}>
        {t("install.button")}
      </button>
    </p>,
  );
}
