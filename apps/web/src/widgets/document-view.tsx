/**
 * A document or a diff with all of its lines, as a plan, an action or a review shows it, and comments on its lines.
 *
 * A diff is divided into its files, which stand as a list or side by side; markdown is rendered in blocks, each of which knows its lines, with
 * the text as it was written behind a button. What fills a screen is painted at once; the rest, and the colours, follow.
 *
 * A person marks lines with keys or the pointer and writes below the last of them. A pause in the writing makes it a comment of the draft, which
 * quotes its lines; without text, it is deleted.
 *
 * What can go wrong, and what happens then:
 * - the highlighter can't be loaded, or the text is longer than it takes: there are no colours, and the layout is the same;
 * - the text isn't markdown that can be rendered with all of its words: what is missing is shown as it was written;
 * - a comment's lines aren't in the document any more: it has no place here, and stays in the draft;
 * - the marked lines are folded, or are a diff's own lines such as a file's name: nothing is written there;
 * - the pointer leaves the file where it went down: the range ends there, since a comment is on one file;
 * - the field is left by a click elsewhere: what was written is kept.
 */
import {
  type Comment,
  commentOn,
  type DiffLine,
  type DocumentFile,
  type DocumentLine,
  documentLines,
  endsOf,
  fileAt,
  filesOf,
  isDiff as isWrittenAsDiff,
} from "@askbox/core/documents";
import { useAskbox } from "@askbox/react";
import { type KeyboardEvent, memo, type ReactNode, startTransition, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import { type MarkdownBlock, markdownBlocks, maxCode } from "../markdown/markdown.tsx";
import { changeSettings, useSettings } from "../stored-settings.ts";
import { KeyHint } from "../ui/key-hint.tsx";
import { isTouch } from "../ui/keyboard.ts";
import { pageState } from "../ui/page-state.ts";
import { useMedia } from "../ui/use-media.ts";
import type { Piece } from "./diff-colours.ts";
import { DocumentBlocks } from "./document-blocks.tsx";
import { Chunk, Chunks } from "./document-chunks.tsx";
import type { CommentActions, LineComment, WrittenComment } from "./document-comments.tsx";
import { documentKeymap, type Stop, useCursor, usePointer } from "./document-cursor.ts";
import { FileHead, FileList, FilesSummary } from "./document-files.tsx";
import { FileLines, type LinesContext, maxSmall } from "./document-lines.tsx";
import "./document.css";

/** From this width of the window on, there is room for the files beside the diff, and for both sides of it. */
const wide = "(width >= 1100px)";
/** Where a list of files beside a diff leaves it room. */
const wider = "(width >= 1280px)";
const veryWide = "(width >= 1600px)";
/** So many lines, more than a screen has, are painted before the rest. */
const firstPainted = 40;

/** How long a frame may take, in ms. */
const frame = 20;

const none: readonly Comment[] = [];
const nothing: readonly LineComment[] = [];
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

/** A diff by its files, or a text rendered as markdown. */
export function DocumentView({ text, isDiff = isWrittenAsDiff(text), ...rest }: DocumentViewProps) {
  const t = useTranslate();
  const blocks = useMemo(() => (isDiff ? undefined : markdownBlocks(text)), [text, isDiff]);
  const [isRaw, setRaw] = useState(false);
  if (blocks === undefined) return <Lines text={text} isDiff={isDiff} {...rest} />;
  return (
    <>
      <Lines text={text} isDiff={false} blocks={blocks} {...rest} />
      <details onToggle={({ currentTarget }) => setRaw(currentTarget.open)}>
        <summary>{t("approval.source")}</summary>
        {isRaw && <Lines text={text} isDiff={false} {...rest} />}
      </details>
    </>
  );
}

type LinesProps = Omit<DocumentViewProps, "isDiff"> & { isDiff: boolean; blocks?: readonly MarkdownBlock[] };

/** What takes comments: a diff's lines, a text's, or its blocks. */
function Lines({ text, isDiff, path, blocks, folds = false, comments = none, onComments }: LinesProps) {
  const t = useTranslate();
  const box = useRef<HTMLDivElement>(null);
  const [chunks] = useState(() => new Chunks());
  // Once the first screen is painted, there is time for the rest, and for comparing words.
  const [isPainted, setPainted] = useState(false);
  const { clock } = useAskbox();
  useEffect(() => clock.setTimer(frame, () => startTransition(() => setPainted(true))), [clock]);
  useEffect(() => {
    if (isPainted) chunks.fillAll();
  }, [chunks, isPainted]);
  const lines = useMemo(() => documentLines(text, isDiff), [text, isDiff]);
  const files = useMemo(() => filesOf(lines), [lines]);
  const parts = useMemo(() => partsOf(files), [files]);
  const hasList = isDiff && files.length > 1;
  const mayFold = folds && hasList;
  const isWide = useMedia(wide);
  const isBeside = useMedia(wider);
  const isSplit = useSplit(isWide) && isDiff;
  const colours = useColours(lines, path, isDiff && text.length <= maxCode);
  const folding = useFolding(text);
  const writing = useWriting(lines, comments, onComments);
  const { written } = writing;
  const takes = onComments !== undefined;
  const digits = useMemo(() => String(lines.reduce((most, { place }) => Math.max(most, place?.line ?? 0), 0)).length, [lines]);

  const ends = useMemo(() => endsOf(lines, comments), [lines, comments]);
  const noted = useMemo(() => commentsByFile(files, comments, { ends, except: written?.at }), [files, comments, ends, written?.at]);
  const isSameFile = (line: number, other: number) => fileAt(files, line) === fileAt(files, other);
  const cursor = useCursor({
    chunks,
    stops: useStops(lines, blocks),
    isShown: (line) => !folding.folded.has(fileAt(files, line)),
    isSameFile,
  });

  useLayoutEffect(cursor.remark);

  const focus = () => box.current?.focus({ preventScroll: true });
  const open = () => {
    const marked = cursor.lines();
    if (marked === undefined || folding.folded.has(fileAt(files, marked.to))) return;
    const { from, to } = cursor.range.current;
    const own = commentOn(lines, marked.from, marked.to, "");
    const there = comments.findIndex((comment, at) => {
      const end = ends[at];
      if (end === undefined || end < marked.from || end > marked.to) return false;
      // On one line, whichever ends there; on several, the one that is about these.
      return from === to || (comment.line === own?.line && comment.endLine === own.endLine && comment.side === own.side);
    });
    writing.open(marked, there < 0 ? undefined : there);
  };
  const actions = useStable<CommentActions>({
    save: writing.save,
    pause: writing.pause,
    close: () => {
      writing.close();
      focus();
    },
    edit: ({ at, end }) => writing.open({ from: end, to: end }, at),
    remove: (at) => {
      writing.change(at, "");
      focus();
    },
  });
  const go = (at: number) => {
    const first = files[at]?.lines.find(({ place }) => place !== undefined) ?? files[at]?.lines[0];
    if (first === undefined) return;
    folding.fold(at, false);
    if (takes) focus();
    cursor.mark(first.index, first.index, false);
    const head = box.current?.querySelector(`[data-file="${at}"]`) ?? chunks.elementOf(first.index)?.closest("[data-file]");
    head?.scrollIntoView({ block: "start" });
  };
  /** Viewed files are folded, and the next one that isn't viewed comes. */
  const view = (at: number) => {
    folding.view(at);
    const next = files.findIndex((_, index) => index > at && !folding.viewed.has(index) && !folding.folded.has(index));
    if (!folding.viewed.has(at) && next >= 0) go(next);
  };
  const foldActions = useStable({ fold: folding.fold, view: folding.view });

  // keys: the document's own actions.
  const acts: Readonly<Record<string, () => void>> = {
    lineDown: () => cursor.step(1, false),
    lineUp: () => cursor.step(-1, false),
    extend: () => cursor.step(1, true),
    reduce: () => cursor.step(-1, true),
    nextStop: () => cursor.jump(1, stopsToJump()),
    previousStop: () => cursor.jump(-1, stopsToJump()),
    remark: open,
    ...(mayFold && { viewed: () => cursor.range.current.to >= 0 && view(fileAt(files, cursor.range.current.to)) }),
  };
  /** The first line of each file, and where there is a comment. */
  const stopsToJump = () =>
    [...files.map(({ lines: own }) => own.find(({ place }) => place !== undefined)?.index), ...ends].filter(
      (line): line is number => line !== undefined && !folding.folded.has(fileAt(files, line)),
    );
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (event.target !== box.current || ctrlKey || metaKey || altKey) return;
    const pressed = key === "ArrowDown" ? "down" : key === "ArrowUp" ? "up" : [...key].length === 1 ? key : key.toLowerCase();
    const name = documentKeymap.find(shiftKey && pressed.length > 1 ? `shift+${pressed}` : pressed, documentActions);
    const run = name !== undefined && Object.hasOwn(acts, name) ? acts[name] : undefined;
    if (run === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopPropagation();
    run();
  };
  const onPointer = usePointer(box, cursor, { isSameFile, onMarked: open });

  const context: LinesContext = { chunks, isSplit, firstPainted, marksWords: isPainted, colours, takes, actions };
  const present = isPainted ? parts : parts.filter(({ from }) => from < firstPainted);
  const missing = parts.slice(present.length).reduce((sum, { height }) => sum + height, 0);
  const fileView = (file: DocumentFile, at: number, isSmall: boolean) => (
    <FileView
      key={at}
      at={at}
      file={file}
      hasHead={isDiff && (file.name !== "" || hasList)}
      mayFold={mayFold}
      isFolded={folding.folded.has(at)}
      isViewed={folding.viewed.has(at)}
      foldActions={foldActions}
      comments={noted[at] ?? nothing}
      written={written !== undefined && fileAt(files, written.to) === at ? written : undefined}
      isSmall={isSmall}
      {...context}
    />
  );
  return (
    <div className="document" data-list={(hasList && isBeside) || undefined}>
      {hasList && (
        <Files isBeside={isBeside} summary={<FilesSummary files={files} viewed={mayFold ? folding.viewed.size : undefined} />}>
          <FileList files={isPainted ? files : files.slice(0, firstPainted)} viewed={folding.viewed} comments={noted} onGo={go} />
        </Files>
      )}
      <div className="document-main">
        {(takes || (isDiff && isWide)) && (
          <div className="document-tools">
            {takes && (
              <p className="quiet document-hint">
                {t(isTouch() ? "document.hint.touch" : blocks === undefined ? "document.hint" : "document.hint.blocks")}
                <KeyHint action="read" />
              </p>
            )}
            {isDiff && isWide && <Layout isSplit={isSplit} />}
          </div>
        )}
        <div
          ref={box}
          className={blocks === undefined ? "diff" : "document-blocks"}
          dir={blocks === undefined ? "ltr" : undefined}
          data-plain={!isDiff || undefined}
          data-wide={isSplit || undefined}
          data-takes={takes || undefined}
          data-files={mayFold || undefined}
          data-writing={written !== undefined || undefined}
          style={{ "--digits": digits } as object}
          {...(takes && {
            role: "group",
            tabIndex: 0,
            "aria-label": t("document.document"),
            onKeyDown,
            onFocus: ({ target }: { target: EventTarget }) => {
              if (target === box.current && box.current.matches(":focus-visible")) cursor.begin();
            },
            ...onPointer,
          })}
        >
          {blocks !== undefined ? (
            <DocumentBlocks blocks={blocks} comments={noted[0] ?? nothing} written={written} {...context} />
          ) : (
            present.map(({ from, to, height, first, last }) =>
              first === last && height > maxSmall ? (
                fileView(files[first] as DocumentFile, first, false)
              ) : (
                <Chunk key={`part ${from}`} chunks={chunks} from={from} to={to} height={height} isFirst={from < firstPainted}>
                  {files.slice(first, last + 1).map((file, index) => fileView(file, first + index, true))}
                </Chunk>
              ),
            )
          )}
          {missing > 0 && <div className="document-chunk" style={{ "--lines": missing } as object} />}
        </div>
      </div>
    </div>
  );
}

const documentActions = documentKeymap.actionsIn("document");

interface PartOfFiles {
  from: number;
  to: number;
  height: number;
  /** The indexes of its files. */
  first: number;
  last: number;
}

/** Small files one after the other are one part of the document, and a large one is by itself, since it has parts of its own. */
function partsOf(files: readonly DocumentFile[]): PartOfFiles[] {
  const parts: PartOfFiles[] = [];
  for (const [at, { lines }] of files.entries()) {
    const [from, to, height] = [lines[0]?.index ?? 0, lines.at(-1)?.index ?? 0, lines.length + 1];
    const last = parts.at(-1);
    if (last !== undefined && last.height + height <= maxSmall) Object.assign(last, { to, height: last.height + height, last: at });
    else parts.push({ from, to, height, first: at, last: at });
  }
  return parts;
}

/** The list of files: beside the diff, or folded above it. */
function Files({ isBeside, summary, children }: { isBeside: boolean; summary: ReactNode; children: ReactNode }) {
  const t = useTranslate();
  const [isOpen, setOpen] = useState(false);
  if (isBeside)
    return (
      <nav className="document-files" aria-label={t("document.list")}>
        <p className="document-summary">{summary}</p>
        <div className="document-entries">{children}</div>
      </nav>
    );
  return (
    <details className="document-files" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="document-summary">{summary}</summary>
      {isOpen && <div className="document-entries">{children}</div>}
    </details>
  );
}

/** Side by side by the person's preference; without one, in a very wide window. */
function useSplit(isWide: boolean): boolean {
  const { diffs } = useSettings();
  const isVeryWide = useMedia(veryWide);
  return isWide && (diffs === "split" || (diffs === "auto" && isVeryWide));
}

function Layout({ isSplit }: { isSplit: boolean }) {
  const t = useTranslate();
  return (
    <div className="document-layout">
      <button type="button" aria-pressed={!isSplit} onClick={() => changeSettings({ diffs: "unified" })}>
        {t("document.unified")}
      </button>
      <button type="button" aria-pressed={isSplit} onClick={() => changeSettings({ diffs: "split" })}>
        {t("document.split")}
      </button>
    </div>
  );
}

interface FileViewProps extends LinesContext {
  at: number;
  file: DocumentFile;
  hasHead: boolean;
  mayFold: boolean;
  isFolded: boolean;
  isViewed: boolean;
  foldActions: { fold(at: number, isFolded: boolean): void; view(at: number): void };
  comments: readonly LineComment[];
  written: WrittenComment | undefined;
  isSmall: boolean;
}

/** One file. The lines of a folded one stay in the page, where the browser's search finds and unfolds them. */
const FileView = memo(({ at, hasHead, mayFold, isFolded, isViewed, foldActions, ...rest }: FileViewProps) => {
  const body = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = body;
    if (current === null || !isFolded) return;
    current.setAttribute("hidden", "until-found");
    const onFound = () => foldActions.fold(at, false);
    current.addEventListener("beforematch", onFound);
    return () => {
      current.removeAttribute("hidden");
      current.removeEventListener("beforematch", onFound);
    };
  }, [isFolded, at, foldActions]);
  const folding = { isFolded, isViewed, fold: () => foldActions.fold(at, !isFolded), view: () => foldActions.view(at) };
  return (
    <section className="document-file" data-file={at}>
      {hasHead && <FileHead file={rest.file} folding={mayFold ? folding : undefined} />}
      <div ref={body}>
        <FileLines {...rest} />
      </div>
    </section>
  );
});

