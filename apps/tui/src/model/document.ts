/**
 * A document that is read and commented on: its lines, its files if it is a diff, and its units, which are what the cursor goes through: a line of
 * a diff, a block of markdown (or a line of its raw text), or a whole file that was viewed and is folded. Positions are indices of lines, so that
 * they hold when a file is folded or the raw text is shown; `unitAt` finds the unit.
 */
import type { Question } from "@askbox/core";
import {
  type Comment,
  type DocumentFile,
  type DocumentLine,
  documentLines,
  documentOf,
  endsOf,
  filesOf,
  isDiff,
} from "@askbox/core/documents";
import type { FormState } from "@askbox/inbox";
import { fieldOf, questionOf } from "./form-items.ts";
import type { UiState } from "./ui-state.ts";

/** What the cursor goes through; the lines from one index to another. */
export interface Unit {
  from: number;
  to: number;
  /** Its file, by index. */
  file: number;
  isFolded?: true;
}

/** The blocks of markdown, by their lines; undefined if it can only be shown as it is written. */
export type BlocksOf = (text: string) => readonly { from: number; to: number }[] | undefined;

/** The document of a question, with the comments on its lines. */
export interface CommentedDocument {
  question: Question;
  text: string;
  lines: readonly DocumentLine[];
  files: readonly DocumentFile[];
  units: readonly Unit[];
  /** Whether its files can be marked as viewed: what is approved stays in view. */
  hasFiles: boolean;
  viewed: readonly number[];
  /** How markdown is shown that can be shown both ways. */
  markdown: "rendered" | "raw" | undefined;
  comments: readonly Comment[];
  /** The index of each comment's last line. */
  ends: readonly (number | undefined)[];
}

const none: readonly never[] = [];

interface Parsed {
  text: string;
  lines: readonly DocumentLine[];
  files: readonly DocumentFile[];
  isDiff: boolean;
}
const known = new WeakMap<Question, Parsed>();

function parsed(question: Question): Parsed | undefined {
  const text = documentOf(question);
  if (text === undefined) return undefined;
  const present = known.get(question);
  if (present !== undefined) return present;
  const lines = documentLines(text);
  const made = { text, lines, files: filesOf(lines), isDiff: isDiff(text) };
  known.set(question, made);
  return made;
}

/** What can be commented by line here; undefined if there is nothing. */
export function documentIn(
  form: FormState | undefined,
  ui: Pick<UiState, "viewed" | "overlay">,
  blocksOf: BlocksOf,
): CommentedDocument | undefined {
  const question = form?.phase === "editing" ? questionOf(form) : undefined;
  if (form === undefined || question === undefined) return undefined;
  const isRaw = ui.overlay?.kind === "document" && ui.overlay.isRaw === true;
  const { comments = none } = fieldOf(form, question);
  const document = documentOfQuestion(question, isRaw ? () => undefined : blocksOf, comments, ui.viewed[viewedKey(form, question)]);
  return isRaw && document !== undefined ? { ...document, markdown: "raw" } : document;
}

/** A question's document, also of a session that is settled. */
export function documentOfQuestion(
  question: Question,
  blocksOf: BlocksOf,
  comments: readonly Comment[] = none,
  viewed: readonly number[] = none,
): CommentedDocument | undefined {
  const document = parsed(question);
  if (document === undefined) return undefined;
  const { text, lines, files } = document;
  const blocks = document.isDiff ? undefined : blocksOf(text);
  const units = blocks?.map(({ from, to }): Unit => ({ from, to, file: 0 })) ?? unitsOf(files, viewed);
  const markdown = blocks === undefined ? undefined : "rendered";
  const hasFiles = "document" in question && files.some(({ name }) => name !== "");
  return { question, text, lines, files, units, hasFiles, viewed, markdown, comments, ends: endsOf(lines, comments) };
}

/** Where it is kept which files were viewed. */
export const viewedKey = ({ session }: FormState, { id }: Pick<Question, "id">): string => `${session.id} ${id}`;

/** The units of the last two choices of files, since every key asks for them. */
const knownUnits = new WeakMap<readonly DocumentFile[], Map<string, Unit[]>>();

function unitsOf(files: readonly DocumentFile[], viewed: readonly number[]): Unit[] {
  const present = knownUnits.get(files) ?? new Map<string, Unit[]>();
  knownUnits.set(files, present);
  const key = viewed.join();
  const units = present.get(key) ?? unitsWithout(files, viewed);
  if (present.size >= 2) present.clear();
  present.set(key, units);
  return units;
}

/** Each line that takes comments, and each file that was viewed or has no text. */
function unitsWithout(files: readonly DocumentFile[], viewed: readonly number[]): Unit[] {
  return files.flatMap(({ lines }, file): Unit[] => {
    const [first, last] = [lines[0]?.index ?? 0, lines.at(-1)?.index ?? 0];
    if (viewed.includes(file)) return [{ from: first, to: last, file, isFolded: true }];
    const placed = lines.filter(({ place }) => place !== undefined);
    return placed.length === 0 ? [{ from: first, to: last, file }] : placed.map(({ index }) => ({ from: index, to: index, file }));
  });
}

/** The index of the unit that a line is in, or which is the last before it. */
export function unitAt(units: readonly Unit[], line: number): number {
  let [low, high] = [0, units.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((units[middle]?.from ?? 0) <= line) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}
