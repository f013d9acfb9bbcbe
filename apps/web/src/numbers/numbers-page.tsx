/** The numbers: how many questions were answered in a period, how soon, and whose they were. */
import "./numbers.css";
import { type Tally, toAskboxError } from "@askbox/core";
import { clientTitle } from "@askbox/core/clients";
import { denialKinds, endingKinds, type TallyBin } from "@askbox/core/stores";
import { folderName } from "@askbox/inbox";
import { useAskbox, useNow } from "@askbox/react";
import { useEffect, useMemo, useState } from "react";
import { sayLength, useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { DayPlot, Figure, ShareTable, sumOf, TimePlot, tallyKeys } from "./plots.tsx";

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
        {summary?.total === 0 && summary.denials === undefined && (
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
        {summary?.denials !== undefined && <Denials denials={summary.denials} />}
      </div>
    </main>
  );
}

/** The counts of these days, or `undefined` while they are loading. */
function useTally(days: readonly number[]): { tally: Tally | undefined; error: string | undefined; retry(): void } {
  const { desk } = useAskbox();
  const [state, setState] = useState<{ days: readonly number[]; tally: Tally }>();
  const [error, setError] = useState<string>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let left = false;
    setError(undefined);
    desk.tally(days).then(
      (tally) => {
        if (!left) setState({ days, tally });
      },
      (thrown: unknown) => {
        if (!left) setError(toAskboxError(thrown).message);
      },
    );
    return () => {
      left = true;
    };
  }, [desk, days, attempt]);
  return { tally: state?.days === days ? state.tally : undefined, error, retry: () => setAttempt(attempt + 1) };
}

/** The local midnights of the last `days` days, the earliest first. */
export function dayStarts(days: number, now: number): number[] {
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(now);
    // Uses the calendar, since a day has 23 or 25 hours twice a year.
    day.setDate(day.getDate() - (days - 1 - index));
    return day.setHours(0, 0, 0, 0);
  });
}

/** Outcomes by day, and the time to answer. */
function NumbersFigures({ summary }: { summary: Tally }) {
  const t = useTranslate();
  const { day, count, share } = useFormats();
  const { days, bins, counts, total, median, p90 } = summary;
  const kinds = endingKinds.filter((kind) => counts[kind] > 0);
  const busiest = days.reduce((most, each) => (sumOf(each.counts) > sumOf(most.counts) ? each : most));
  const span = ({ from, until }: TallyBin) =>
    until !== undefined
      ? t("numbers.span", { from: sayLength(t, from), until: sayLength(t, until) })
      : t("numbers.span.open", { from: sayLength(t, from) });

  return (
    <>
      <Figure
        title={t("numbers.days")}
        sentence={t("numbers.days.sentence", {
          answered: share(counts.answered / total),
          day: day(busiest.day),
          count: count(sumOf(busiest.counts)),
        })}
        table={{
          columns: [t("numbers.day"), ...kinds.map((kind) => t(tallyKeys[kind]))],
          rows: days
            .filter((each) => sumOf(each.counts) > 0)
            .reverse()
            .map((each) => [day(each.day), ...kinds.map((kind) => count(each.counts[kind]))]),
        }}
      >
        {({ label }) => <DayPlot days={days} kinds={kinds} label={label} />}
      </Figure>
      {median !== undefined && p90 !== undefined && (
        <Figure
          title={t("numbers.times")}
          sentence={t("numbers.times.sentence", { median: sayLength(t, median), p90: sayLength(t, p90) })}
          table={{ columns: [t("numbers.times"), t("ending.answered")], rows: bins.map((bin) => [span(bin), count(bin.count)]) }}
        >
          {({ label }) => (
            <TimePlot
              bins={bins}
              marks={[
                { name: t("numbers.mark.median", { time: sayLength(t, median) }), value: median },
                { name: t("numbers.mark.p90", { time: sayLength(t, p90) }), value: p90 },
              ]}
              label={label}
            />
          )}
        </Figure>
      )}
    </>
  );
}

/** Of calls that a model had denied: what people said to it. */
function Denials({ denials }: { denials: NonNullable<Tally["denials"]> }) {
  const t = useTranslate();
  const { count } = useFormats();
  return (
    <section className="figure" aria-labelledby="numbers-denials">
      <h2 id="numbers-denials">{t("kind.denial")}</h2>
      <dl className="tiles">
        {denialKinds.map((kind) => (
          <div key={kind}>
            <dt>{t(`numbers.denials.${kind}`)}</dt>
            <dd className="tile-value">{count(denials[kind])}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The four key figures. */
function Tiles({ summary }: { summary: Tally }) {
  const t = useTranslate();
  const { count, share } = useFormats();
  const { total, counts, median, p90 } = summary;
  const tiles = [
    { name: t("numbers.asked"), value: count(total), more: t("numbers.asked.more", { count: summary.projects.length }) },
    {
      name: t("ending.answered"),
      value: share(counts.answered / total),
      more: t("numbers.answered.more", { count: count(counts.answered) }),
    },
    {
      name: t("ending.timed_out"),
      value: share(counts.timedOut / total),
      more: t("numbers.timed_out.more", { count: count(counts.timedOut) }),
    },
    {
      name: t("numbers.median.long"),
      value: median === undefined ? "–" : sayLength(t, median),
      more: p90 === undefined ? "" : t("numbers.p90.more", { time: sayLength(t, p90) }),
    },
  ];
  return (
    <dl className="tiles">
      {tiles.map(({ name, value, more }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="tile-value">{value}</dd>
          <dd className="quiet">{more}</dd>
        </div>
      ))}
    </dl>
  );
}