/** The same functions in every render, which do what the latest ones do. */
function useStable<Functions extends object>(latest: Functions): Functions {
  const current = useRef(latest);
  useLayoutEffect(() => {
    current.current = latest;
  });
  const [stable] = useState(() =>
    Object.fromEntries(
      Object.keys(latest).map((name) => [
        name,
        (...args: unknown[]) => (current.current as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args),
      ]),
    ),
  );
  return stable as Functions;
}

/** Where the cursor stops: at each line that takes comments, or at each block. Made when it is first needed. */
function useStops(lines: readonly DocumentLine[], blocks: readonly MarkdownBlock[] | undefined): () => readonly Stop[] {
  return useMemo(() => {
    let stops: readonly Stop[] | undefined = blocks;
    return () => {
      stops ??= lines.flatMap(({ place }, index) => (place === undefined ? [] : { from: index, to: index }));
      return stops;
    };
  }, [lines, blocks]);
}

/** The colours of a diff's lines, once the highlighter is loaded; the layout doesn't change. */
function useColours(lines: readonly DocumentLine[], path: string | undefined, isShort: boolean): ReadonlyMap<DiffLine, readonly Piece[]> {
  const [colours, setColours] = useState<{ of: readonly DocumentLine[]; pieces: ReadonlyMap<DiffLine, readonly Piece[]> }>();
  useEffect(() => {
    if (!isShort) return;
    let left = false;
    import("./diff-colours.ts").then(
      ({ colourDiff }) => {
        const all = lines.flatMap(({ diff }) => diff ?? []);
        if (!left) setColours({ of: lines, pieces: colourDiff(all, path) });
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

/** What was viewed of the documents that were last open here: a question is often left and opened again. */
const viewedOn = pageState(() => new Map<string, ReadonlySet<number>>());
const maxRemembered = 20;

/** Which files are folded, and which the person has viewed; a viewed one is folded. */
function useFolding(text: string) {
  const viewedBefore = viewedOn(useAskbox());
  const [viewed, setViewed] = useState<ReadonlySet<number>>(() => viewedBefore.get(text) ?? new Set());
  const [folded, setFolded] = useState<ReadonlySet<number>>(viewed);
  const fold = (at: number, isFolded: boolean) => setFolded((all) => withOrWithout(all, at, isFolded));
  const view = (at: number) => {
    const isViewed = !viewed.has(at);
    const now = withOrWithout(viewed, at, isViewed);
    setViewed(now);
    fold(at, isViewed);
    viewedBefore.delete(text);
    viewedBefore.set(text, now);
    for (const oldest of [...viewedBefore.keys()].slice(0, -maxRemembered)) viewedBefore.delete(oldest);
  };
  return { folded, viewed, fold, view };
}

const withOrWithout = (all: ReadonlySet<number>, one: number, isIn: boolean): ReadonlySet<number> =>
  new Set(isIn ? [...all, one] : [...all].filter((each) => each !== one));

/** The comment that is being written, and changes of those that are there. */
function useWriting(lines: readonly DocumentLine[], comments: readonly Comment[], onComments: DocumentViewProps["onComments"]) {
  const [written, setWritten] = useState<WrittenComment | undefined>();
  const open = ({ from, to }: Stop, at: number | undefined) =>
    setWritten({ from, to, before: comments[at ?? -1]?.text ?? "", ...(at !== undefined && { at }) });
  const close = () => setWritten(undefined);
  /** Without words, the comment is deleted. */
  const change = (at: number, words: string) =>
    onComments?.(comments.flatMap((comment, index) => (index !== at ? comment : words.trim() === "" ? [] : { ...comment, text: words })));
  /** Returns the index of the comment that is being written. */
  const keep = (words: string): number | undefined => {
    if (written?.at !== undefined) {
      if (words !== comments[written.at]?.text) change(written.at, words);
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
function commentsByFile(
  files: readonly DocumentFile[],
  comments: readonly Comment[],
  { ends, except }: { ends: ReturnType<typeof endsOf>; except: number | undefined },
): readonly (readonly LineComment[] | undefined)[] {
  const found: LineComment[][] = [];
  for (const [at, comment] of comments.entries()) {
    const end = ends[at];
    if (end === undefined || at === except) continue;
    const file = fileAt(files, end);
    found[file] = [...(found[file] ?? []), { comment, at, end }];
  }
  return found;
}
