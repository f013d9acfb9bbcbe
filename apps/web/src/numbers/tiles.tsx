import type { Tally } from "@askbox/core";
import { useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { sayLength } from "../i18n/phrases.ts";

/** The four key figures. */
export function Tiles({ summary }: { summary: Tally }) {
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
