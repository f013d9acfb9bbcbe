import { useInbox } from "@askbox/react";
import { lazy, Suspense, useState } from "react";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { withWords } from "../i18n/translate.ts";
import { Link, navigate, useRoute } from "../router/router.tsx";
import { Icon } from "../ui/icons.tsx";
import { useKeys } from "../ui/use-key.ts";

const loadDialog = {
  keys: () => withWords(() => import("./keys-dialog.tsx")),
  preferences: () => withWords(() => import("./preferences-dialog.tsx")),
};
const KeysDialog = lazy(async () => ({ default: (await loadDialog.keys()).KeysDialog }));
const PreferencesDialog = lazy(async () => ({ default: (await loadDialog.preferences()).PreferencesDialog }));

/** Brings the dialogs in right after the first paint, so that they are there while the hub is away. */
export function preloadDialogs(): void {
  for (const load of Object.values(loadDialog)) load().catch(() => {});
}

/** The pages of the app, in the order of the navigation. */
const pages: readonly { path: string; label: MessageKey; views: readonly string[] }[] = [
  { path: "/", label: "nav.inbox", views: ["inbox", "session"] },
  { path: "/history", label: "nav.history", views: ["history"] },
  { path: "/numbers", label: "nav.numbers", views: ["numbers"] },
  { path: "/settings", label: "nav.settings", views: ["settings"] },
];

export function Header() {
  const t = useTranslate();
  const { view } = useRoute();
  const { pending } = useInbox();
  const [dialog, setDialog] = useState<"keys" | "preferences">();
  const close = () => setDialog(undefined);

  useKeys(({ is }) => {
    if (is("help")) setDialog("keys");
    else if (is("history")) navigate("/history");
    else return false;
    return true;
  });

  return (
    <header className="header">
      <span className="wordmark">{t("app.name")}</span>
      <nav aria-label={t("nav.main")}>
        {pages.map(({ path, label, views }) => (
          <Link key={path} href={path} className="header-link" aria-current={views.includes(view) ? "page" : undefined}>
            {t(label)}
            {path === "/" && pending.size > 0 && (
              <span className="count" title={t("inbox.count", { count: pending.size })}>
                {pending.size}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className="header-tools">
        <button
          type="button"
          className="icon-button keys-button"
          aria-label={t("header.keys")}
          title={`${t("header.keys")} (?)`}
          onClick={() => setDialog("keys")}
        >
          <Icon name="keys" />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t("header.preferences")}
          title={t("header.preferences")}
          onClick={() => setDialog("preferences")}
        >
          <Icon name="preferences" />
        </button>
      </div>
      <Suspense>
        {dialog === "keys" && <KeysDialog onClose={close} />}
        {dialog === "preferences" && <PreferencesDialog onClose={close} />}
      </Suspense>
    </header>
  );
}
