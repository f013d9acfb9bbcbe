import { type SessionView, toAskboxError } from "@askbox/core";
import { useAskbox } from "@askbox/react";
import { useState } from "react";
import { useFormats } from "../../i18n/formats.ts";
import { useTranslate } from "../../i18n/language.tsx";
import { Icon } from "../../ui/icons.tsx";
import { laterIcons } from "../../ui/later-icons.ts";
import { type HistoryFilter, settledPages } from "../history-query.ts";
import { download, fileName } from "./download.ts";
import { historyMarkdown, sessionMarkdown } from "./session-markdown.ts";

/** The maximum number of sessions in one file: what a browser can create and an editor can open. */
const bound = 5_000;

type Format = "markdown" | "json";

/** Exports one session, or all that match a filter. */
export function ExportButtons({
  session,
  filter,
}: { session: SessionView; filter?: undefined } | { session?: undefined; filter: HistoryFilter }) {
  const t = useTranslate();
  const formats = useFormats();
  const { desk, clock } = useAskbox();
  const [said, setSaid] = useState("");
  const [isBusy, setIsBusy] = useState(false);

  const save = async (format: Format) => {
    setIsBusy(true);
    setSaid("");
    try {
      const found = session === undefined ? await readAll() : { sessions: [session], isCut: false };
      const stem = session === undefined ? "askbox-history" : `askbox-${session.id.slice(0, 8)}`;
      if (format === "json") {
        // The format of `askbox list --json`; for one session, that of `askbox show --json`.
        const text = `${JSON.stringify(session ?? found.sessions, undefined, 2)}\n`;
        download(clock, fileName(stem, clock.now(), "json"), new Blob([text], { type: "application/json" }));
      } else {
        const text = session === undefined ? historyMarkdown(found.sessions, t, formats) : sessionMarkdown(session, t, formats);
        download(clock, fileName(stem, clock.now(), "md"), new Blob([text], { type: "text/markdown;charset=utf-8" }));
      }
      setSaid(found.isCut ? t("export.cut", { count: formats.count(bound) }) : t("export.done", { count: found.sessions.length }));
    } catch (thrown) {
      setSaid(t("export.failed", { message: toAskboxError(thrown).message }));
    } finally {
      setIsBusy(false);
    }
  };
  const readAll = async () => {
    const sessions: SessionView[] = [];
    let isCut = false;
    for await (const { items, hasMore } of settledPages(desk, { filter, bound })) {
      sessions.push(...items);
      isCut = hasMore;
    }
    return { sessions, isCut };
  };

  return (
    <div className="export">
      <span className="quiet">
        <Icon name={laterIcons.download} />
        {t(session === undefined ? "export.list" : "export.session")}
      </span>
      <button type="button" className="link-button" disabled={isBusy} onClick={() => void save("markdown")}>
        Markdown
      </button>
      <button type="button" className="link-button" disabled={isBusy} onClick={() => void save("json")}>
        JSON
      </button>
      <span role="status" className="quiet">
        {said}
      </span>
    </div>
  );
}
