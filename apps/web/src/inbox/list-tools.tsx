import { folderName, type SessionFilter, useInbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { type KeyboardEvent, type RefObject, useId, useMemo } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { changeSettings, useSettings } from "../settings/settings.ts";
import { Icon } from "../ui/icons.tsx";
import { isComposing } from "../ui/keyboard.ts";

interface ListToolsProps {
  filter: SessionFilter;
  onFilter(change: SessionFilter): void;
  /** The number of questions that match the filter. */
  found: number;
  total: number;
  search: RefObject<HTMLInputElement | null>;
  /** Enter opens the first hit; ArrowDown goes to it. */
  onSearchKey(key: "Enter" | "ArrowDown" | "Escape"): void;
  onSelect(): void;
}

/** Search, project filter and view options. */
export function ListTools({ filter, onFilter, found, total, search, onSearchKey, onSelect }: ListToolsProps) {
  const t = useTranslate();
  const { pending } = useInbox();
  const { text = "", project } = filter;
  const projects = useMemo(() => {
    const names = [...pending.values()].flatMap(({ asker }) => (asker.project === undefined ? [] : [asker.project]));
    return [...new Set(names)].sort((a, b) => folderName(a).localeCompare(folderName(b)));
  }, [pending]);
  const isFiltered = text.trim() !== "" || project !== undefined;
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    if (isComposing(event) || (key !== "Enter" && key !== "ArrowDown" && key !== "Escape")) return;
    // Browsers clear a search field on Escape.
    event.preventDefault();
    event.stopPropagation();
    onSearchKey(key);
  };
  return (
    <search className="list-tools">
      <div className="search-field">
        <input
          ref={search}
          type="search"
          value={text}
          onChange={(event) => onFilter({ ...filter, text: event.target.value })}
          onKeyDown={onKeyDown}
          placeholder={t("inbox.search.hint")}
          aria-label={t("inbox.search")}
        />
        {text !== "" && (
          <button
            type="button"
            className="icon-button search-clear"
            aria-label={t("inbox.search.clear")}
            onClick={() => {
              onFilter({ ...filter, text: "" });
              search.current?.focus();
            }}
          >
            <Icon name="cross" />
          </button>
        )}
      </div>
      {projects.length > 1 && (
        <select
          className="project-filter"
          value={project ?? ""}
          onChange={(event) => onFilter({ ...filter, project: event.target.value || undefined })}
          aria-label={t("inbox.project")}
        >
          <option value="">{t("inbox.project.all")}</option>
          {projects.map((path) => (
            <option key={path} value={path}>
              {terminalLine(folderName(path))}
            </option>
          ))}
        </select>
      )}
      <ViewMenu onSelect={onSelect} />
      <p className="list-found quiet" role="status">
        {isFiltered && t("inbox.found", { count: found, total })}
      </p>
    </search>
  );
}

/** Order, groups and density, in a native popover, which closes on Escape or a click outside. */
function ViewMenu({ onSelect }: { onSelect(): void }) {
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
