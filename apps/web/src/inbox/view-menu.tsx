import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { changeSettings, useSettings } from "../stored-settings.ts";
import { Icon } from "../ui/icons.tsx";

/** Order, groups and density, in a native popover, which closes on Escape or a click outside. */
export function ViewMenu({ onSelect }: { onSelect(): void }) {
  const t = useTranslate();
  const { sort, grouped, density } = useSettings();
  const id = useId();
  return (
    <div className="view-menu">
      <button type="button" className="icon-button" popoverTarget={id} aria-label={t("inbox.view")} title={t("inbox.view")}>
        <Icon name="view" />
      </button>
      <div id={id} popover="auto" className="view-popover">
        <label>
          <span>{t("inbox.sort")}</span>
          <select value={sort} onChange={(event) => changeSettings({ sort: event.target.value === "newest" ? "newest" : "deadline" })}>
            <option value="deadline">{t("inbox.sort.deadline")}</option>
            <option value="newest">{t("inbox.sort.newest")}</option>
          </select>
        </label>
        <label>
          <span>{t("inbox.density")}</span>
          <select
            value={density}
            onChange={(event) => changeSettings({ density: event.target.value === "compact" ? "compact" : "comfortable" })}
          >
            <option value="comfortable">{t("inbox.density.comfortable")}</option>
            <option value="compact">{t("inbox.density.compact")}</option>
          </select>
        </label>
        <label className="switch">
          <span>{t("inbox.grouped")}</span>
          <input type="checkbox" checked={grouped} onChange={(event) => changeSettings({ grouped: event.target.checked })} />
        </label>
        <button type="button" className="button small" popoverTarget={id} popoverTargetAction="hide" onClick={onSelect}>
          {t("inbox.select.several")}
        </button>
      </div>
    </div>
  );
}
