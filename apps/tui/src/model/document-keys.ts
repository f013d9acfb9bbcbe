import type { Question } from "@askbox/core";
import { type Comment, commentOn } from "@askbox/core/documents";
import { offeredOptions, traitsOf } from "@askbox/core/questions";
import { optionOfKey } from "@askbox/inbox/commands";
import type { KeyPress } from "../editor/editor.ts";
import { bufferOf } from "../editor/text-buffer.ts";
import { type CommentedDocument, documentIn, unitAt, viewedKey } from "./document.ts";
import type { Turn } from "./turn.ts";
import type { EditTarget, Overlay } from "./ui-state.ts";

type DocumentOverlay = Extract<Overlay, { kind: "document" }>;
type LineTarget = Extract<EditTarget, { kind: "line" }>;

/** Opens the document, with the cursor at its beginning. Returns whether there is one. */
export function openDocument(turn: Turn): boolean {
  const first = documentIn(turn.form(), turn.ui, turn.seen.blocksOf)?.units[0];
  if (first === undefined) return false;
  turn.set({ overlay: { kind: "document", from: first.from, to: first.from } });
  return true;
}

const moves = ["up", "down", "pageUp", "pageDown", "first", "last"] as const;
type Move = (typeof moves)[number];
/** Extend the marked lines. */
const shifts: Readonly<Record<string, "up" | "down">> = {
  J: "down",
  "shift+j": "down",
  "shift+down": "down",
  K: "up",
  "shift+k": "up",
  "shift+up": "up",
};

/** Keys while a document is open. */
export function documentKey(turn: Turn, overlay: DocumentOverlay, { name }: KeyPress): void {
  const document = documentIn(turn.form(), turn.ui, turn.seen.blocksOf);
  if (document === undefined) return turn.set({ overlay: undefined });
  if (turn.is(name, "back") || turn.is(name, "quit")) return closeDocument(turn, document, overlay);
  if (turn.is(name, "comment") || turn.is(name, "confirm")) return startComment(turn, document, overlay);
  if (turn.is(name, "read")) return view(turn, document, overlay);
  if (name === "tab" && document.markdown !== undefined)
    return turn.set({ overlay: { ...overlay, isRaw: document.markdown === "rendered", scroll: undefined } });
  if (pickVerdict(turn, document, name)) return;
  if (Object.hasOwn(shifts, name)) {
    const next = moved(turn, document, overlay.to, shifts[name] ?? "down");
    const [from, to] = [overlay.from, next].map((line) => document.units[unitAt(document.units, line)]);
    if (from?.file === to?.file) turn.set({ overlay: { ...overlay, to: next, scroll: undefined } });
    return;
  }
  const move = turn.seen.keymap.find(name, moves);
  if (move !== undefined && scrollIn(turn, document, overlay, move)) return;
  const next =
    move !== undefined
      ? moved(turn, document, overlay.to, move)
      : name === "n" || name === "p"
        ? stopFrom(document, overlay.to, name)
        : overlay.to;
  turn.set({ overlay: { ...overlay, from: next, to: next, ...(next !== overlay.to && { scroll: undefined }) } });
}

function closeDocument(turn: Turn, { units }: CommentedDocument, { to }: DocumentOverlay): void {
  // Read to its end here: what is below it comes next. The last block may be higher than the screen; an empty row
  // follows it.
  const { bodyRows, bodyTop, bodyLength } = turn.seen.viewport;
  const isAtEnd = unitAt(units, to) === units.length - 1 && bodyTop + bodyRows >= bodyLength - 1;
  turn.set({ overlay: undefined, ...(isAtEnd && { scroll: Number.MAX_SAFE_INTEGER }) });
}

/** A digit picks a verdict on the document, which stays open. */
function pickVerdict(turn: Turn, { question }: CommentedDocument, name: string): boolean {
  const options = traitsOf(question).widget === "document" ? offeredOptions(question) : [];
  const option = options[optionOfKey(name, options.length, "alt") ?? -1];
  if (option !== undefined) turn.edit(question, { kind: "choose", value: option.value });
  return option !== undefined;
}

/** Marks the file under the cursor as viewed, which folds it, and goes to the next that was not; or unfolds it. */
function view(turn: Turn, document: CommentedDocument, overlay: DocumentOverlay): void {
  const form = turn.form();
  if (form === undefined || !document.hasFiles) return;
  const { viewed, units, files, question } = document;
  const file = units[unitAt(units, overlay.to)]?.file ?? 0;
  const isViewed = viewed.includes(file);
  const now = isViewed ? viewed.filter((each) => each !== file) : [...viewed, file];
  turn.set({ viewed: { ...turn.ui.viewed, [viewedKey(form, question)]: now } });
  const next = [...files.keys()].find((at) => at > file && !now.includes(at));
  const target = documentIn(form, turn.ui, turn.seen.blocksOf)?.units.find((unit) => unit.file === (isViewed ? file : (next ?? file)));
  if (target !== undefined) turn.set({ overlay: { ...overlay, from: target.from, to: target.from, scroll: undefined } });
}

