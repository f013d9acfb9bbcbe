/** The rows of one file, as a list or side by side, with the comments below them. */
import { type DiffLine, type DocumentFile, diffPairs, type IndexedLine, isRepeated } from "@askbox/core/documents";
import { exactText } from "@askbox/terminal-text";
import { Fragment, memo, type ReactNode, useMemo } from "react";
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

/** The lines of one file, with the comments below them. */
export const FileLines = memo(({ file, isSmall, ...context }: FileLinesProps) => {
  const { isSplit, chunks, comments, written } = context;
  const rows = useMemo(() => rowsOf(file, isSplit), [file, isSplit]);
  const marks = useMemo(() => lazily(() => wordMarks(file.lines.flatMap(({ diff }) => diff ?? []))), [file]);
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
  ({ rows, marks, comments, written, takes, actions, colours, isSplit }: RowsProps) =>
    rows.map((row, index) => {
      const below = comments.length === 0 ? comments : comments.filter(({ end }) => row.lines.some((line) => line.index === end));
      const isWritten = written !== undefined && row.lines.some((line) => line.index === written.to);
      const inner = row.sides === undefined ? oneRow(row.lines[0], colours, marks) : twoSides(row, colours, marks, isSplit);
      if (below.length === 0 && !isWritten) return <Fragment key={index}>{inner}</Fragment>;
      return (
        <Fragment key={index}>
          {inner}
          <Comments below={below} written={isWritten ? written : undefined} takes={takes} actions={actions} />
        </Fragment>
      );
    }),
  (before, after) =>
    before.rows === after.rows || (before.rows.length === after.rows.length && before.rows.every((row, index) => row === after.rows[index]))
      ? before.colours === after.colours &&
        before.written === after.written &&
        before.takes === after.takes &&
        before.comments.length === after.comments.length &&
        before.comments.every(
          (comment, index) => comment.comment === after.comments[index]?.comment && comment.at === after.comments[index]?.at,
        )
      : false,
);

type Colours = LinesContext["colours"];

function oneRow(line: IndexedLine | undefined, colours: Colours, marks: RowsProps["marks"]): ReactNode {
  if (line === undefined) return null;
  const { diff, place, index } = line;
  if (place === undefined)
    return (
      <div className="diff-whole" data-kind={diff?.kind}>
        {exactText(line.text)}
      </div>
    );
  const isNumbered = diff === undefined || diff.before !== undefined || diff.after !== undefined;
  return (
    <div
      className="diff-row"
      data-kind={diff?.kind}
      data-line={index}
      data-old={diff?.before}
      data-new={diff === undefined ? place.line : isNumbered ? diff.after : place.line}
    >
      <span className="diff-text">{wordsOf(line, colours, marks)}</span>
    </div>
  );
}

function twoSides({ sides, lines: [only, ...more] }: DocumentRow, colours: Colours, marks: RowsProps["marks"], _: boolean): ReactNode {
  const isSame = only?.diff?.kind === "same" && more.length === 0;
  return (
    <div className="diff-pair" {...(isSame && { "data-line": only.index })}>
      {sides?.map((line, at) => {
        const kind = line?.diff?.kind ?? "none";
        if (line === undefined) return <div key={at} className="diff-side" data-kind={kind} />;
        const number = at === 0 ? line.diff?.before : line.diff?.after;
        return (
          <div
            key={at}
            className="diff-side"
            data-kind={kind}
            data-new={number ?? line.place?.line}
            {...(!isSame && { "data-line": line.index })}
          >
            <span className="diff-text">{wordsOf(line, colours, marks)}</span>
          </div>
        );
      })}
    </div>
  );
}

/** A line's text with its colours and its marked words. */
function wordsOf({ text, diff }: IndexedLine, colours: Colours, marks: RowsProps["marks"]): ReactNode {
  if (diff === undefined) return exactText(text);
  const pieces = colours.get(diff);
  // What is unchanged needs no marks, and a file without changes no comparing.
  const marked = diff.kind === "same" ? undefined : marks().get(diff);
  if (pieces === undefined && marked === undefined) return exactText(text);
  if (marked === undefined) return [text.slice(0, 1), ...(pieces ?? []).map(drawn)];
  return [text.slice(0, 1), ...withMarks(pieces ?? [{ text: exactText(text.slice(1)) }], marked)];
}

const drawn = ({ text, names }: Piece, index: number): ReactNode =>
  names === undefined ? (
    text
  ) : (
    <span key={index} className={names}>
      {text}
    </span>
  );

function withMarks(parts: readonly Piece[], marked: readonly Marked[]): ReactNode[] {
  const result: ReactNode[] = [];
  let at = 0;
  let next = 0;
  const put = (words: string, names: string | undefined, isMarked: boolean) => {
    const all = [names, isMarked ? "diff-word" : undefined].filter(Boolean).join(" ");
    result.push(
      all === "" ? (
        words
      ) : (
        <span key={result.length} className={all}>
          {words}
        </span>
      ),
    );
  };
  for (const { text: words, names } of parts) {
    for (let from = 0; from < words.length; ) {
      while (marked[next] !== undefined && (marked[next] as Marked).to <= at) next += 1;
      const mark = marked[next];
      const isMarked = mark !== undefined && mark.from <= at;
      const until = mark === undefined ? Number.POSITIVE_INFINITY : isMarked ? mark.to : mark.from;
      const length = Math.min(words.length - from, until - at);
      put(words.slice(from, from + length), names, isMarked);
      from += length;
      at += length;
    }
  }
  return result;
}
