/** The rows of a document or a diff, and the comments between them. Rows are groups that a browser skips while they are out of sight. */
import { type Comment, type DiffLine, type DocumentLine, diffPairs } from "@askbox/core/documents";
import { useAskbox } from "@askbox/react";
import { exactText } from "@askbox/terminal-text";
import { type KeyboardEvent, memo, type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslate } from "../i18n/language.tsx";
import type { Piece } from "./diff-colours.ts";
import { TextArea } from "./text-area.tsx";

/** A line with its index in the document. */
interface IndexedLine extends DocumentLine {
  index: number;
}

/** The lines of one file of a diff, or a whole document. */
export interface DocumentFile {
  name: string;
  lines: readonly IndexedLine[];
}

/** A file begins with its names. */
export function filesOf(lines: readonly DocumentLine[]): DocumentFile[] {
  const files: { name: string; lines: IndexedLine[] }[] = [];
  for (const [index, line] of lines.entries()) {
    const isStart = line.diff?.kind === "head" && lines[index - 1]?.diff?.kind !== "head" && !line.text.startsWith("\\");
    if (isStart || files.length === 0) files.push({ name: "", lines: [] });
    const file = files.at(-1) as (typeof files)[number];
    file.name ||= line.place?.path ?? "";
    file.lines.push({ ...line, index });
  }
  return files;
}

/** A row of the view: one line, or the old and the new side. */
interface DocumentRow {
  cells: readonly (IndexedLine | undefined)[];
  number: "line" | "sides";
}

function rowsOf({ lines }: DocumentFile, isWide: boolean): DocumentRow[] {
  if (!isWide || lines.every(({ diff }) => diff === undefined)) return lines.map((line) => ({ cells: [line], number: "line" }));
  const known = new Map(lines.map((line) => [line.diff, line]));
  return diffPairs(lines.flatMap(({ diff }) => diff ?? [])).map((pair) =>
    "whole" in pair
      ? { cells: [known.get(pair.whole)], number: "line" }
      : { cells: [pair.left, pair.right].map((side) => side && known.get(side)), number: "sides" },
  );
}

/** A comment, its index in the answer, and the index of its last line. */
export interface LineComment {
  comment: Comment;
  at: number;
  end: number;
}

interface FileLinesProps {
  file: DocumentFile;
  /** Only lines with an index below it are rendered. */
  until: number;
  isWide: boolean;
  colours: ReadonlyMap<DiffLine, readonly Piece[]>;
  comments: readonly LineComment[];
  /** The line below which a comment is written. */
  editing: number | undefined;
  takes: boolean;
  onSave(text: string): void;
  /** The same while it is being written. */
  onPause(text: string): void;
  onClose(): void;
  onChange(at: number, text: string): void;
}

/** Rows are rendered in groups of this size, so that what is out of sight costs nothing. */
const groupSize = 100;

/** The lines of one file, with the comments below them. */
export function FileLines({ file, until, isWide, colours, comments, editing, takes, onSave, onPause, onClose, onChange }: FileLinesProps) {
  const isWhole = (file.lines.at(-1)?.index ?? 0) < until;
  const rows = rowsOf(isWhole ? file : { ...file, lines: file.lines.filter(({ index }) => index < until) }, isWide);
  const groups = Array.from({ length: Math.ceil(rows.length / groupSize) }, (_, at) => rows.slice(at * groupSize, (at + 1) * groupSize));
  return groups.map((group, at) => (
    <div key={at} className="diff-group">
      {group.map((row, index) => {
        const below = comments.filter(({ end }) => row.cells.some((cell) => cell?.index === end));
        const isEdited = editing !== undefined && row.cells.some((cell) => cell?.index === editing);
        return (
          <Fragmented key={index} row={row} colours={colours}>
            {below.map((each) => (
              <Written key={each.at} comment={each.comment} takes={takes} onChange={(text) => onChange(each.at, text)} />
            ))}
            {isEdited && <Editor text="" onDone={onSave} onPause={onPause} onClose={onClose} />}
          </Fragmented>
        );
      })}
    </div>
  ));
}

function Fragmented({ row, colours, children }: { row: DocumentRow; colours: FileLinesProps["colours"]; children: ReactNode }) {
  const [first, second] = row.cells;
  return (
    <>
      <Row
        first={first}
        second={second}
        isPair={row.number === "sides"}
        of={first?.diff && colours.get(first.diff)}
        and={second?.diff && colours.get(second.diff)}
      />
      {children}
    </>
  );
}

