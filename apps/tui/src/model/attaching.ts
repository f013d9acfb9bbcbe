import { type AnswerFile, bytesText, maxFiles } from "@askbox/core/questions";
import { type FormPart, type FormState, takesFiles } from "@askbox/inbox";
import { bufferOf } from "../editor/text-buffer.ts";
import { fileForMessage } from "./ask-back.ts";
import type { Attachment } from "./effects.ts";
import { filesOf, type Item, maxFilesOf, questionOf } from "./form-items.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { type Editing, type EditTarget, isPath } from "./ui-state.ts";

/** What a file would be attached to: the answer to the question on screen, or in the review the comment; undefined if that takes none. */
export function attachableOf(state: FormState): FormPart | undefined {
  const question = questionOf(state);
  if (question === undefined) return state.session.questions.some(takesFiles) ? "comment" : undefined;
  return takesFiles(question) ? { questionId: question.id } : undefined;
}

/** Opens the field for the path of a file, if what is on screen takes one more; says why if not. */
export function startAttaching(turn: Turn, form: FormState): void {
  const part = attachableOf(form);
  const question = questionOf(form);
  const most = question === undefined ? maxFiles : maxFilesOf(question);
  if (part === undefined) turn.say(`No file can be attached to ${question ? "this question" : "these answers"}.`, "warning");
  else if (filesOf(form, part).length < most) startEditing(turn, pathFor(part));
  else turn.say(`${most} files are the most; remove one first.`, "warning");
}

/** Attaches a file of this machine. */
export function attach(turn: Turn, form: FormState, to: FormPart, path: string): void {
  turn.say("Attaching …");
  turn.do({ kind: "attach", session: form.session.id, to, path });
}

export function removeFile(turn: Turn, form: FormState, { file, of }: Extract<Item, { kind: "file" }>): void {
  const files = filesOf(form, of).filter(({ sha256 }) => sha256 !== file.sha256);
  if (of === "comment") turn.comment(form.comment, files);
  else turn.edit({ id: of.questionId }, { kind: "files", files });
  turn.set({ item: Math.max(0, Math.min(turn.ui.item, turn.items().length - 1)) });
  turn.say(`Removed ${file.name}.`);
}

const pathFor = (part: FormPart): EditTarget => (part === "comment" ? { kind: "commentFile" } : { kind: "attach", ...part });

/** The file is uploaded; unless it is for a message, it is part of the draft. */
export function fileAttached(turn: Turn, { session, to }: Attachment, file: AnswerFile): void {
  turn.say(`Attached ${file.name} (${bytesText(file.size)}).`, "success");
  if (to === "message") fileForMessage(turn, session, file);
}

/** Says why, and opens the field again with the path, unless the person has gone on: `editing` is what was edited when the upload began. */
export function fileRefused(turn: Turn, { session, to, path }: Attachment, words: string, editing?: Editing): void {
  turn.say(words, "error");
  if (to === "message") fileForMessage(turn, session, undefined);
  if (turn.ui.open !== session || turn.ui.editing !== editing) return;
  if (editing?.target.kind === "message") return correct(turn, { kind: "messageFile", about: editing.target.about }, path);
  const isHere = turn.ui.focus === "form" && editing === undefined && turn.ui.overlay === undefined;
  const form = turn.form();
  if (!isHere || form === undefined || to === "message") return;
  const isShown = questionOf(form)?.id === (to === "comment" ? undefined : to.questionId);
  if (isShown) correct(turn, pathFor(to), path);
}

function correct(turn: Turn, target: EditTarget, path: string): void {
  startEditing(turn, target);
  turn.set({ editing: { target, buffer: bufferOf(path) } });
}

/** `matches`: the names that the path could continue with. */
export function pathCompleted(turn: Turn, before: string, { text, matches }: { text: string; matches: readonly string[] }): void {
  const { editing } = turn.ui;
  if (editing === undefined || !isPath(editing.target) || editing.buffer.text !== before) return;
  if (text !== before) turn.set({ editing: { ...editing, buffer: bufferOf(text) } });
  if (matches.length === 0) turn.say("No file begins like this.", "warning");
  else if (matches.length > 1) turn.say(matches.join("  "));
}
