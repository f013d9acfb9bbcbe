import type { TallyBin } from "@askbox/core/stores";
import { useFormats } from "../../i18n/formats.ts";
import { useTranslate } from "../../i18n/language.tsx";
import { useWidth } from "./use-width.ts";

const height = 220;
const margin = { top: 58, right: 8, bottom: 26, left: 8 };
/** Space for a line's name, in px. */
const nameRoom = 150;
const plotHeight = height - margin.top - margin.bottom;

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
  const band = Math.max(0, width - margin.left - margin.right) / bins.length;
  const edge = ({ from }: TallyBin) =>
    from < 60_000 ? t("numbers.edge.seconds", { count: from / 1_000 }) : t("numbers.edge.minutes", { count: from / 60_000 });
  const placed = marks.map(({ name, value }, index) => {
    const x = margin.left + band * placeOf(value, bins);
    // The smaller time is labelled left of its line and the larger one right, if there is room.
    return { name, x, y: 12 + index * 18, isBefore: index === 0 ? x > nameRoom : width - x < nameRoom };
  });

  return (
    <div ref={frame} className="plot" style={{ height }}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={label}>
          <line className="plot-grid" x1={margin.left} x2={width - margin.right} y1={height - margin.bottom} y2={height - margin.bottom} />
          {bins.map((bin, index) => {
            const size = (plotHeight * bin.count) / most;
            const x = margin.left + index * band;
            return (
              <g key={bin.from}>
                <rect
                  className="plot-mark"
                  data-kind="answered"
                  x={x + 1}
                  width={Math.max(0, band - 2)}
                  y={height - margin.bottom - size}
                  height={size}
                />
                {bin.count > 0 && (
                  <text className="plot-value" x={x + band / 2} y={height - margin.bottom - size - 6} textAnchor="middle">
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
              <line className="plot-rule-edge" x1={x} x2={x} y1={y + 5} y2={height - margin.bottom} />
              <line className="plot-rule" x1={x} x2={x} y1={y + 5} y2={height - margin.bottom} />
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
