import { clientTitle } from "@askbox/core/clients";
import "./numbers.css";
import { folderName } from "@askbox/inbox";
import { useNow } from "@askbox/react";
import { useMemo, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { NumbersFigures } from "./numbers-figures.tsx";
import { ShareTable } from "./plot/share-table.tsx";
import { dayStarts } from "./summary.ts";
import { Tiles } from "./tiles.tsx";
import { useTally } from "./use-tally.ts";

const periods = [7, 30, 90] as const;

/** Statistics: how sessions ended, how long answers took, and who asked. */
export function NumbersPage() {
  const t = useTranslate();
  const [days, setDays] = useState<(typeof periods)[number]>(30);
  // The period begins at midnight, so it only changes with the day.
  const today = new Date(useNow(60_000)).setHours(0, 0, 0, 0);
  const starts = useMemo(() => dayStarts(days, today), [days, today]);
  const { tally: summary, error, retry } = useTally(starts);

  return (
    <main className="page numbers" id="detail" tabIndex={-1} data-testid="numbers">
      <div className="page-body">
        <header className="numbers-head">
          <h1>{t("numbers.title")}</h1>
          <fieldset className="segments">
            <legend className="visually-hidden">{t("numbers.period")}</legend>
            {periods.map((period) => (
              <label key={period}>
                <input type="radio" name="period" value={period} checked={period === days} onChange={() => setDays(period)} />
                <span>{t("time.days", { count: period })}</span>
              </label>
            ))}
          </fieldset>
        </header>
        {error !== undefined && (
          <p>
            <span className="error">{t("history.failed", { message: error })}</span>{" "}
            <button type="button" className="button small" onClick={retry}>
              {t("action.retry")}
            </button>
          </p>
        )}
        {error === undefined && summary === undefined && <p className="quiet numbers-reading">{t("numbers.reading")}</p>}
        {summary?.total === 0 && (
          <div className="nothing">
            <p className="nothing-title">{t("numbers.empty.title")}</p>
            <p className="quiet">{t("numbers.empty.text")}</p>
          </div>
        )}
        {summary !== undefined && summary.total > 0 && (
          <>
            <Tiles summary={summary} />
            <NumbersFigures summary={summary} />
            <div className="figures">
              <ShareTable
                title={t("numbers.clients")}
                of={t("fact.agent")}
                shares={summary.clients}
                nameOf={({ name }) => clientTitle(name ?? "")}
              />
              <ShareTable
                title={t("numbers.projects")}
                of={t("inbox.project")}
                shares={summary.projects}
                nameOf={({ name }) => (name === undefined ? t("inbox.project.none") : folderName(name))}
              />
            </div>
          </>
        )}
      </div>
    </main>
  );
}
