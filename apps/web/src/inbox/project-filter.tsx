import { groupOf } from "@askbox/inbox/list";
import { useInbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { useMemo } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { sayPlace } from "../i18n/say-place.ts";
import { type ListFilter, narrowed } from "./filter.ts";

/** Narrows the list to one project, if there are several: a folder on a machine. */
export function ProjectFilter({ filter, onFilter }: { filter: ListFilter; onFilter(change: ListFilter): void }) {
  const t = useTranslate();
  const { pending } = useInbox();
  const { project } = filter;
  const projects = useMemo(() => {
    const groups = [...pending.values()].flatMap((session) => groupOf(session, "project") ?? []);
    return [...new Set(groups)].sort((a, b) => sayPlace(t, a).localeCompare(sayPlace(t, b)));
  }, [pending, t]);
  if (projects.length < 2) return null;
  return (
    <select
      className="project-filter"
      value={project ?? ""}
      onChange={({ target }) => onFilter(narrowed(filter, "project", target.value))}
      aria-label={t("inbox.project")}
    >
      <option value="">{t("inbox.project.all")}</option>
      {projects.map((group) => (
        <option key={group} value={group}>
          {terminalLine(sayPlace(t, group))}
        </option>
      ))}
    </select>
  );
}
