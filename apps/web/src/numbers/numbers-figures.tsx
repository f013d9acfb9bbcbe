import type { Tally } from "@askbox/core";
import { endingKinds, type TallyBin } from "@askbox/core/stores";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayLength } from "../i18n/phrases.ts";
import { DayPlot } from "./plot/day-plot.tsx";
import { Figure } from "./plot/figure.tsx";
import { TimePlot } from "./plot/time-plot.tsx";
import { sumOf, tallyKeys } from "./summary.ts";

/** Outcomes by day, and the time to answer. */
export function NumbersFigures({ summary }: { summary: Tally }) {
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
