import { useTranslate } from "../i18n/language.tsx";
import { Link } from "../router/router.tsx";
import { PreferenceFields } from "../settings/preference-fields.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** The preferences, without leaving a question. */
export function PreferencesDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate();
  return (
    <Dialog title={t("preferences.title")} onClose={onClose}>
      <PreferenceFields />
      <div className="dialog-actions">
        <Link href="/settings" className="button quiet-button" onClick={onClose}>
          {t("preferences.all")}
        </Link>
        <button type="button" className="button" onClick={onClose}>
          {t("action.close")}
        </button>
      </div>
    </Dialog>
  );
}
