/**
 * What is drawn of a form that can be filled in: the current question with its options and fields, or the review of all answers. The model says
 * which items there are (`form-items`); here each becomes rows, and the one under the cursor is marked. Nothing here changes anything.
 */
import type { Answer, Question } from "@askbox/core";
import { commentList, documentOf } from "@askbox/core/documents";
import {
  type AnswerFile,
  answerText,
  bytesText,
  changedInput,
  expectedAnswer,
  imageLines,
  isTyped,
  type OfferedOption,
  offeredOptions,
  readGrantValue,
  traitsOf,
} from "@askbox/core/questions";
import { answerOf, errorOf, type Field, type FormState, optionsInOrder } from "@askbox/inbox";
import { keyOfOption } from "@askbox/inbox/commands";
import { longDuration } from "@askbox/inbox/text";
import { exactText, terminalLine } from "@askbox/terminal-text";
import { editorRows } from "../editor/editor.ts";
import { bufferOf } from "../editor/text-buffer.ts";
import { blocksOf, previewRows, richRows } from "../markdown/rich-text.ts";
import { documentIn } from "../model/document.ts";
import { fieldOf, type Item, isGrant, isPicked, questionOf } from "../model/form-items.ts";
import { type PastActions, pastWords } from "../model/past-grants.ts";
import type { Editing, UiState } from "../model/ui-state.ts";
import { byWhom } from "../model/words.ts";
import { emptyRow, line, prefixed, type Row, rowWidth, type Span, span, wrap } from "../text/row.ts";
import { actionRows, denialRows } from "./action-rows.ts";
import { type Body, BodyBuilder } from "./body.ts";
import { documentLayout } from "./document-rows.ts";
import { backgroundLine, backgroundRows, threadRows } from "./session-rows.ts";

/** What a form is drawn from. */
interface FormView {
  state: FormState;
  items: readonly Item[];
  /** The item under the cursor; undefined while the list has the focus. */
  item: number | undefined;
  editing: Editing | undefined;
  past: PastActions | undefined;
  /** The files that were viewed. */
  viewed: UiState["viewed"];
  /** Wall time in ms. */
  now: number;
  width: number;
  /** For a screen reader: words instead of symbols. */
  plain: boolean;
  /** Whether the terminal can show pictures. */
  showsPictures: boolean;
  /** The shortcut for an action, for hints in the text. */
  keyOf(action: "recommended" | "earlier" | "read" | "skip"): string;
  /** The shortcut for an action that doesn't type a character, for hints in a text field. */
  typingKeyOf(action: "recommended" | "skip"): string;
}

/** The body of a form that can be filled in: the current question, or the review. */
export function formBody(view: FormView): Body {
  const { now, state, width, plain } = view;
  const builder = new BodyBuilder();
  if (state.mode === "reply") {
    builder.add(
      wrap([span("This has timed out. You can still reply; the agent gets your reply with its next question.", "warning")], width),
    );
    builder.add([emptyRow]);
  }
  const question = questionOf(state);
  if (question === undefined) {
    builder.addThread(threadRows(state.session, now, width, plain));
    reviewBody(view, builder);
    return builder.add(backgroundLine(state.session, width)).body;
  }
  const field = fieldOf(state, question);
  builder.add(questionRows(question, width, plain));
  builder.add(imageRows(view, question));
  if ("action" in question)
    builder.addAction([
      ...denialRows(question.denial, { width, isOpen: true }),
      ...actionRows(question.action, state.session.asker.machine, width, plain),
      ...changedRows(question, field, width),
    ]);
  else builder.add(expectedRows(view, question));
  const document = "document" in question ? documentIn(state, { viewed: view.viewed, overlay: undefined }, blocksOf) : undefined;
  if (document !== undefined) builder.addDocument(documentLayout(document, { width, plain }));
  else builder.add(commentsRows(field, width, plain));
  if (field.skipped) {
    const key = view.editing === undefined ? view.keyOf("skip") : view.typingKeyOf("skip");
    builder.add(wrap([span("Skipped. ", "warning"), span(`Press ${key} to answer it after all.`, "dim")], width));
  }
  builder.add(earlierRows(view));
  builder.addThread(threadRows(state.session, now, width, plain));
  for (const [index, item] of view.items.entries()) {
    const from = builder.body.rows.length;
    addItem(builder, view, question, field, item, index === view.item);
    if (document !== undefined && item.kind === "option") builder.addVerdict(from);
  }
  const error = state.errors[question.id];
  // On a small screen it would otherwise be below the fold.
  if (error !== undefined) builder.addToFocus(wrap([span(`! ${error.message}`, "error")], width));
  builder.add(focusedPreview(view, question, field));
  // Where there is a document, the key that reads opens that.
  const hasDocument = documentOf(question) !== undefined;
  return builder.add(hasDocument ? backgroundRows(state.session, width, plain) : backgroundLine(state.session, width)).body;
}

