import "./more-pages.css";
import { type ReactNode, useId, useRef } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Icon } from "../ui/icons.tsx";
import { laterIcons } from "../ui/later-icons.ts";

/** What a phone's header has no room for: a native popover, which closes on Escape, or a touch inside or outside. */
export function MorePages({ children }: { children: ReactNode }) {
  const t = useTranslate();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  return (
    <>
      <button type="button" className="icon-button more-button" popoverTarget={id} aria-label={t("nav.more")} title={t("nav.more")}>
        <Icon name={laterIcons.more} />
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link clicks it, too. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its links are what is pressed. */}
      <div ref={menu} id={id} popover="auto" className="more-pages" onClick={() => menu.current?.hidePopover()}>
        {children}
      </div>
    </>
  );
}
