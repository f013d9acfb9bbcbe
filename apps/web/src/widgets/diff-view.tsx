import { type DiffLine, diffLines, diffPairs, exactText } from "@askbox/terminal-text";
import { useLayoutEffect, useMemo, useRef, useState } from "react";

/** From this width of its own on, a diff is shown side by side. */
const wide = 1_000;

/** A unified diff with all of its lines, wrapped; side by side if there is room. */
export function DiffView({ diff }: { diff: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const measure = () => setWide(current.clientWidth >= wide);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(current);
    return () => sizes.disconnect();
  }, []);
  const lines = useMemo(() => diffLines(diff), [diff]);
  return (
    <div ref={box} className="diff" dir="ltr" data-wide={isWide || undefined}>
      {isWide
        ? diffPairs(lines).map((pair, index) =>
            "whole" in pair ? (
              <Whole key={index} line={pair.whole} />
            ) : (
              <div key={index} className="diff-row">
                <Side line={pair.left} number={pair.left?.before} />
                <Side line={pair.right} number={pair.right?.after} />
              </div>
            ),
          )
        : lines.map((line, index) =>
            line.kind === "head" || line.kind === "hunk" ? (
              <Whole key={index} line={line} />
            ) : (
              <div key={index} className="diff-row">
                <Side line={line} number={line.after ?? line.before} />
              </div>
            ),
          )}
    </div>
  );
}

function Whole({ line: { kind, text } }: { line: DiffLine }) {
  return (
    <div className="diff-row">
      <div className="diff-text" data-kind={kind}>
        {exactText(text)}
      </div>
    </div>
  );
}

function Side({ line, number }: { line: DiffLine | undefined; number: number | undefined }) {
  if (line === undefined) return <div className="diff-side" data-kind="none" />;
  return (
    <div className="diff-side" data-kind={line.kind}>
      <span className="diff-number">{number}</span>
      <span className="diff-text">{exactText(line.text)}</span>
    </div>
  );
}
