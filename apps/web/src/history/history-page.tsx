/** The history: its search and filters, its list with a cursor, and beside it the session under the cursor, or the one that is open. */
import "./history.css";
import { clientTitle } from "@askbox/core/clients";
import { searchWords } from "@askbox/core/questions";
import { folderName } from "@askbox/inbox";
import { useAskbox } from "@askbox/react";
import { terminalLine } from "@askbox/terminal-text";
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { historyPath, isPassing, navigate, useRoute } from "../router/router.tsx";
import { FoundContext } from "../ui/agent-text.tsx";
import { isComposing, useKeys } from "../ui/keyboard.ts";
import { useRowCursor } from "../ui/list-cursor.ts";
import { useMedia } from "../ui/use-media.ts";
import { ExportButtons } from "./export.tsx";
import { HistoryList } from "./history-list.tsx";
import { SessionReader } from "./session-reader.tsx";
import { endings, everything, type HistoryFilter, isFiltered, settledPages, useHistory } from "./use-history.ts";

/** What was asked and how it ended: a searchable list next to the selected session. */
export function HistoryPage() {
  const t = useTranslate();
  const route = useRoute();
  const openId = route.view === "history" ? route.id : undefined;
  const [filter, setFilter] = useState<HistoryFilter>(everything);
  const text = useDeferredValue(filter.text);
  const { project, client, machine, ending } = filter;
  const query = useMemo(() => ({ text, project, client, machine, ending }), [text, project, client, machine, ending]);
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
    return false;
  });
  const cursor = useRowCursor(
    "history",
    history.items.map(({ id }) => id),
    { id: openId, goTo: (id) => navigate(historyPath(id), { passes: true }) },
  );
  // Who opens one reads it: the keys that scroll are its own.
  useEffect(() => {
    if (openId !== undefined && !isPassing()) document.querySelector<HTMLElement>("#session-title")?.focus({ preventScroll: true });
  }, [openId]);
  const isEmpty = openId === undefined && history.isReady && history.items.length === 0 && !isFiltered(query);
  const hasRoom = useMedia("(width >= 56rem)");
  const shownId = openId ?? (hasRoom ? cursor.id : undefined);

  return (
    <main className="panes" data-view={openId === undefined ? "inbox" : "session"} data-empty={isEmpty || undefined}>
      {shownId === undefined && <h1 className="visually-hidden">{t("history.title")}</h1>}
      <section className="list" aria-label={t("history.title")}>
        <HistoryTools
          filter={filter}
          onChange={setFilter}
          search={search}
          onEnter={() => cursor.id !== undefined && navigate(historyPath(cursor.id))}
        />
        {history.items.length > 0 && <ExportButtons filter={query} />}
        <FoundContext value={found}>
          <HistoryList history={history} filter={query} openId={openId} cursorId={hasRoom ? cursor.id : undefined} />
        </FoundContext>
      </section>
      <div key={shownId} className="detail" id="detail" tabIndex={-1}>
        {shownId !== undefined && <SessionReader id={shownId} />}
      </div>
    </main>
  );
}

interface HistoryToolsProps {
  filter: HistoryFilter;
  onChange(filter: HistoryFilter): void;
  search: RefObject<HTMLInputElement | null>;
  /** Opens the one under the cursor. */
  onEnter(): void;
}

/** Search and filters. */
function HistoryTools({ filter, onChange, search, onEnter }: HistoryToolsProps) {
  const t = useTranslate();
  const { projects, clients, machines } = useNames();
  return (
    <search className="history-tools">
      <input
        ref={search}
        type="search"
        value={filter.text}
        onChange={(event) => onChange({ ...filter, text: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key === "Enter" && !isComposing(event)) onEnter();
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
      {machines.length > 0 && (
        <select
          value={filter.machine ?? ""}
          onChange={(event) => onChange({ ...filter, machine: event.target.value || undefined })}
          aria-label={t("approval.part.machine")}
        >
          <option value="">{t("history.machine.all")}</option>
          {machines.map((machine) => (
            <option key={machine} value={machine}>
              {terminalLine(machine)}
            </option>
          ))}
        </select>
      )}
    </search>
  );
}

/** The number of recent sessions that are searched for names to filter by. */
const bound = 1_000;

interface Names {
  projects: readonly string[];
  clients: readonly string[];
  machines: readonly string[];
}

/** The projects and agents in the history. */
function useNames(): Names {
  const { desk } = useAskbox();
  const [names, setNames] = useState<Names>({ projects: [], clients: [], machines: [] });

  useEffect(() => {
    let left = false;
    const projects = new Set<string>();
    const clients = new Set<string>();
    const machines = new Set<string>();
    const read = async () => {
      for await (const { items } of settledPages(desk, { bound })) {
        if (left) return;
        for (const { asker } of items) {
          clients.add(asker.client.name);
          if (asker.project !== undefined) projects.add(asker.project);
          if (asker.machine !== undefined) machines.add(asker.machine);
        }
      }
      setNames({
        projects: sorted(projects, folderName),
        clients: sorted(clients, (name) => name),
        machines: sorted(machines, (name) => name),
      });
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
