import type { Question } from "@askbox/core";
import { type Comment, commentOn, type DocumentLine, documentLines, documentOf, endsOf } from "@askbox/core/documents";
import type { FormState } from "@askbox/inbox";
import type { KeyPress } from "../editor/editor.ts";
import { bufferOf } from "../editor/text-buffer.ts";
import { fieldOf, questionOf } from "./form-items.ts";
import type { Turn } from "./turn.ts";
import type { EditTarget, Overlay } from "./ui-state.ts";

/** The document of the current question, with the comments on its lines. */
export interface CommentedDocument {
  question: Question;
  lines: readonly DocumentLine[];
  comments: readonly Comment[];
  /** The index of each comment's last line. */
  ends: readonly (number | undefined)[];
}

type DocumentOverlay = Extract<Overlay, { kind: "document" }>;
type LineTarget = Extract<EditTarget, { kind: "line" }>;

const none: readonly Comment[] = [];
const known = new WeakMap<Question, readonly DocumentLine[]>();

function linesOf(question: Question): readonly DocumentLine[] | undefined {
  const document = documentOf(question);
  if (document === undefined) return undefined;
  const lines = known.get(question) ?? documentLines(document);
  known.set(question, lines);
  return lines;
}

/** What can be commented by line here; undefined if there is nothing. */
export function documentIn(form: FormState | undefined): CommentedDocument | undefined {
  const question = form?.phase === "editing" ? questionOf(form) : undefined;
  const lines = question === undefined ? undefined : linesOf(question);
  if (form === undefined || question === undefined || lines === undefined) return undefined;
  const { comments = none } = fieldOf(form, question);
  return { question, lines, comments, ends: endsOf(lines, comments) };
}

/** Opens the document, with the cursor on its first line. Returns whether there is one. */
export function openDocument(turn: Turn): boolean {
  const document = documentIn(turn.form());
  const first = document?.lines.findIndex(({ place }) => place !== undefined) ?? -1;
  if (first < 0) return false;
  turn.set({ overlay: { kind: "document", from: first, to: first } });
  return true;
}

const moves = ["up", "down", "pageUp", "pageDown", "first", "last"] as const;
/** Extend the marked lines. */
const shifts: Readonly<Record<string, 1 | -1>> = { J: 1, "shift+j": 1, "shift+down": 1, K: -1, "shift+k": -1, "shift+up": -1 };

/** Keys while a document is open. */
export function documentKey(turn: Turn, overlay: DocumentOverlay, { name }: KeyPress): void {
  const document = documentIn(turn.form());
  if (document === undefined) return turn.set({ overlay: undefined });
  if (turn.is(name, "back") || turn.is(name, "quit")) {
    // Read to its end here: what is below it comes next.
    const isAtEnd = nextLine(document.lines, overlay.to, 1) === overlay.to;
    return turn.set({ overlay: undefined, ...(isAtEnd && { scroll: Number.MAX_SAFE_INTEGER }) });
  }
  // The question and what the agent was doing are there.
  if (turn.is(name, "read")) return turn.set({ overlay: { kind: "reader", top: 0 } });
  const { lines } = document;
  const { from, to } = overlay;
  if (turn.is(name, "comment") || turn.is(name, "confirm")) return startComment(turn, document, overlay);
  if (Object.hasOwn(shifts, name)) {
    const next = nextLine(lines, to, shifts[name] ?? 1);
    if (lines[next]?.place?.path === lines[from]?.place?.path) turn.set({ overlay: { ...overlay, to: next } });
    return;
  }
  const page = Math.max(1, turn.seen.viewport.bodyRows - 1);
  const by = { up: -1, down: 1, pageUp: -page, pageDown: page, first: -lines.length, last: lines.length };
  const move = turn.seen.keymap.find(name, moves);
  const next = move !== undefined ? nextLine(lines, to, by[move]) : name === "n" || name === "p" ? stopFrom(document, to, name) : to;
  turn.set({ overlay: { ...overlay, from: next, to: next } });
}

/** The line that takes comments at this distance, or the last one before it. */
function nextLine(lines: readonly DocumentLine[], from: number, by: number): number {
  const step = Math.sign(by);
  let found = from;
  for (let index = from + step; lines[index] !== undefined; index += step) {
    if (lines[index]?.place === undefined) continue;
    if (found !== from && Math.abs(index - from) > Math.abs(by)) break;
    found = index;
  }
  return found;
}

/** The next or previous file or comment. */
function stopFrom({ lines, ends }: CommentedDocument, from: number, key: "n" | "p"): number {
  const step = key === "n" ? 1 : -1;
  for (let index = from + step; lines[index] !== undefined; index += step) {
    const { place } = lines[index] ?? {};
    const isStart = place !== undefined && lines[index - 1]?.diff?.kind !== undefined && pathBefore(lines, index) !== place.path;
    if (isStart || ends.includes(index)) return index;
  }
  return from;
}

/** The path of the line before, if it takes comments. */
function pathBefore(lines: readonly DocumentLine[], index: number): string | undefined {
  for (let before = index - 1; before >= 0; before -= 1) if (lines[before]?.place !== undefined) return lines[before]?.place?.path;
  return undefined;
}

/** A single line's comment is continued; others begin. */
function startComment(turn: Turn, { question, lines, comments, ends }: CommentedDocument, { from, to }: DocumentOverlay): void {
  const at = from === to ? ends.lastIndexOf(to) : -1;
  const comment = at >= 0 ? comments[at] : commentOn(lines, from, to, "");
  if (comment === undefined) return;
  const target: LineTarget = {
    kind: "line",
    questionId: question.id,
    comment,
    before: comments.slice(0, at >= 0 ? at : comments.length),
    after: at >= 0 ? comments.slice(at + 1) : none,
  };
  turn.set({ editing: { target, buffer: bufferOf(comment.text) } });
  turn.focus({ questionId: question.id });
}

/** Keeps a comment as it is typed; one without words is deleted. */
export function keepComment(turn: Turn, { questionId, comment, before, after }: LineTarget, text: string): void {
  const own = text.trim() === "" ? [] : [{ ...comment, text }];
  turn.edit({ id: questionId }, { kind: "comments", comments: [...before, ...own, ...after] });
}
