import { type DiffLine, diffLines, diffPairs, exactText } from "@askbox/terminal-text";
import { createContext, type ReactNode, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { maxCode } from "../markdown/code.tsx";
import type { Piece } from "./diff-colours.ts";

/** From this width of its own on, a diff is shown side by side. */
const wide = 1_000;

const Colours = createContext<ReadonlyMap<DiffLine, readonly Piece[]>>(new Map());

/** The colours of a diff's lines, once the highlighter is loaded; the layout doesn't change. */
function useColours(lines: readonly DiffLine[], path: string | undefined, isShort: boolean): ReadonlyMap<DiffLine, readonly Piece[]> {
  const none = useContext(Colours);
  const [colours, setColours] = useState<{ of: readonly DiffLine[]; pieces: ReadonlyMap<DiffLine, readonly Piece[]> }>();
  useEffect(() => {
    if (!isShort) return;
    let left = false;
    import("./diff-colours.ts").then(
      ({ colourDiff }) => {
        if (!left) setColours({ of: lines, pieces: colourDiff(lines, path) });
      },
      // Without the hub there are no colours, but the changes are shown.
      () => {},
    );
    return () => {
      left = true;
    };
  }, [lines, path, isShort]);
  return colours?.of === lines ? colours.pieces : none;
}

/** A unified diff with all of its lines, wrapped; side by side if there is room. `path` says its language if the diff doesn't. */
export function DiffView({ diff, path }: { diff: string; path?: string | undefined }) {
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
  const colours = useColours(lines, path, diff.length <= maxCode);
  return (
    <Colours value={colours}>
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
    </Colours>
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
  const colours = useContext(Colours);
  if (line === undefined) return <div className="diff-side" data-kind="none" />;
  const pieces = colours.get(line);
  return (
    <div className="diff-side" data-kind={line.kind} data-coloured={pieces !== undefined || undefined}>
      <span className="diff-number">{number}</span>
      <span className="diff-text">{pieces === undefined ? exactText(line.text) : [line.text.slice(0, 1), ...pieces.map(drawn)]}</span>
    </div>
  );
}

const drawn = ({ text, names }: Piece, index: number): ReactNode => (
  <span key={index} className={names}>
    {text}
  </span>
);
