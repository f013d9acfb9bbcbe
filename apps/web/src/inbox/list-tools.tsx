import { type KeyboardEvent, type RefObject, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { Icon } from "../ui/icons.tsx";
import { isComposing } from "../ui/keyboard.ts";
import { later } from "../ui/later.tsx";
import type { ListFilter } from "./filter.ts";

/** Not part of the first paint. */
const ProjectFilter = later(async () => (await import("./project-filter.tsx")).ProjectFilter);
const ViewMenu = later(async () => (await import("./view-menu.tsx")).ViewMenu);

interface ListToolsProps {
  filter: ListFilter;
  onFilter(change: ListFilter): void;
  search: RefObject<HTMLInputElement | null>;
  /** Enter opens the first hit; ArrowDown goes to it. */
  onSearchKey(key: "Enter" | "ArrowDown" | "Escape"): void;
  onSelect(): void;
}

/** Search, project filter and view options. */
export function ListTools({ filter, onFilter, search, onSearchKey, onSelect }: ListToolsProps) {
  const t = useTranslate();
  const { text = "", project } = filter;
  const [isOpen, setOpen] = useState(text !== "" || project !== undefined);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    if (isComposing(event) || (key !== "Enter" && key !== "ArrowDown" && key !== "Escape")) return;
    // Browsers clear a search field on Escape.
    event.preventDefault();
    event.stopPropagation();
    onSearchKey(key);
  };
  return (
    <search className="list-tools" data-open={isOpen || undefined}>
      <button
        type="button"
        className="icon-button list-tools-button"
        aria-expanded={isOpen}
        aria-label={t("inbox.search.hint")}
        title={t("inbox.search.hint")}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="filter" />
      </button>
      <ProjectFilter filter={filter} onFilter={onFilter} />
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
      <ViewMenu filter={filter} onFilter={onFilter} onSelect={onSelect} fallback={<span className="icon-button" />} />
    </search>
  );
}
