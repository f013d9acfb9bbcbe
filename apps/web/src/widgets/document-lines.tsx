/** The rows of one file, as a list or side by side, with the comments below them. */
import { type DiffLine, type DocumentFile, diffPairs, type IndexedLine, isRepeated } from "@askbox/core/documents";
import { exactText } from "@askbox/terminal-text";
import { memo, type ReactNode, useLayoutEffect, useMemo, useRef } from "react";
import type { Piece } from "./diff-colours.ts";
import { Chunk, type Chunks } from "./document-chunks.tsx";
import { type CommentActions, Comments, type LineComment, type WrittenComment } from "./document-comments.tsx";
import { type Marked, wordMarks } from "./word-marks.ts";

/** What all files of a document have in common. */
export interface LinesContext {
  chunks: Chunks;
  isSplit: boolean;
  /** Lines with an index below it are painted at once. */
  firstPainted: number;
  /** Whether words that changed are marked. */
  marksWords: boolean;
  colours: ReadonlyMap<DiffLine, readonly Piece[]>;
  takes: boolean;
  actions: CommentActions;
}

export interface FileLinesProps extends LinesContext {
  file: DocumentFile;
  comments: readonly LineComment[];
  written: WrittenComment | undefined;
  /** Whether they are in a part of the document that is rendered as a whole. */
  isSmall: boolean;
}

/** A row of the view: one line, or the old and the new side, of which an unchanged line has only one. */
interface DocumentRow {
  /** All of its lines, for what stands below it. */
  lines: readonly IndexedLine[];
  sides?: readonly [IndexedLine | undefined, IndexedLine | undefined];
}

/** The rows of a file, without those that only repeat what its heading says. */
function rowsOf(file: DocumentFile, isSplit: boolean): DocumentRow[] {
  const shown = file.lines.filter((line) => !isRepeated(file, line));
  if (!isSplit) return shown.map((line) => ({ lines: [line] }));
  const known = new Map(shown.map((line) => [line.diff, line]));
  return diffPairs(shown.flatMap(({ diff }) => diff ?? [])).map((pair) => {
    if ("whole" in pair) return { lines: [known.get(pair.whole) as IndexedLine] };
    const sides = [pair.left && known.get(pair.left), pair.right && known.get(pair.right)] as const;
    return { lines: [...new Set(sides)].filter((line) => line !== undefined), sides };
  });
}

/** Rows are rendered in groups of this size. */
const groupSize = 80;
/** A file with fewer lines is rendered as a whole. */
export const maxSmall = 80;

const noMarks: ReadonlyMap<DiffLine, readonly Marked[]> = new Map();

/** The lines of one file, with the comments below them. */
export const FileLines = memo(({ file, isSmall, ...context }: FileLinesProps) => {
  const { isSplit, chunks, comments, written } = context;
  const rows = useMemo(() => rowsOf(file, isSplit), [file, isSplit]);
  const { marksWords } = context;
  const marks = useMemo(
    () => lazily(() => (marksWords ? wordMarks(file.lines.flatMap(({ diff }) => diff ?? [])) : noMarks)),
    [file, marksWords],
  );
  if (isSmall) return <Rows rows={rows} marks={marks} {...context} />;
  const groups = Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, at) => rows.slice(at * groupSize, (at + 1) * groupSize));
  return groups.map((group, at) => {
    const [from, to] = [indexIn(group[0]), Math.max(indexIn(group.at(-1)), indexIn(group[0]))];
    const isHere = (line: number) => group.some(({ lines }) => lines.some(({ index }) => index === line));
    return (
      <Chunk key={at} chunks={chunks} from={from} to={to} height={group.length} isFirst={from < context.firstPainted}>
        <Rows
          rows={group}
          marks={marks}
          {...context}
          comments={comments.length === 0 ? comments : comments.filter(({ end }) => isHere(end))}
          written={written !== undefined && isHere(written.to) ? written : undefined}
        />
      </Chunk>
    );
  });
});

const indexIn = (row: DocumentRow | undefined): number => Math.max(...(row?.lines ?? []).map(({ index }) => index), 0);

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface RowsProps extends Omit<FileLinesProps, "file" | "isSmall"> {
  rows: readonly DocumentRow[];
  marks(): ReadonlyMap<DiffLine, readonly Marked[]>;
}