/** The first line of the unit to which this moves. A page is as many rows as are shown. */
function moved(turn: Turn, { units }: CommentedDocument, line: number, move: Move): number {
  const at = unitAt(units, line);
  const { bodyRows, unitTops: tops = [] } = turn.seen.viewport;
  const page = Math.max(1, bodyRows - 2);
  const rowOf = (index: number) => tops[index] ?? index;
  const last = units.length - 1;
  const down = () => {
    let next = at + 1;
    while (next < last && rowOf(next + 1) <= rowOf(at) + page) next += 1;
    return next;
  };
  const up = () => {
    let next = at - 1;
    while (next > 0 && rowOf(next - 1) >= rowOf(at) - page) next -= 1;
    return next;
  };
  const next = { up: () => at - 1, down: () => at + 1, pageUp: up, pageDown: down, first: () => 0, last: () => last }[move]();
  return units[Math.min(last, Math.max(0, next))]?.from ?? line;
}

/** A unit that is higher than the screen is read before the cursor leaves it. Returns whether this scrolls. */
function scrollIn(turn: Turn, { units }: CommentedDocument, overlay: DocumentOverlay, move: Move): boolean {
  const { bodyRows, bodyTop, bodyLength, unitTops } = turn.seen.viewport;
  if (unitTops === undefined) return false;
  const at = unitAt(units, overlay.to);
  if (move === "first" || move === "last") {
    if (at !== (move === "first" ? 0 : units.length - 1)) return false;
    turn.set({ overlay: { ...overlay, scroll: move === "first" ? 0 : Math.max(0, bodyLength - bodyRows) } });
    return true;
  }
  const by = move === "up" || move === "down" ? 1 : Math.max(1, bodyRows - 2);
  const [top, end] = [unitTops[at] ?? 0, unitTops[at + 1] ?? bodyLength];
  const scroll =
    move === "down" || move === "pageDown"
      ? end > bodyTop + bodyRows && Math.min(bodyTop + by, Math.max(0, end - bodyRows))
      : top <= bodyTop && bodyTop > 0 && Math.max(bodyTop - by, top - 1);
  if (scroll === false || scroll === bodyTop) return false;
  turn.set({ overlay: { ...overlay, scroll } });
  return true;
}

/** The next or previous file or comment; the same line if there is none. */
export function stopFrom({ units, ends }: CommentedDocument, line: number, key: "n" | "p"): number {
  const step = key === "n" ? 1 : -1;
  for (let index = unitAt(units, line) + step; units[index] !== undefined; index += step) {
    const unit = units[index];
    if (unit === undefined) break;
    const isStart = units[index - 1]?.file !== unit.file;
    if (isStart || ends.some((end) => end !== undefined && end >= unit.from && end <= unit.to)) return unit.from;
  }
  return line;
}

/** A single unit's comment is continued; others begin. */
function startComment(turn: Turn, { question, lines, units, comments, ends }: CommentedDocument, { from, to }: DocumentOverlay): void {
  const [anchor, cursor] = [units[unitAt(units, from)], units[unitAt(units, to)]];
  if (anchor === undefined || cursor === undefined) return;
  const at = anchor === cursor ? ends.findLastIndex((end) => end !== undefined && end >= cursor.from && end <= cursor.to) : -1;
  const [first, last] = [Math.min(anchor.from, cursor.from), Math.max(anchor.to, cursor.to)];
  const comment = at >= 0 ? comments[at] : cursor.isFolded ? undefined : commentOn(lines, first, last, "");
  if (comment === undefined) return;
  const target: LineTarget = {
    kind: "line",
    questionId: question.id,
    comment,
    before: comments.slice(0, at >= 0 ? at : comments.length),
    after: at >= 0 ? comments.slice(at + 1) : [],
  };
  turn.set({ editing: { target, buffer: bufferOf(comment.text) } });
  turn.focus({ questionId: question.id });
}

/** Keeps a comment as it is typed; one without words is deleted. */
export function keepComment(turn: Turn, { questionId, comment, before, after }: LineTarget, text: string): void {
  const own = text.trim() === "" ? [] : [{ ...comment, text }];
  turn.edit({ id: questionId } satisfies Pick<Question, "id">, { kind: "comments", comments: [...before, ...own, ...after] as Comment[] });
}
