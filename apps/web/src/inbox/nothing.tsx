import { useTranslate } from "../i18n/language.tsx";
import { Link } from "../router/router.tsx";

/** What the list says while no question waits. */
export function Nothing() {
  const t = useTranslate();
  return (
    <div className="nothing">
      <p className="nothing-title">{t("inbox.empty.title")}</p>
      <p className="quiet">{t("inbox.empty.text")}</p>
      <p>
        <Link href="/history" className="button small">
          {t("nav.history")}
        </Link>
      </p>
    </div>
  );
}
