import { type Comment, commentOn, type DiffLine, documentLines, endsOf } from "@askbox/core/documents";
import { type KeyboardEvent, type PointerEvent, startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { maxCode } from "../markdown/code.tsx";
import type { Piece } from "./diff-colours.ts";
import { filesOf } from "./document-files.ts";
import { FileLines, type LineComment } from "./document-lines.tsx";

/** From this width of its own on, a diff is shown side by side. */
const wide = 1_000;
/** After so many lines, files start folded. */
const maxUnfolded = 1_000;
/** So many lines, more than a screen has, are painted before the rest. */
const firstPainted = 300;

const none: readonly Comment[] = [];
const noColours: ReadonlyMap<DiffLine, readonly Piece[]> = new Map();

export interface DocumentViewProps {
  text: string;
  /** Default: what the text looks like. */
  isDiff?: boolean;
  /** Names the language, if the diff doesn't. */
  path?: string | undefined;
  /** Whether files can be folded and marked as viewed; what is approved stays in view. */
  folds?: boolean;
  comments?: readonly Comment[] | undefined;
  /** Without it, nothing can be commented. */
  onComments?: ((comments: readonly Comment[]) => void) | undefined;
}

/** The colours of a diff's lines, once the highlighter is loaded; the layout doesn't change. */
function useColours(lines: readonly DiffLine[], path: string | undefined, isShort: boolean): ReadonlyMap<DiffLine, readonly Piece[]> {
  const [colours, setColours] = useState<{ of: readonly DiffLine[]; pieces: ReadonlyMap<DiffLine, readonly Piece[]> }>();
  useEffect(() => {
    if (!isShort || lines.length === 0) return;
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
  return colours?.of === lines ? colours.pieces : noColours;
}

/** A diff or a document with all of its lines, wrapped; a diff side by side if there is room. Lines can be commented. */
export function DocumentView({ text, isDiff, path, folds = false, comments = none, onComments }: DocumentViewProps) {
  const t = useTranslate();
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
  const lines = useMemo(() => documentLines(text, isDiff), [text, isDiff]);
  const files = useMemo(() => filesOf(lines), [lines]);
  const colours = useColours(
    useMemo(() => lines.flatMap(({ diff }) => diff ?? []), [lines]),
    path,
    text.length <= maxCode,
  );
  const [folded, setFolded] = useState<ReadonlySet<number>>(
    () => new Set(folds ? files.flatMap(({ lines: [first] }, at) => (at > 0 && (first?.index ?? 0) > maxUnfolded ? [at] : [])) : []),
  );
  const [isWhole, setWhole] = useState(lines.length <= firstPainted);
  useEffect(() => startTransition(() => setWhole(true)), []);
  const [viewed, setViewed] = useState<ReadonlySet<number>>(new Set());
  /** A comment that is written, and its index once it is part of the draft. */
  const [editing, setEditing] = useState<{ from: number; to: number; at?: number } | undefined>();
  const range = useRef({ from: -1, to: -1 });
  const dragged = useRef<number>(undefined);

  const ends = useMemo(() => endsOf(lines, comments), [lines, comments]);
  const noted = useMemo(
    () =>
      files.map(({ lines: own }): LineComment[] => {
        const [first = 0, last = 0] = [own[0]?.index, own.at(-1)?.index];
        return comments.flatMap((comment, at) => {
          const end = ends[at];
          return end !== undefined && end >= first && end <= last && at !== editing?.at ? [{ comment, at, end }] : [];
        });
      }),
    [files, comments, ends, editing?.at],
  );

  const fileAt = (index: number) => files.findLastIndex(({ lines: [first] }) => (first?.index ?? 0) <= index);
  /** Marks lines, without rendering anything: a key must be fast in a long document. */
  const mark = (from: number, to: number, scrolls = true) => {
    range.current = { from, to };
    for (const row of box.current?.querySelectorAll("[data-at]") ?? []) row.removeAttribute("data-at");
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1)
      box.current?.querySelector(`[data-line="${index}"]`)?.setAttribute("data-at", "");
    if (scrolls) box.current?.querySelector(`[data-line="${to}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const isShown = (index: number) => lines[index]?.place !== undefined && !folded.has(fileAt(index));
  const step = (by: 1 | -1, extends_: boolean) => {
    const { from, to } = range.current;
    let next = to === -1 && by < 0 ? lines.length - 1 : to + by;
    while (next >= 0 && next < lines.length && !isShown(next)) next += by;
    if (next >= 0 && next < lines.length && (!extends_ || fileAt(next) === fileAt(from))) mark(extends_ && from >= 0 ? from : next, next);
  };
  const jump = (by: 1 | -1) => {
    const { to } = range.current;
    const starts = files.flatMap(({ lines: own }, at) =>
      folded.has(at) ? [] : (own.find(({ place }) => place !== undefined)?.index ?? []),
    );
    const stops = [...starts, ...ends.flatMap((end) => (end !== undefined && isShown(end) ? [end] : []))].sort((a, b) => a - b);
    const next = by > 0 ? stops.find((stop) => stop > to) : stops.findLast((stop) => stop < to);
    if (next !== undefined) mark(next, next);
  };
  const fold = (at: number, isFolded: boolean) =>
    setFolded(new Set(isFolded ? [...folded, at] : [...folded].filter((each) => each !== at)));
  const view = (at: number) => {
    const isViewed = !viewed.has(at);
    setViewed(new Set(isViewed ? [...viewed, at] : [...viewed].filter((each) => each !== at)));
    fold(at, isViewed);
  };
  const open = (from: number, to: number) => {
    if (from < 0 || lines[to]?.place === undefined) return;
    mark(from, to, false);
    setEditing({ from: Math.min(from, to), to: Math.max(from, to) });
  };
  const keys: Readonly<Record<string, () => void>> = {
    j: () => step(1, false),
    k: () => step(-1, false),
    J: () => step(1, true),
    K: () => step(-1, true),
    n: () => jump(1),
    p: () => jump(-1),
    c: () => open(range.current.from, range.current.to),
    // Enter would send the answer.
    Enter: () => open(range.current.from, range.current.to),
    ...(folds && files.length > 1 && { v: () => range.current.to >= 0 && view(fileAt(range.current.to)) }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current || event.ctrlKey || event.metaKey || event.altKey) return;
    const run = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopPropagation();
    run();
  };
  const lineAt = (event: PointerEvent) => {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-line]");
    return cell != null && box.current?.contains(cell) ? Number(cell.dataset["line"]) : undefined;
  };
  const onPointerDown = (event: PointerEvent) => {
    const isNumber = (event.target as Element).closest(".diff-number") !== null;
    dragged.current = isNumber && event.button === 0 ? lineAt(event) : undefined;
    if (dragged.current === undefined) return;
    if (event.pointerType === "mouse") event.preventDefault();
    box.current?.focus({ preventScroll: true });
    mark(event.shiftKey && range.current.from >= 0 ? range.current.from : dragged.current, dragged.current, false);
  };
  const onPointerMove = (event: PointerEvent) => {
    const to = dragged.current === undefined ? undefined : lineAt(event);
    if (to !== undefined && to !== range.current.to && fileAt(to) === fileAt(range.current.from)) mark(range.current.from, to, false);
  };
  // The click comes after everything that moves the focus.
  const onClick = () => {
    if (dragged.current !== undefined) open(range.current.from, range.current.to);
    dragged.current = undefined;
  };
  const close = () => {
    setEditing(undefined);
    box.current?.focus({ preventScroll: true });
  };
  const change = (at: number, words: string) =>
    onComments?.(comments.flatMap((comment, index) => (index !== at ? comment : words.trim() === "" ? [] : { ...comment, text: words })));
  /** Returns the index of the comment that is written. */
  const keep = (words: string): number | undefined => {
    if (editing?.at !== undefined) change(editing.at, words);
    else {
      const comment = editing && words.trim() !== "" ? commentOn(lines, editing.from, editing.to, words) : undefined;
      if (comment === undefined) return undefined;
      onComments?.([...comments, comment]);
    }
    return editing?.at ?? comments.length;
  };
  const save = (words: string) => {
    keep(words);
    setEditing(undefined);
  };
  const pause = (words: string) => {
    const at = keep(words);
    if (editing !== undefined && at !== undefined) setEditing({ ...editing, at });
  };

  const takes = onComments !== undefined;
  const handlers = takes ? { onKeyDown, onPointerDown, onPointerMove, onClick, onPointerCancel: () => (dragged.current = undefined) } : {};
  return (
    <>
      {takes && <p className="quiet document-hint">{t("document.hint")}</p>}
      <div
        ref={box}
        className="diff"
        dir="ltr"
        data-wide={isWide || undefined}
        data-takes={takes || undefined}
        {...(takes && { role: "group", tabIndex: 0, "aria-label": t("document.document") })}
        {...handlers}
      >
        {files.map((file, at) => {
          const isHere = editing !== undefined && fileAt(editing.to) === at;
          return (
            <div key={at} className="document-file">
              {folds && files.length > 1 && (
                <p className="document-head">
                  <button type="button" className="link-button" aria-expanded={!folded.has(at)} onClick={() => fold(at, !folded.has(at))}>
                    {folded.has(at) ? "▸" : "▾"} <span className="exact">{file.name || file.lines[0]?.text}</span>
                  </button>
                  <label>
                    <input type="checkbox" checked={viewed.has(at)} onChange={() => view(at)} /> {t("document.viewed")}
                  </label>
                </p>
              )}
              {!folded.has(at) && (
                <FileLines
                  file={file}
                  until={isWhole ? lines.length : firstPainted}
                  isWide={isWide}
                  colours={colours}
                  comments={noted[at] ?? []}
                  editing={isHere ? editing.to : undefined}
                  takes={takes}
                  onSave={save}
                  onPause={pause}
                  onClose={close}
                  onChange={change}
                />
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}
