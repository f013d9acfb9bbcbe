/**
 * A document or a diff with all of its lines, as a plan, an action or a review shows it, and comments on its lines.
 *
 * The text is divided into lines, and these into the files of a diff. A diff stands side by side where there is room. What fills a screen is
 * painted at once, the rest and the colours follow; in a review of several files, those after the first 1,000 lines begin folded.
 *
 * A person marks lines with keys or the pointer and writes below the last of them. A pause in the writing makes it a comment of the draft, which
 * quotes its lines; without text, it is deleted. Marking changes attributes and renders nothing: with 5,000 lines a render takes longer than
 * somebody holds a key.
 *
 * What can go wrong, and what happens then:
 * - the highlighter can't be loaded, or the text is longer than it takes: there are no colours, and the layout is the same;
 * - a comment's lines aren't in the document any more: it has no place here, and stays in the draft;
 * - the marked lines are folded, or are a diff's own lines such as a file's name: nothing is written there;
 * - the pointer leaves the file where it went down: the range ends there, since a comment is on one file;
 * - the field is left by a click elsewhere: what was written is kept.
 */
import { type Comment, commentOn, type DiffLine, type DocumentLine, documentLines, endsOf } from "@askbox/core/documents";
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslate } from "../i18n/language.tsx";
import { maxCode } from "../markdown/markdown.tsx";
import type { Piece } from "./diff-colours.ts";
import { type DocumentFile, FileLines, filesOf, type LineComment } from "./document-lines.tsx";

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
  /** Default: whether the text is written as one. */
  isDiff?: boolean;
  /** Names the language, if the diff doesn't. */
  path?: string | undefined;
  /** Whether files can be folded and marked as viewed; what is approved stays in view. */
  folds?: boolean;
  comments?: readonly Comment[] | undefined;
  /** Without it, nothing can be commented. */
  onComments?: ((comments: readonly Comment[]) => void) | undefined;
}