const Rows = memo(
  ({ rows, comments, written, takes, actions, ...look }: RowsProps) => {
    const parts: ReactNode[] = [];
    let start = 0;
    for (const [index, row] of rows.entries()) {
      const isHere = (line: number) => row.lines.some((each) => each.index === line);
      const below = comments.length === 0 ? comments : comments.filter(({ end }) => isHere(end));
      const isWritten = written !== undefined && isHere(written.to);
      if (below.length === 0 && !isWritten) continue;
      parts.push(
        <Strip key={`to ${index}`} rows={rows.slice(start, index + 1)} {...look} />,
        <Comments key={`at ${index}`} below={below} written={isWritten ? written : undefined} takes={takes} actions={actions} />,
      );
      start = index + 1;
    }
    return [...parts, <Strip key="rest" rows={rows.slice(start)} {...look} />];
  },
  (before, after) =>
    before.rows.length === after.rows.length &&
    before.rows.every((row, index) => row === after.rows[index]) &&
    before.colours === after.colours &&
    before.marks === after.marks &&
    before.written === after.written &&
    before.takes === after.takes &&
    before.comments.length === after.comments.length &&
    before.comments.every(({ comment, at }, index) => comment === after.comments[index]?.comment && at === after.comments[index]?.at),
);

type Look = Pick<RowsProps, "colours" | "marks">;

/** Rows without anything between them. They are made as elements: as components, the lines of a long diff take half as long again. */
function Strip({ rows, colours, marks }: Look & { rows: readonly DocumentRow[] }) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.replaceChildren(...rows.map((row) => rowElement(row, { colours, marks }))));
  return <div ref={box} />;
}

function element(name: string, className: string, data: Readonly<Record<string, string | number | undefined>> = {}): HTMLElement {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  for (const [key, value] of Object.entries(data)) if (value !== undefined) made.setAttribute(`data-${key}`, String(value));
  return made;
}

function rowElement({ lines, sides }: DocumentRow, look: Look): HTMLElement {
  const [only, ...more] = lines;
  if (sides !== undefined) {
    const isSame = only?.diff?.kind === "same" && more.length === 0;
    const pair = element("div", "diff-pair", { line: isSame ? only.index : undefined });
    for (const [at, line] of sides.entries()) {
      const side = element("div", "diff-side", {
        kind: line?.diff?.kind ?? "none",
        new: (at === 0 ? line?.diff?.before : line?.diff?.after) ?? line?.place?.line,
        line: isSame ? undefined : line?.index,
      });
      if (line !== undefined) side.append(textElement(line, look));
      pair.append(side);
    }
    return pair;
  }
  if (only?.place === undefined) {
    const whole = element("div", "diff-whole", { kind: only?.diff?.kind });
    whole.textContent = exactText(only?.text ?? "");
    return whole;
  }
  const { diff, place, index } = only;
  const isNumbered = diff?.before !== undefined || diff?.after !== undefined;
  const row = element("div", "diff-row", {
    kind: diff?.kind,
    line: index,
    old: diff?.before,
    new: isNumbered ? diff?.after : place.line,
  });
  row.append(textElement(only, look));
  return row;
}

/** A line's text with its colours and its marked words. */
function textElement({ text, diff }: IndexedLine, { colours, marks }: Look): HTMLElement {
  const made = element("span", "diff-text");
  const pieces = diff && colours.get(diff);
  // What is unchanged needs no marks, and a file without changes no comparing.
  const marked = diff === undefined || diff.kind === "same" ? undefined : marks().get(diff);
  if (pieces === undefined && marked === undefined) made.textContent = exactText(text);
  else made.append(text.slice(0, 1), ...marksIn(pieces ?? [{ text: exactText(text.slice(1)) }], marked ?? []));
  return made;
}

/** The pieces of a line, divided where a mark begins or ends. */
function marksIn(pieces: readonly Piece[], marked: readonly Marked[]): (string | HTMLElement)[] {
  const result: (string | HTMLElement)[] = [];
  let at = 0;
  let next = 0;
  for (const { text, names = "" } of pieces) {
    for (let from = 0; from < text.length; ) {
      while (marked[next] !== undefined && (marked[next] as Marked).to <= at) next += 1;
      const mark = marked[next];
      const isMarked = mark !== undefined && mark.from <= at;
      const until = mark === undefined ? Number.POSITIVE_INFINITY : isMarked ? mark.to : mark.from;
      const words = text.slice(from, from + Math.min(text.length - from, until - at));
      const classes = isMarked ? `${names} diff-word`.trim() : names;
      if (classes === "") result.push(words);
      else {
        const span = element("span", classes);
        span.textContent = words;
        result.push(span);
      }
      from += words.length;
      at += words.length;
    }
  }
  return result;
}
