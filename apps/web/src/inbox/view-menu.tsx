import { groupings, groupOf, type SessionKind } from "@askbox/inbox/list";
import { useInbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useId } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { changeSettings, useSettings } from "../stored-settings.ts";
import { Icon } from "../ui/icons.tsx";
import { laterIcons } from "../ui/later-icons.ts";
import { type ListFilter, narrowed } from "./filter.ts";
import { sayKindName } from "./kind.ts";

interface ViewMenuProps {
  filter: ListFilter;
  onFilter(change: ListFilter): void;
  onSelect(): void;
}

const densities = ["auto", "comfortable", "compact"] as const;

/** Order, groups, filters and density, in a native popover, which closes on Escape or a click outside. */
export function ViewMenu({ filter, onFilter, onSelect }: ViewMenuProps) {
  const t = useTranslate();
  const { sort, groupBy, density } = useSettings();
  const id = useId();
  return (
    <div className="view-menu">
      <button type="button" className="icon-button" popoverTarget={id} aria-label={t("inbox.view")} title={t("inbox.view")}>
        <Icon name={laterIcons.view} />
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
          <span>{t("inbox.groups")}</span>
          <select
            value={groupBy}
            onChange={({ target }) => changeSettings({ groupBy: groupings.find((by) => by === target.value) ?? "none" })}
          >
            <option value="none">{t("inbox.groups.none")}</option>
            {groupings.map((by) => (
              <option key={by} value={by}>
                {t(`inbox.groups.${by}`)}
              </option>
            ))}
          </select>
        </label>
        <Only by="agent" filter={filter} onFilter={onFilter} />
        <Only by="kind" filter={filter} onFilter={onFilter} />
        <Only by="machine" filter={filter} onFilter={onFilter} />
        <label>
          <span>{t("inbox.density")}</span>
          <select
            value={density}
            onChange={({ target }) => changeSettings({ density: densities.find((each) => each === target.value) ?? "auto" })}
          >
            {densities.map((each) => (
              <option key={each} value={each}>
                {t(`inbox.density.${each}`)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="button small" popoverTarget={id} popoverTargetAction="hide" onClick={onSelect}>
          {t("inbox.select.several")}
        </button>
      </div>
    </div>
  );
}

/** Narrows the list to one agent, kind or machine, if there is another; the filter for projects is next to the search. */
function Only({ by, filter, onFilter }: { by: "agent" | "kind" | "machine" } & Omit<ViewMenuProps, "onSelect">) {
  const t = useTranslate();
  const { pending } = useInbox();
  const chosen = filter[by] ?? "";
  const present = new Set([...pending.values()].flatMap((session) => groupOf(session, by) ?? []));
  // One that has gone can still be taken back.
  if (chosen !== "") present.add(chosen);
  const say = (value: string) => (by === "kind" ? sayKindName(t, value as SessionKind) : terminalLine(value));
  if (by === "machine" && present.size === 0) return null;
  return (
    <label>
      <span>{t(`inbox.only.${by}`)}</span>
      <select value={chosen} onChange={({ target }) => onFilter(narrowed(filter, by, target.value))}>
        <option value="">{t("inbox.only.all")}</option>
        {[...present]
          .sort((a, b) => say(a).localeCompare(say(b)))
          .map((value) => (
            <option key={value} value={value}>
              {say(value)}
            </option>
          ))}
      </select>
    </label>
  );
}