/** The arguments with which the action would be allowed instead. */
function changedRows(question: Question, field: Field, width: number): Row[] {
  const changed = changedInput(question, field);
  if (changed !== undefined && changed.input === undefined) return [];
  const title = changed === undefined ? "Not a JSON object; edit it again:" : "Changed, allowed with these arguments instead:";
  const text = changed === undefined ? (field.input ?? "") : JSON.stringify(changed.input, undefined, 2);
  return [emptyRow, ...wrap([span(title, "warning")], width), ...prefixed(wrap([span(exactText(text), "code")], width - 2), span("  "))];
}

/** The comments on lines of the document. */
function commentsRows({ comments }: Field, width: number, plain: boolean): Row[] {
  if (comments === undefined) return [];
  const title = `${comments.length} ${comments.length === 1 ? "comment" : "comments"} on lines:`;
  return [...wrap([span(title, "accent")], width), ...richRows(commentList(comments), width, plain), emptyRow];
}

/** The question, marked if it is optional. */
export function questionRows(question: Question, width: number, plain: boolean): Row[] {
  const rows = richRows(question.question, width, plain);
  const mark = question.required ? span("") : span(" (optional)", "dim");
  const last = rows.at(-1);
  if (last === undefined) return wrap([mark], width);
  return [...rows.slice(0, -1), ...wrap([...last, mark], width), emptyRow];
}

/** A frame names pictures; a viewer or the browser shows them. */
function imageRows({ keyOf, showsPictures, width }: FormView, question: Question): Row[] {
  const lines = imageLines(question);
  if (lines.length === 0) return [];
  const how = span(`Press ${keyOf("read")} to see ${lines.length === 1 ? "it" : "them"}${showsPictures ? "" : " in the browser"}.`, "dim");
  return [...lines.flatMap((text) => wrap([span(text)], width)), ...wrap([how], width), emptyRow];
}

/** The expected answer with its limits, if the fields alone don't show them, and the agent's suggestion. */
function expectedRows(view: FormView, question: Question): Row[] {
  const { picks } = traitsOf(question);
  const isLimited = "minChoices" in question || "maxChoices" in question;
  const expected = expectedAnswer(question);
  const rows =
    (picks === undefined || picks === "order" || isLimited) && expected !== "text"
      ? wrap([span(capitalized(expected), "dim")], view.width)
      : [];
  const { values, other } = fieldOf(view.state, question);
  const [picked, most] = [values.length + (other ? 1 : 0), "maxChoices" in question ? question.maxChoices : undefined];
  if (picks === "many" && most !== undefined && picked > most)
    rows.push(...wrap([span(`${picked} of at most ${most}`, "error")], view.width));
  if (isTyped(question) && question.suggestion !== undefined) {
    const key = view.editing === undefined ? view.keyOf("recommended") : view.typingKeyOf("recommended");
    const use = key === "" ? [] : [span(` – ${key} uses it`, "dim")];
    rows.push(...wrap([span("Suggested: ", "dim"), span(question.suggestion, "recommended"), ...use], view.width));
  }
  return rows.length === 0 ? [] : [...rows, emptyRow];
}

const capitalized = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

function earlierRows({ state, width, keyOf }: FormView): Row[] {
  const { earlierAnswer } = state.session;
  if (earlierAnswer === undefined || state.step > 0) return [];
  const text = `The same question was answered earlier (${byWhom(earlierAnswer.by)}). Press ${keyOf("earlier")} to fill that in.`;
  return [...wrap([span(text, "dim")], width), emptyRow];
}

function addItem(builder: BodyBuilder, view: FormView, question: Question, field: Field, item: Item, isFocused: boolean): void {
  switch (item.kind) {
    case "option": {
      const option = optionsInOrder(question, field)[item.index];
      if (option !== undefined) builder.add(optionRows(view, question, field, option, item.index, isFocused), isFocused);
      return;
    }
    case "other":
      return addOther(builder, view, question, field, isFocused);
    case "text":
      return addField(builder, view, "text", field.values[0] ?? "", isFocused, placeholderOf(question) ?? inviteOf(question));
    case "note":
      builder.add([line([span("Note", "dim")], view.width)]);
      return addField(builder, view, "note", field.note, isFocused, "A note on this answer");
    default:
      return addExtra(builder, view, item, isFocused);
  }
}

