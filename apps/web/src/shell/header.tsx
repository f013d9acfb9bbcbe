import type { Clock, SessionView } from "@askbox/core";
import { isDenial } from "@askbox/inbox/list";
import { useInbox } from "@askbox/react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { MessageKey } from "../i18n/en.ts";
import { useTranslate } from "../i18n/language.tsx";
import { useHidden } from "../inbox/use-declines.ts";
import { Link, navigate, useRoute } from "../router/router.tsx";
import { Icon } from "../ui/icons.tsx";
import { isComposing, keyOf, useKeys } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";

const KeysDialog = later(async () => (await import("./keys-dialog.tsx")).KeysDialog);
const MorePages = later(async () => (await import("./more-pages.tsx")).MorePages);
const Palette = later(async () => (await import("../palette/palette.tsx")).Palette);

/** Preloads the dialogs after the first paint, so that they work while the hub is away. */
export function preloadDialogs(clock: Clock): void {
  for (const dialog of [KeysDialog, Palette]) dialog.preload(clock);
}

interface Page {
  path: string;
  label: MessageKey;
  views: readonly string[];
  /** Whether a phone has it behind a button. */
  isRare?: true;
}

/** The pages of the app, in the order of the navigation. */
const pages: readonly Page[] = [
  { path: "/", label: "nav.inbox", views: ["inbox", "session"] },
  { path: "/agents", label: "nav.agents", views: ["agents"] },
  { path: "/history", label: "nav.history", views: ["history"] },
  { path: "/ran", label: "nav.ran", views: ["ran"], isRare: true },
  { path: "/numbers", label: "nav.numbers", views: ["numbers"], isRare: true },
  { path: "/settings", label: "nav.settings", views: ["settings"], isRare: true },
];

export function Header() {
  const t = useTranslate();
  const route = useRoute();
  const { view } = route;
  const { pending } = useInbox();
  const hidden = useHidden();
  const count = [...pending.values()].filter((session) => !hidden.has(session.id) && !isDenial(session)).length;
  const [dialog, setDialog] = useState<"keys" | "palette">();
  /** The question that the palette is about. */
  const current = useRef<SessionView>(undefined);
  const close = () => setDialog(undefined);

  useKeys(({ is }) => {
    if (is("help")) setDialog("keys");
    else if (is("history")) navigate("/history");
    else if (is("agents")) navigate("/agents");
    else if (is("ran")) navigate("/ran");
    else return false;
    return true;
  });

  const openPalette = () => {
    const row =
      document.activeElement?.closest<HTMLElement>("[data-session]") ?? document.querySelector<HTMLElement>(".list [data-peeked]");
    const id = route.view === "session" ? route.id : row?.dataset["session"];
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

  const link = ({ path, label, views, isRare }: Page) => (
    <Link key={path} href={path} className="header-link" data-rare={isRare} aria-current={views.includes(view) ? "page" : undefined}>
      {path === "/" && <Icon name="back" />}
      {t(label)}
      {path === "/" && (
        // Also without a question, so that a new one moves nothing.
        <span className="count" data-none={count === 0 || undefined} title={t("inbox.count", { count })}>
          {count}
        </span>
      )}
    </Link>
  );

  return (
    <header className="header" data-view={view}>
      <span className="wordmark">{t("app.name")}</span>
      <nav aria-label={t("nav.main")}>
        {pages.map(link)}
        <MorePages fallback={<span className="icon-button more-button" />}>{pages.filter(({ isRare }) => isRare).map(link)}</MorePages>
      </nav>
      <div className="header-tools">
        <Tool name="search" label={t("palette.title")} keys="Ctrl K" onClick={openPalette} />
        <Tool name="keys" label={t("header.keys")} keys="?" onClick={() => setDialog("keys")} />
      </div>
      {dialog === "keys" && <KeysDialog onClose={close} />}
      {dialog === "palette" && <Palette current={current.current} onClose={close} />}
    </header>
  );
}

function Tool({ name, label, keys, onClick }: { name: "search" | "keys"; label: string; keys: string; onClick(): void }) {
  return (
    <button type="button" className={`icon-button ${name}-button`} aria-label={label} title={`${label} (${keys})`} onClick={onClick}>
      <Icon name={name} />
    </button>
  );
}
