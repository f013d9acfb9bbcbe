import { clientTitle } from "@askbox/core/clients";
import { folderName } from "@askbox/inbox";
import { terminalLine } from "@askbox/terminal-text";
import type { RefObject } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { endings, type HistoryFilter } from "./history-query.ts";
import { useNames } from "./use-names.ts";

interface HistoryToolsProps {
  filter: HistoryFilter;
  onChange(filter: HistoryFilter): void;
  search: RefObject<HTMLInputElement | null>;
}

/** Search and filters. */
export function HistoryTools({ filter, onChange, search }: HistoryToolsProps) {
  const t = useTranslate();
  const { projects, clients } = useNames();
  return (
    <search className="history-tools">
      <input
        ref={search}
        type="search"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
        }}
        placeholder={t("history.search.hint")}
        aria-label={t("inbox.search")}
      />
      <select
        value={filter.ending ?? ""}
        onChange={(event) => onChange({ ...filter, ending: endings.find((ending) => ending === event.target.value) })}
        aria-label={t("history.outcome")}
      >
        <option value="">{t("history.outcome.all")}</option>
        {endings.map((ending) => (
          <option key={ending} value={ending}>
            {t(`history.outcome.${ending}`)}
          </option>
        ))}
      </select>
      <select
        value={filter.project ?? ""}
        onChange={(event) => onChange({ ...filter, project: event.target.value || undefined })}
        aria-label={t("inbox.project")}
      >
        <option value="">{t("inbox.project.all")}</option>
        {projects.map((project) => (
          <option key={project} value={project} title={terminalLine(project)}>
            {terminalLine(folderName(project))}
          </option>
        ))}
      </select>
      <select
        value={filter.client ?? ""}
        onChange={(event) => onChange({ ...filter, client: event.target.value || undefined })}
        aria-label={t("history.agent")}
      >
        <option value="">{t("history.agent.all")}</option>
        {clients.map((client) => (
          <option key={client} value={client}>
            {terminalLine(clientTitle(client))}
          </option>
        ))}
      </select>
    </search>
  );
}