function addOther(builder: BodyBuilder, view: FormView, question: Question, field: Field, isFocused: boolean): void {
  const index = offeredOptions(question).length;
  const isTyped = view.editing?.target.kind === "other";
  const label = span("Other", isFocused ? "selection" : undefined);
  const hint = field.other || isTyped ? [] : [span(` – ${placeholderOf(question) ?? "your own answer"}`, "dim")];
  builder.add(wrap([label, ...hint], view.width, { first: leadOf(view, question, field.other, index, isFocused) }), isFocused);
  if (field.other || isTyped)
    addField(builder, view, "other", field.otherText, isFocused, placeholderOf(question) ?? "Type your answer", 4);
}

function optionRows(view: FormView, question: Question, field: Field, option: OfferedOption, index: number, isFocused: boolean): Row[] {
  const isChosen = isPicked(question, field, option.value);
  const label = span(option.label, isFocused ? "selection" : undefined, isChosen ? { strong: true } : {});
  const advice = option.recommended ? [span("  recommended", "recommended")] : [];
  const more = option.preview === undefined ? [] : [span("  preview", "dim")];
  const lead = leadOf(view, question, isChosen, index, isFocused, option.label);
  const rows = wrap([label, ...advice, ...(isFocused ? [] : more)], view.width, { first: lead });
  const description = isChosen && isGrant(question, option.value) ? grantWords(view, question, field) : option.description;
  if (description === undefined || description === "") return rows;
  const indent = span(" ".repeat(lead.reduce((sum, { text }) => sum + text.length, 0)));
  return [...rows, ...prefixed(wrap([span(description, "dim")], view.width - indent.text.length), indent)];
}

/** What a picked grant allows, and what it would have allowed. */
function grantWords({ state: { session }, past }: FormView, question: Question, { values: [value = ""] }: Field): string {
  const grant = readGrantValue(value);
  const what = grant?.prefix === undefined ? "This exact action" : `Any command that begins with ${terminalLine(grant.prefix)}`;
  const words = `${what}, without asking, for ${longDuration(grant?.duration ?? 0)}; space changes it`;
  const before = grant && pastWords(past, session, question, grant);
  return before === undefined ? words : `${words}. ${before}`;
}

/** The start of an option's row: the cursor, whether it is selected, and the key that picks it unless that is its label. */
function leadOf({ plain }: FormView, question: Question, isChosen: boolean, index: number, isFocused: boolean, label = ""): Span[] {
  if (traitsOf(question).picks === "order") {
    if (plain) return [span(`${isFocused ? "current, " : ""}${isChosen ? "rank" : "not ranked"} ${index + 1}: `)];
    return [span(isFocused ? "› " : "  ", "accent"), span(`${isChosen ? `${index + 1}.` : "–"} `.padStart(4), isChosen ? "accent" : "dim")];
  }
  const key = traitsOf(question).picks === "decision" ? " " : keyOfOption(index, "alt") || " ";
  const isKey = key !== label;
  if (plain) return [span(`${isFocused ? "current, " : ""}${isChosen ? "chosen" : "not chosen"}${isKey ? `, ${key}` : ""}: `)];
  const widest = offeredOptions(question).length > 10 ? "alt+1".length : 1;
  const mark = traitsOf(question).picks === "many" ? (isChosen ? "[x]" : "[ ]") : isChosen ? "(•)" : "( )";
  return [
    span(isFocused ? "› " : "  ", "accent"),
    span(`${mark} `, isChosen ? "accent" : "dim"),
    ...(isKey ? [span(`${key.padEnd(widest)} `, "dim")] : []),
  ];
}

/** What choosing the option under the cursor would result in. */
function focusedPreview({ items, item, width, plain }: FormView, question: Question, field: Field): Row[] {
  const focused = item === undefined ? undefined : items[item];
  const option = focused?.kind === "option" ? optionsInOrder(question, field)[focused.index] : undefined;
  if (option?.preview === undefined || option.preview === "") return [];
  return [emptyRow, ...previewOf(option, width, plain)];
}

export function previewOf(option: OfferedOption, width: number, plain: boolean): Row[] {
  const name = line([span("── ", "border"), span(option.label, "heading"), span(" ", "border")], width);
  const heading = line([...name, span("─".repeat(width - rowWidth(name)), "border")], width);
  return [heading, ...previewRows(option.preview ?? "", width, plain)];
}

function inviteOf(question: Question): string {
  const { formField, metavar, widget } = traitsOf(question);
  if (widget === "date") return metavar;
  return formField?.type === "string" ? "Type your answer" : "Type a number";
}

function placeholderOf(question: Question): string | undefined {
  return "placeholder" in question ? question.placeholder : undefined;
}