interface RowProps {
  first: IndexedLine | undefined;
  second: IndexedLine | undefined;
  isPair: boolean;
  of: readonly Piece[] | undefined;
  and: readonly Piece[] | undefined;
}

const Row = memo(
  ({ first, second, isPair, of, and }: RowProps) => (
    <div className="diff-row">
      {first?.place === undefined && first !== undefined ? (
        <div className="diff-text" data-kind={first.diff?.kind}>
          {exactText(first.text)}
        </div>
      ) : (
        <Side line={first} pieces={of} number={isPair && first?.diff?.kind === "same" ? first.diff.before : first?.place?.line} />
      )}
      {isPair && <Side line={second} pieces={and} number={second?.place?.line} />}
    </div>
  ),
  (a, b) =>
    a.first?.diff === b.first?.diff &&
    a.first?.text === b.first?.text &&
    a.first?.index === b.first?.index &&
    a.second?.diff === b.second?.diff &&
    a.isPair === b.isPair &&
    a.of === b.of &&
    a.and === b.and,
);

function Side({
  line,
  pieces,
  number,
}: {
  line: IndexedLine | undefined;
  pieces: readonly Piece[] | undefined;
  number: number | undefined;
}) {
  if (line === undefined) return <div className="diff-side" data-kind="none" />;
  const { text, diff, index } = line;
  return (
    <div className="diff-side" data-kind={diff?.kind ?? "same"} data-line={index} data-coloured={pieces !== undefined || undefined}>
      <span className="diff-number">{number}</span>
      <span className="diff-text">{pieces === undefined ? exactText(text) : [text.slice(0, 1), ...pieces.map(drawn)]}</span>
    </div>
  );
}

const drawn = ({ text, names }: Piece, index: number): ReactNode => (
  <span key={index} className={names}>
    {text}
  </span>
);

/** A comment that can be changed; one without text is deleted. */
function Written({ comment, takes, onChange }: { comment: Comment; takes: boolean; onChange(text: string): void }) {
  const t = useTranslate();
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return (
      <Editor
        text={comment.text}
        onPause={onChange}
        onDone={(text) => {
          setOpen(false);
          onChange(text);
        }}
        onClose={() => setOpen(false)}
      />
    );
  return (
    <div className="line-comment" data-testid="line-comment">
      <p dir="auto">{comment.text}</p>
      {takes && (
        <p>
          <button type="button" className="link-button" onClick={() => setOpen(true)}>
            {t("document.edit")}
          </button>{" "}
          <button type="button" className="link-button" onClick={() => onChange("")}>
            {t("document.delete")}
          </button>
        </p>
      )}
    </div>
  );
}

interface EditorProps {
  text: string;
  onDone(text: string): void;
  onPause(text: string): void;
  onClose(): void;
}

/** Milliseconds without a key until what is being written is part of the draft; the document is rendered then. */
const pauseAfter = 300;

/** Writes a comment. A pause and leaving the field keep what was written. */
function Editor({ text, onDone, onPause, onClose }: EditorProps) {
  const t = useTranslate();
  const { clock } = useAskbox();
  const [words, setWords] = useState(text);
  const isDone = useRef(false);
  const pause = useEffectEvent(() => {
    // Without text it would be deleted, and another is about to be typed.
    if (!isDone.current && words.trim() !== "" && words !== text) onPause(words);
  });
  // Each key starts the pause again.
  useEffect(() => clock.setTimer(pauseAfter, () => pause()), [words, clock]);
  const done = () => {
    if (!isDone.current) onDone(words);
    isDone.current = true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isSaved = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isSaved && event.key !== "Escape") return;
    // Neither may send the answer or leave the question.
    event.preventDefault();
    event.stopPropagation();
    event.nativeEvent.stopPropagation();
    done();
    onClose();
  };
  return (
    <div className="line-comment">
      <TextArea
        rows={2}
        maxLength={10_000}
        value={words}
        onChange={({ target }) => setWords(target.value)}
        onKeyDown={onKeyDown}
        onBlur={done}
        aria-label={t("document.comment")}
        autoFocus
      />
      <p className="quiet">{t("document.saved")}</p>
    </div>
  );
}
