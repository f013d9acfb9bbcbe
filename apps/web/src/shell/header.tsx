import type { Clock, SessionView } from "@askbox/core";
import { useInbox } from "@askbox/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { Link, navigate, useRoute } from "../router/router.tsx";
import { Icon } from "../ui/icons.tsx";
import { isComposing, keyOf, useKeys } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";

const KeysDialog = later(async () => (await import("./dialogs.tsx")).KeysDialog);
const Palette = later(async () => (await import("../palette/palette.tsx")).Palette);
const PreferencesDialog = later(async () => (await import("./dialogs.tsx")).PreferencesDialog);

/** Preloads the dialogs after the first paint, so that they work while the hub is away. */
export function preloadDialogs(clock: Clock): void {
  for (const dialog of [KeysDialog, Palette, PreferencesDialog]) dialog.preload(clock);
}

/** The pages of the app, in the order of the navigation. */
const pages: readonly { path: string; label: MessageKey; views: readonly string[] }[] = [
  { path: "/", label: "nav.inbox", views: ["inbox", "session"] },
  { path: "/agents", label: "nav.agents", views: ["agents"] },
  { path: "/history", label: "nav.history", views: ["history"] },
  { path: "/numbers", label: "nav.numbers", views: ["numbers"] },
  { path: "/settings", label: "nav.settings", views: ["settings"] },
];

export function Header() {
  const t = useTranslate();
  const route = useRoute();
  const { view } = route;
  const { pending } = useInbox();
  const [dialog, setDialog] = useState<"keys" | "preferences" | "palette">();
  /** The question that the palette is about. */
  const current = useRef<SessionView>(undefined);
  const close = () => setDialog(undefined);

  useKeys(({ is }) => {
    if (is("help")) setDialog("keys");
    else if (is("history")) navigate("/history");
    else if (is("agents")) navigate("/agents");
    else return false;
    return true;
  });

  const openPalette = () => {
    const id = route.view === "session" ? route.id : document.activeElement?.closest<HTMLElement>("[data-session]")?.dataset["session"];
    current.current = pending.get(id ?? "");
    setDialog("palette");
  };
  const onPaletteKey = useEffectEvent((event: KeyboardEvent) => {
    if (keyOf(event) !== "ctrl+k" || isComposing(event) || document.querySelector("dialog[open]") !== null) return;
    event.preventDefault();
    openPalette();
  });
  // In a text field, too.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onPaletteKey(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);

  return (
    <header className="header" data-view={view}>
      <span className="wordmark">{t("app.name")}</span>
      <nav aria-label={t("nav.main")}>
        {pages.map(({ path, label, views }) => (
          <Link key={path} href={path} className="header-link" aria-current={views.includes(view) ? "page" : undefined}>
            {path === "/" && <Icon name="back" />}
            {t(label)}
            {path === "/" && (
              // Empty rather than absent, so that a new question moves nothing.
              <span className="count" title={t("inbox.count", { count: pending.size })}>
                {pending.size > 0 && pending.size}
              </span>
            )}
          </Link>
        ))}
      </nav>
      <div className="header-tools">
        <button
          type="button"
          className="icon-button palette-button"
          aria-label={t("palette.title")}
          title={t("palette.title")}
          onClick={openPalette}
        >
          <Icon name="search" />
        </button>
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
      {dialog === "keys" && <KeysDialog onClose={close} />}
      {dialog === "palette" && <Palette current={current.current} onClose={close} />}
      {dialog === "preferences" && <PreferencesDialog onClose={close} />}
    </header>
  );
}