/** The whole answer as it would be sent, and Send. */
function reviewBody(view: FormView, builder: BodyBuilder): Body {
  const { width } = view;
  builder.add([line([span("Review before sending", "heading")], width), emptyRow]);
  for (const [index, item] of view.items.entries()) {
    const isFocused = index === view.item;
    if (item.kind === "answer") builder.add(answerRows(view, item.step, isFocused), isFocused);
    else if (item.kind === "send") builder.add([emptyRow]).add(sendRows(view, isFocused), isFocused);
    else addExtra(builder, view, item, isFocused);
  }
  return builder.body;
}

function answerRows({ state, width, plain }: FormView, step: number, isFocused: boolean): Row[] {
  const question = state.session.questions[step];
  if (question === undefined) return [];
  const field = fieldOf(state, question);
  const answer: Answer = answerOf(question, field);
  const text = answerText(question, answer);
  const error = errorOf(question, field);
  const lead = [span(isFocused ? (plain ? "current, " : "› ") : plain ? "" : "  ", "accent"), span(`${step + 1} `, "dim")];
  const asked = wrap([span(question.header ?? firstLine(question.question), isFocused ? "selection" : "heading")], width, { first: lead });
  const indent = { first: [span("    ")] };
  const shown = error !== undefined ? span(`! ${error.message}`, "error") : text === "" ? span("skipped", "dim") : span(text);
  const note = answer.note === undefined ? [] : wrap([span("Note: ", "dim"), span(answer.note, "dim")], width, indent);
  return [...asked.slice(0, 2), ...wrap([shown], width, indent), ...note];
}

function sendRows({ state, width, plain }: FormView, isFocused: boolean): Row[] {
  const { missing } = state.progress;
  const label = state.mode === "reply" ? "Send the reply" : "Send";
  const lead = [span(isFocused ? (plain ? "current, " : "› ") : "  ", "accent")];
  const hint =
    missing === 0 ? [] : [span(`  ${missing} ${missing === 1 ? "question still needs" : "questions still need"} an answer`, "warning")];
  return wrap([span(`[ ${label} ]`, isFocused ? "selection" : undefined), ...hint], width, { first: lead });
}

const firstLine = (text: string): string => text.split("\n")[0] ?? "";

export const fieldMark: Span = span("▏ ", "accent");

/** In the field for the path of a file. */
export const pathPlaceholder = "The path of a file; tab completes it";

/** An attached file: the start of its row, then its name and what is known about it. */
export function fileSpans(
  { name, size, mimeType, caption }: AnswerFile,
  isFocused: boolean,
  plain: boolean,
): { first: Span; rest: [name: Span, facts: Span] } {
  const first = plain ? span(isFocused ? "current, file: " : "file: ") : span(isFocused ? "› " : "  ", "accent");
  const facts = [bytesText(size), mimeType, ...(caption === undefined ? [] : [caption])].join(", ");
  return { first, rest: [span(name, isFocused ? "selection" : undefined), span(` (${facts})`, "dim")] };
}

/** Adds the comment on all answers, an attached file, or the field for the path of one. */
function addExtra(builder: BodyBuilder, view: FormView, item: Item, isFocused: boolean): void {
  const { state, width, plain } = view;
  if (item.kind === "comment") {
    builder.add([line([span("Comment", "dim")], width)]);
    addField(builder, view, "comment", state.comment, isFocused, "A comment for the agent");
  } else if (item.kind === "file") {
    const { first, rest } = fileSpans(item.file, isFocused, plain);
    builder.add(wrap(rest, width, { first: [first] }), isFocused);
  } else if (item.kind === "attach" || item.kind === "commentFile") addField(builder, view, item.kind, "", isFocused, pathPlaceholder);
}

/** The text fields of a form. */
type FieldKind = "text" | "other" | "attach" | "note" | "comment" | "commentFile";

/** Adds a text field; the one being edited has the cursor. */
function addField(
  builder: BodyBuilder,
  view: FormView,
  kind: FieldKind,
  text: string,
  isFocused: boolean,
  placeholder: string,
  indent = 0,
): void {
  const isActive = view.editing?.target.kind === kind;
  const buffer = isActive && view.editing !== undefined ? view.editing.buffer : bufferOf(text);
  const mark: Span = {
    ...fieldMark,
    text: `${" ".repeat(indent)}${view.plain ? "" : fieldMark.text}`,
    token: isActive || isFocused ? "accent" : "dim",
  };
  builder.field(editorRows(buffer, Math.max(4, view.width - mark.text.length), placeholder), mark, isActive, isFocused);
}
