/** The history: its search and filters, its list, and the session that is read. */
import "./history.css";
import { clientTitle } from "@askbox/core/clients";
import { searchWords } from "@askbox/core/questions";
import { folderName } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { historyPath, navigate, useRoute } from "../router/router.tsx";
import { FoundContext } from "../ui/agent-text.tsx";
import { useKeys } from "../ui/keyboard.ts";
import { ExportButtons } from "./export.tsx";
import { HistoryList } from "./history-list.tsx";
import { SessionReader } from "./session-reader.tsx";
import { endings, everything, type HistoryFilter, settledPages, useHistory } from "./use-history.ts";

/** What was asked and how it ended: a searchable list next to the selected session. */
export function HistoryPage() {
  const t = useTranslate();
  const route = useRoute();
  const openId = route.view === "history" ? route.id : undefined;
  const [filter, setFilter] = useState<HistoryFilter>(everything);
  const text = useDeferredValue(filter.text);
  const { project, client, ending } = filter;
  const query = useMemo(() => ({ text, project, client, ending }), [text, project, client, ending]);
  const found = useMemo(() => searchWords(text), [text]);
  const history = useHistory(query);
  const search = useRef<HTMLInputElement>(null);

  useKeys(({ is }) => {
    if (is("search")) {
      search.current?.focus();
      return true;
    }
    if (is("back") && openId !== undefined) {
      navigate("/history");
      return true;
    }
    const index = history.items.findIndex(({ id }) => id === openId);
    const target = is("down") ? history.items[index + 1] : is("up") ? history.items[Math.max(0, index - 1)] : undefined;
    if (target === undefined) return false;
    navigate(historyPath(target.id));
    return true;
  });

  return (
    <main className="panes" data-view={openId === undefined ? "inbox" : "session"}>
      {openId === undefined && <h1 className="visually-hidden">{t("history.title")}</h1>}
      <section className="list" aria-label={t("history.title")}>
        <HistoryTools filter={filter} onChange={setFilter} search={search} />
        {history.items.length > 0 && <ExportButtons filter={query} />}
        <FoundContext value={found}>
          <HistoryList history={history} filter={query} openId={openId} />
        </FoundContext>
      </section>
      <div key={openId} className="detail" id="detail" tabIndex={-1}>
        {openId === undefined ? (
          history.items.length > 0 && (
            <div className="choose">
              <p className="quiet">{t("history.choose")}</p>
            </div>
          )
        ) : (
          <SessionReader id={openId} />
        )}
      </div>
    </main>
  );
}

interface HistoryToolsProps {
  filter: HistoryFilter;
  onChange(filter: HistoryFilter): void;
  search: RefObject<HTMLInputElement | null>;
}

/** Search and filters. */
function HistoryTools({ filter, onChange, search }: HistoryToolsProps) {
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

/** The number of recent sessions that are searched for names to filter by. */
const bound = 1_000;

interface Names {
  projects: readonly string[];
  clients: readonly string[];
}

/** The projects and agents in the history. */
function useNames(): Names {
  const { desk } = useAskbox();
  const [names, setNames] = useState<Names>({ projects: [], clients: [] });

  useEffect(() => {
    let left = false;
    const projects = new Set<string>();
    const clients = new Set<string>();
    const read = async () => {
      for await (const { items } of settledPages(desk, { bound })) {
        if (left) return;
        for (const { asker } of items) {
          clients.add(asker.client.name);
          if (asker.project !== undefined) projects.add(asker.project);
        }
      }
      setNames({ projects: sorted(projects, folderName), clients: sorted(clients, (name) => name) });
    };
    // The filters work without names, too.
    read().catch(() => {});
    return () => {
      left = true;
    };
  }, [desk]);
  return names;
}

function sorted(names: ReadonlySet<string>, shown: (name: string) => string): string[] {
  return [...names].sort((a, b) => shown(a).localeCompare(shown(b)) || a.localeCompare(b));
}
