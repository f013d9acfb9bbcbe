import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useSettings } from "../stored-settings.ts";
import { createTranslate, english, type Language, loadCatalogue, preferredLanguage, type Translate } from "./translate.ts";

const TranslateContext = createContext<Translate>(createTranslate("en", english));

export function useTranslate(): Translate {
  return useContext(TranslateContext);
}

/** The initial language, before the first render. */
export function chosenLanguage(setting: Language | "browser"): Language {
  return setting === "browser" ? preferredLanguage(navigator.languages) : setting;
}

export function LanguageProvider({ initial, children }: { initial: { language: Language; translate: Translate }; children: ReactNode }) {
  const language = chosenLanguage(useSettings().language);
  const [present, setPresent] = useState(initial);

  useEffect(() => {
    let left = false;
    loadCatalogue(language).then(
      (catalogue) => {
        if (!left) setPresent({ language, translate: createTranslate(language, catalogue) });
      },
      // Without the hub the page keeps its language.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [language]);
  useEffect(() => {
    document.documentElement.lang = present.language;
  }, [present]);
  return <TranslateContext value={present.translate}>{children}</TranslateContext>;
}