/** A diff or a document with all of its lines, wrapped; a diff side by side if there is room. Lines can be commented. */
export function DocumentView({ text, isDiff, path, folds: mayFold = false, comments = none, onComments }: DocumentViewProps) {
  const t = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const isWide = useIsWide(box);
  const lines = useMemo(() => documentLines(text, isDiff), [text, isDiff]);
  const files = useMemo(() => filesOf(lines), [lines]);
  const colours = useColours(
    useMemo(() => lines.flatMap(({ diff }) => diff ?? []), [lines]),
    path,
    text.length <= maxCode,
  );
  const [isWhole, setWhole] = useState(lines.length <= firstPainted);
  useEffect(() => startTransition(() => setWhole(true)), []);
  const folding = useFolding(files, mayFold);
  const writing = useWriting(lines, comments, onComments);
  const { written } = writing;

  const ends = useMemo(() => endsOf(lines, comments), [lines, comments]);
  const noted = useMemo(() => commentsByFile(files, comments, { ends, except: written?.at }), [files, comments, ends, written?.at]);
  const fileAt = (index: number) => files.findLastIndex(({ lines: [first] }) => (first?.index ?? 0) <= index);
  const isShown = (index: number) => lines[index]?.place !== undefined && !folding.folded.has(fileAt(index));

  const marking = useMarking(box);
  const { range, mark } = marking;
  const open = () => {
    const { from, to } = range.current;
    if (from < 0 || lines[to]?.place === undefined) return;
    mark(from, to, false);
    writing.open(from, to);
  };
  const close = () => {
    writing.close();
    box.current?.focus({ preventScroll: true });
  };

  /** To the next line that is shown. A range stays within its file. */
  const step = (by: 1 | -1, isRange: boolean) => {
    const { from, to } = range.current;
    let next = to === -1 && by < 0 ? lines.length - 1 : to + by;
    while (next >= 0 && next < lines.length && !isShown(next)) next += by;
    if (next >= 0 && next < lines.length && (!isRange || fileAt(next) === fileAt(from))) mark(isRange && from >= 0 ? from : next, next);
  };
  /** To the next file or comment. */
  const jump = (by: 1 | -1) => {
    const { to } = range.current;
    const starts = files.flatMap(({ lines: own }, at) =>
      folding.folded.has(at) ? [] : (own.find(({ place }) => place !== undefined)?.index ?? []),
    );
    const stops = [...starts, ...ends.flatMap((end) => (end !== undefined && isShown(end) ? [end] : []))].sort((a, b) => a - b);
    const next = by > 0 ? stops.find((stop) => stop > to) : stops.findLast((stop) => stop < to);
    if (next !== undefined) mark(next, next);
  };
  const keys: Readonly<Record<string, () => void>> = {
    j: () => step(1, false),
    k: () => step(-1, false),
    J: () => step(1, true),
    K: () => step(-1, true),
    n: () => jump(1),
    p: () => jump(-1),
    c: open,
    // It would send the answer.
    Enter: open,
    ...(mayFold && files.length > 1 && { v: () => range.current.to >= 0 && folding.view(fileAt(range.current.to)) }),
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
  const onPointer = usePointer(box, marking, { isSameFile: (one, other) => fileAt(one) === fileAt(other), onMarked: open });

  const takes = onComments !== undefined;
  return (
    <>
      {takes && <p className="quiet document-hint">{t("document.hint")}</p>}
      <div
        ref={box}
        className="diff"
        dir="ltr"
        data-wide={isWide || undefined}
        data-takes={takes || undefined}
        {...(takes && { role: "group", tabIndex: 0, "aria-label": t("document.document"), onKeyDown, ...onPointer })}
      >
        {files.map((file, at) => {
          const isFolded = folding.folded.has(at);
          return (
            <div key={at} className="document-file">
              {mayFold && files.length > 1 && (
                <p className="document-head">
                  <button type="button" className="link-button" aria-expanded={!isFolded} onClick={() => folding.fold(at, !isFolded)}>
                    {isFolded ? "▸" : "▾"} <span className="exact">{file.name || file.lines[0]?.text}</span>
                  </button>
                  <label>
                    <input type="checkbox" checked={folding.viewed.has(at)} onChange={() => folding.view(at)} /> {t("document.viewed")}
                  </label>
                </p>
              )}
              {!isFolded && (
                <FileLines
                  file={file}
                  until={isWhole ? lines.length : firstPainted}
                  isWide={isWide}
                  colours={colours}
                  comments={noted[at] ?? []}
                  editing={written !== undefined && fileAt(written.to) === at ? written.to : undefined}
                  takes={takes}
                  onSave={writing.save}
                  onPause={writing.pause}
                  onClose={close}
                  onChange={writing.change}
                />
              )}
            </div>
          );
        })}
      </div>
    </>
  );
}

function useIsWide(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null) return;
    const measure = () => setWide(current.clientWidth >= wide);
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(current);
    return () => sizes.disconnect();
  }, [box]);
  return isWide;
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

/** Which files are folded, and which the person has viewed; a viewed one is folded. */
function useFolding(files: readonly DocumentFile[], mayFold: boolean) {
  const [folded, setFolded] = useState<ReadonlySet<number>>(
    () => new Set(mayFold ? files.flatMap(({ lines: [first] }, at) => (at > 0 && (first?.index ?? 0) > maxUnfolded ? [at] : [])) : []),
  );
  const [viewed, setViewed] = useState<ReadonlySet<number>>(new Set());
  const fold = (at: number, isFolded: boolean) => setFolded(withOrWithout(folded, at, isFolded));
  const view = (at: number) => {
    const isViewed = !viewed.has(at);
    setViewed(withOrWithout(viewed, at, isViewed));
    fold(at, isViewed);
  };
  return { folded, viewed, fold, view };
}

const withOrWithout = (all: ReadonlySet<number>, one: number, isIn: boolean): ReadonlySet<number> =>
  new Set(isIn ? [...all, one] : [...all].filter((each) => each !== one));

type Marking = ReturnType<typeof useMarking>;

