/** The plots of the numbers. Each is a figure with a table of the same values, for those who read rather than see. */

import type { Tally } from "@askbox/core";
import { type EndingCounts, type EndingKind, endingKinds, type TallyBin, type TallyShare } from "@askbox/core/stores";
import { type PointerEvent, type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import type { MessageKey } from "../i18n/en.ts";
import { sayLength, useFormats } from "../i18n/formats.ts";
import { useTranslate } from "../i18n/language.tsx";
import { AgentText } from "../ui/agent-text.tsx";

/** A plot with its title, a summary, and its data as a table for those who can't or don't want to see it. */
export function Figure({ title, sentence, children, table }: FigureProps) {
  const t = useTranslate();
  const id = useId();
  const [first, ...columns] = table.columns;
  return (
    <figure className="figure" aria-labelledby={`${id}-title`}>
      <figcaption>
        <h2 id={`${id}-title`}>{title}</h2>
        <p className="quiet">{sentence}</p>
      </figcaption>
      {children({ label: `${title}. ${sentence}` })}
      <details className="figure-table">
        <summary>{t("numbers.table")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keyboard too. */}
        <section className="table-scroll" tabIndex={0} aria-labelledby={`${id}-title`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{first}</th>
                {columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map(([name, ...cells]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, index) => (
                    <td key={columns[index]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

interface FigureProps {
  title: string;
  /** The plot in one sentence. */
  sentence: string;
  children(plot: { label: string }): ReactNode;
  /** The same data as a table. */
  table: { columns: readonly string[]; rows: readonly (readonly string[])[] };
}

const height = 220;
const timeMargin = { top: 58, right: 8, bottom: 26, left: 8 };
/** Space for a line's name, in px. */
const nameRoom = 150;
const timeHeight = height - timeMargin.top - timeMargin.bottom;

interface TimePlotProps {
  bins: readonly TallyBin[];
  /** In ms; drawn as lines across the columns. */
  marks: readonly { name: string; value: number }[];
  label: string;
}

/** Time to answer, as columns over increasing time spans. */
export function TimePlot({ bins, marks, label }: TimePlotProps) {
  const t = useTranslate();
  const { count } = useFormats();
  const [frame, width] = useWidth<HTMLDivElement>();
  const most = Math.max(1, ...bins.map((bin) => bin.count));
  const band = Math.max(0, width - timeMargin.left - timeMargin.right) / bins.length;
  const edge = ({ from }: TallyBin) =>
    from < 60_000 ? t("numbers.edge.seconds", { count: from / 1_000 }) : t("numbers.edge.minutes", { count: from / 60_000 });
  const placed = marks.map(({ name, value }, index) => {
    const x = timeMargin.left + band * placeOf(value, bins);
    // The smaller time is labelled left of its line and the larger one right, if there is room.
    return { name, x, y: 12 + index * 18, isBefore: index === 0 ? x > nameRoom : width - x < nameRoom };
  });

  return (
    <div ref={frame} className="plot" style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          <line
            className="plot-grid"
            x1={timeMargin.left}
            x2={width - timeMargin.right}
            y1={height - timeMargin.bottom}
            y2={height - timeMargin.bottom}
          />
          {bins.map((bin, index) => {
            const size = (timeHeight * bin.count) / most;
            const x = timeMargin.left + index * band;
            return (
              <g key={bin.from}>
                <rect
                  className="plot-mark"
                  data-kind="answered"
                  x={x + 1}
                  width={Math.max(0, band - 2)}
                  y={height - timeMargin.bottom - size}
                  height={size}
                />
                {bin.count > 0 && (
                  <text className="plot-value" x={x + band / 2} y={height - timeMargin.bottom - size - 6} textAnchor="middle">
                    {count(bin.count)}
                  </text>
                )}
                <text className="plot-label" x={x} y={height - 8} textAnchor={index === 0 ? "start" : "middle"}>
                  {edge(bin)}
                </text>
              </g>
            );
          })}
          {placed.map(({ name, x, y }) => (
            <g key={name}>
              <line className="plot-rule-edge" x1={x} x2={x} y1={y + 5} y2={height - timeMargin.bottom} />
              <line className="plot-rule" x1={x} x2={x} y1={y + 5} y2={height - timeMargin.bottom} />
            </g>
          ))}
          {placed.map(({ name, x, y, isBefore }) => (
            <text key={name} className="plot-name" x={x} y={y} dx={isBefore ? -4 : 4} textAnchor={isBefore ? "end" : "start"}>
              {name}
            </text>
          ))}
        </svg>
      )}
    </div>
  );
}

/** A time's position along the columns, in columns; in the last one, which is open-ended, its middle. */
function placeOf(value: number, bins: readonly TallyBin[]): number {
  const index = bins.findIndex(({ until = Number.POSITIVE_INFINITY }) => value < until);
  const bin = bins[index];
  if (bin === undefined) return bins.length;
  return index + (bin.until === undefined ? 0.5 : (value - bin.from) / (bin.until - bin.from));
}

const dayMargin = { top: 10, right: 20, bottom: 26, left: 34 };
const dayHeight = height - dayMargin.top - dayMargin.bottom;

/** How each day's sessions ended, as stacked columns. */
export function DayPlot({ days, kinds, label }: { days: Tally["days"]; kinds: readonly EndingKind[]; label: string }) {
  const { shortDay, count } = useFormats();
  const [frame, width] = useWidth<HTMLDivElement>();
  const [active, setActive] = useState<number>();
  const ticks = countTicks(Math.max(1, ...days.map(({ counts }) => sumOf(counts))), 4);
  const top = ticks.at(-1) ?? 1;
  const plotWidth = Math.max(0, width - dayMargin.left - dayMargin.right);
  const band = plotWidth / days.length;
  const column = Math.max(1, Math.min(28, band * 0.72));
  const x = (index: number) => dayMargin.left + index * band + (band - column) / 2;
  const y = (value: number) => dayMargin.top + dayHeight * (1 - value / top);

  const point = (event: PointerEvent<SVGSVGElement>) => {
    const at = event.clientX - event.currentTarget.getBoundingClientRect().left - dayMargin.left;
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
                <line className="plot-grid" x1={dayMargin.left} x2={width - dayMargin.right} y1={y(tick)} y2={y(tick)} />
                <text className="plot-label" x={dayMargin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                  {count(tick)}
                </text>
              </g>
            ))}
            {active !== undefined && (
              <rect className="plot-active" x={dayMargin.left + active * band} y={dayMargin.top} width={band} height={dayHeight} />
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

/** The words for what is counted. */
export const tallyKeys = {
  answered: "ending.answered",
  cancelled: "ending.declined",
  withdrawn: "ending.withdrawn",
  timedOut: "ending.timed_out",
} as const satisfies Record<EndingKind, MessageKey>;

export const sumOf = (counts: EndingCounts): number => endingKinds.reduce((sum, ending) => sum + counts[ending], 0);

/** The number of rows before the rest is summed up. */
const most = 8;

interface ShareTableProps {
  title: string;
  /** The title of the first column. */
  of: string;
  shares: readonly TallyShare[];
  nameOf(share: TallyShare): string;
}

/** How often each one asked and how it ended: a table whose middle column is a plot. */
export function ShareTable({ title, of, shares, nameOf }: ShareTableProps) {
  const t = useTranslate();
  const { count } = useFormats();
  const id = useId();
  const largest = Math.max(1, ...shares.map(({ total }) => total));
  const shown = shares.slice(0, most);
  const hidden = shares.slice(most);
  return (
    <section className="figure" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <table className="shares">
        <thead>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">
              <span className="visually-hidden">{t("numbers.ended")}</span>
            </th>
            <th scope="col">{t("numbers.asked")}</th>
            <th scope="col">{t("numbers.median")}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((share) => (
            <tr key={share.name ?? ""}>
              <th scope="row" title={share.name}>
                <AgentText>{nameOf(share)}</AgentText>
              </th>
              <td>
                <span className="visually-hidden">
                  {endingKinds
                    .filter((kind) => share.counts[kind] > 0)
                    .map((kind) => `${t(tallyKeys[kind])}: ${count(share.counts[kind])}`)
                    .join(", ")}
                </span>
                <span className="share-bar" aria-hidden="true" style={{ width: `${(100 * share.total) / largest}%` }}>
                  {endingKinds.map(
                    (kind) =>
                      share.counts[kind] > 0 && (
                        <span
                          key={kind}
                          data-kind={kind}
                          title={`${t(tallyKeys[kind])}: ${count(share.counts[kind])}`}
                          style={{ flexGrow: share.counts[kind] }}
                        />
                      ),
                  )}
                </span>
              </td>
              <td>{count(share.total)}</td>
              <td>{share.median === undefined ? "–" : sayLength(t, share.median)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden.length > 0 && (
        <p className="quiet">
          {t("numbers.others", { count: hidden.length, asked: count(hidden.reduce((sum, { total }) => sum + total, 0)) })}
        </p>
      )}
    </section>
  );
}

/** Round numbers from 0 up to at least `max`, for whole counts, in about `wanted` steps. */
export function countTicks(max: number, wanted: number): number[] {
  const rough = Math.max(1, max / wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough);
  const steps = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: steps + 1 }, (_, index) => index * step);
}

/** Which of `count` positions on an axis get a label, so that there are at most `most`, including the last. */
export function labelled(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, most)));
  const places: number[] = [];
  for (let index = count - 1; index >= 0; index -= step) places.unshift(index);
  return places;
}

/** An element and its width in px, so that plots use the page's own font sizes and are never scaled. */
function useWidth<Of extends Element>(): [RefObject<Of | null>, number] {
  const element = useRef<Of>(null);
  const [width, setWidth] = useState(0);

  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(Math.floor(current.getBoundingClientRect().width));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
