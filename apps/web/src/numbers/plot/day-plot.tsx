import type { Tally } from "@askbox/core";
import { type EndingKind, endingKinds } from "@askbox/core/stores";
import { type PointerEvent, useState } from "react";
import { useFormats } from "../../i18n/formats.ts";
import { useTranslate } from "../../i18n/language.tsx";
import { sumOf, tallyKeys } from "../summary.ts";
import { countTicks, labelled } from "./scale.ts";
import { useWidth } from "./use-width.ts";

const height = 220;
const margin = { top: 10, right: 20, bottom: 26, left: 34 };
const plotHeight = height - margin.top - margin.bottom;

/** How each day's sessions ended, as stacked columns. */
export function DayPlot({ days, kinds, label }: { days: Tally["days"]; kinds: readonly EndingKind[]; label: string }) {
  const { shortDay, count } = useFormats();
  const [frame, width] = useWidth<HTMLDivElement>();
  const [active, setActive] = useState<number>();
  const ticks = countTicks(Math.max(1, ...days.map(({ counts }) => sumOf(counts))), 4);
  const top = ticks.at(-1) ?? 1;
  const plotWidth = Math.max(0, width - margin.left - margin.right);
  const band = plotWidth / days.length;
  const column = Math.max(1, Math.min(28, band * 0.72));
  const x = (index: number) => margin.left + index * band + (band - column) / 2;
  const y = (value: number) => margin.top + plotHeight * (1 - value / top);

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - margin.left;
    const index = Math.floor(at / band);
    setActive(index >= 0 && index < days.length ? index : undefined);
  };

  return (
    <>
      <Legend kinds={kinds} day={active === undefined ? undefined : days[active]} />
      <div ref={frame} className="plot" style={{ height }}>
        {width > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={label}
            onPointerMove={point}
            onPointerLeave={() => setActive(undefined)}
          >
            {ticks.map((tick) => (
              <g key={tick}>
                <line className="plot-grid" x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} />
                <text className="plot-label" x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                  {count(tick)}
                </text>
              </g>
            ))}
            {active !== undefined && (
              <rect className="plot-active" x={margin.left + active * band} y={margin.top} width={band} height={plotHeight} />
            )}
            {days.map(({ day, counts }, index) => (
              <g key={day}>
                {stacked(counts).map(({ kind, from, until }) => (
                  <rect
                    key={kind}
                    className="plot-mark"
                    data-kind={kind}
                    x={x(index)}
                    width={column}
                    y={y(until)}
                    // A thin gap keeps two parts apart even without colours.
                    height={Math.max(1, y(from) - y(until) - (from > 0 ? 1 : 0))}
                  />
                ))}
              </g>
            ))}
            {labelled(days.length, Math.floor(plotWidth / 64)).map((index) => (
              <text key={index} className="plot-label" x={x(index) + column / 2} y={height - 6} textAnchor="middle">
                {shortDay(days[index]?.day ?? 0)}
              </text>
            ))}
          </svg>
        )}
      </div>
    </>
  );
}

/** The legend, with the numbers of the day under the pointer. */
function Legend({ kinds, day }: { kinds: readonly EndingKind[]; day: Tally["days"][number] | undefined }) {
  const t = useTranslate();
  const formats = useFormats();
  return (
    <p className="legend" aria-hidden="true">
      {kinds.map((kind) => (
        <span key={kind} className="legend-item">
          <span className="legend-mark" data-kind={kind} />
          {t(tallyKeys[kind])}
          {day !== undefined && <strong>{formats.count(day.counts[kind])}</strong>}
        </span>
      ))}
      <span className="legend-day">{day !== undefined && formats.day(day.day)}</span>
    </p>
  );
}

function stacked(counts: Tally["days"][number]["counts"]): { kind: EndingKind; from: number; until: number }[] {
  let from = 0;
  return endingKinds.flatMap((kind) => {
    if (counts[kind] === 0) return [];
    const part = { kind, from, until: from + counts[kind] };
    from = part.until;
    return [part];
  });
}
