import { searchWords } from "@askbox/core/questions";
import "./history.css";
import { useDeferredValue, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { historyPath, navigate, useRoute } from "../router/router.tsx";
import { FoundContext } from "../ui/found.tsx";
import { useKeys } from "../ui/use-key.ts";
import { ExportButtons } from "./export/export-buttons.tsx";
import { HistoryList } from "./history-list.tsx";
import { everything, type HistoryFilter } from "./history-query.ts";
import { HistoryTools } from "./history-tools.tsx";
import { SessionReader } from "./session-reader.tsx";
import { useHistory } from "./use-history.ts";

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
