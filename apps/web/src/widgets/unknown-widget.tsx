import { useTranslate } from "../i18n/language.tsx";

/** A question of a type that only a newer askbox has. */
export function UnknownWidget() {
  const t = useTranslate();
  return <p className="notice">{t("question.unknown")}</p>;
}