/** The lines that are marked, by their indexes: the one where marking began, and the one that it has reached; -1 for none. */
function useMarking(box: RefObject<HTMLElement | null>) {
  const range = useRef({ from: -1, to: -1 });
  /** Marks lines, without rendering anything: a key must be fast in a long document. */
  const mark = (from: number, to: number, scrolls = true) => {
    range.current = { from, to };
    for (const row of box.current?.querySelectorAll("[data-at]") ?? []) row.removeAttribute("data-at");
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1)
      box.current?.querySelector(`[data-line="${index}"]`)?.setAttribute("data-at", "");
    if (scrolls) box.current?.querySelector(`[data-line="${to}"]`)?.scrollIntoView({ block: "nearest" });
  };
  return { range, mark };
}

interface PointerOptions {
  isSameFile(line: number, other: number): boolean;
  /** The pointer has left the lines that it marked. */
  onMarked(): void;
}

/** Marks the lines over whose numbers the pointer goes. With Shift, the range goes on from where it began. */
function usePointer(box: RefObject<HTMLElement | null>, { range, mark }: Marking, { isSameFile, onMarked }: PointerOptions) {
  /** The line where the pointer went down. */
  const dragged = useRef<number>(undefined);
  const lineAt = (event: PointerEvent) => {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-line]");
    return cell != null && box.current?.contains(cell) ? Number(cell.dataset["line"]) : undefined;
  };
  return {
    onPointerDown(event: PointerEvent) {
      const isNumber = (event.target as Element).closest(".diff-number") !== null;
      dragged.current = isNumber && event.button === 0 ? lineAt(event) : undefined;
      if (dragged.current === undefined) return;
      if (event.pointerType === "mouse") event.preventDefault();
      box.current?.focus({ preventScroll: true });
      mark(event.shiftKey && range.current.from >= 0 ? range.current.from : dragged.current, dragged.current, false);
    },
    onPointerMove(event: PointerEvent) {
      const to = dragged.current === undefined ? undefined : lineAt(event);
      if (to !== undefined && to !== range.current.to && isSameFile(to, range.current.from)) mark(range.current.from, to, false);
    },
    onPointerCancel() {
      dragged.current = undefined;
    },
    // The click comes after everything that moves the focus.
    onClick() {
      if (dragged.current !== undefined) onMarked();
      dragged.current = undefined;
    },
  };
}

/** A comment that is being written on some lines, and its index once it is part of the draft. */
interface WrittenComment {
  from: number;
  to: number;
  at?: number;
}

/** The comment that is being written, and changes of those that are there. */
function useWriting(lines: readonly DocumentLine[], comments: readonly Comment[], onComments: DocumentViewProps["onComments"]) {
  const [written, setWritten] = useState<WrittenComment | undefined>();
  const open = (from: number, to: number) => setWritten({ from: Math.min(from, to), to: Math.max(from, to) });
  const close = () => setWritten(undefined);
  /** Without words, the comment is deleted. */
  const change = (at: number, words: string) =>
    onComments?.(comments.flatMap((comment, index) => (index !== at ? comment : words.trim() === "" ? [] : { ...comment, text: words })));
  /** Returns the index of the comment that is being written. */
  const keep = (words: string): number | undefined => {
    if (written?.at !== undefined) {
      change(written.at, words);
      return written.at;
    }
    const comment = written && words.trim() !== "" ? commentOn(lines, written.from, written.to, words) : undefined;
    if (comment === undefined) return undefined;
    onComments?.([...comments, comment]);
    return comments.length;
  };
  const save = (words: string) => {
    keep(words);
    close();
  };
  const pause = (words: string) => {
    const at = keep(words);
    if (written !== undefined && at !== undefined) setWritten({ ...written, at });
  };
  return { written, open, close, change, save, pause };
}

/** The comments of each file with the lines that they end on, but for the one that is being written. */
const commentsByFile = (
  files: readonly DocumentFile[],
  comments: readonly Comment[],
  { ends, except }: { ends: ReturnType<typeof endsOf>; except: number | undefined },
): LineComment[][] =>
  files.map(({ lines }) => {
    const [first = 0, last = 0] = [lines[0]?.index, lines.at(-1)?.index];
    return comments.flatMap((comment, at) => {
      const end = ends[at];
      return end !== undefined && end >= first && end <= last && at !== except ? [{ comment, at, end }] : [];
    });
  });
