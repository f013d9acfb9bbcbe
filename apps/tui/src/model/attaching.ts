import type { Question } from "@askbox/core";
import { type AnswerFile, bytesText } from "@askbox/core/questions";
import { type FormState, takesFiles } from "@askbox/react";
import { bufferOf } from "../editor/text-buffer.ts";
import { fieldOf, maxFilesOf } from "./form-items.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";

/** Opens the field for the path of a file, if the question takes one more. */
export function startAttaching(turn: Turn, form: FormState, question: Question): void {
  if (takesAnother(turn, form, question)) startEditing(turn, { kind: "attach", questionId: question.id });
}

/** Attaches the picture in the clipboard, if the question takes one more file. */
export function attachCopied(turn: Turn, form: FormState, question: Question): void {
  if (!takesAnother(turn, form, question)) return;
  turn.say("Attaching …");
  turn.do({ kind: "attachCopied", session: form.session.id, questionId: question.id });
}

/** Whether the question takes one more file; says why if not. */
function takesAnother(turn: Turn, form: FormState, question: Question): boolean {
  const { files = [] } = fieldOf(form, question);
  const isFull = files.length >= maxFilesOf(question);
  if (!takesFiles(question)) turn.say("No file can be attached to this question.", "warning");
  else if (isFull) turn.say(`${files.length} files are the most; remove one first.`, "warning");
  return takesFiles(question) && !isFull;
}

/** The file is uploaded and part of the draft. */
export function fileAttached(turn: Turn, { name, size }: AnswerFile): void {
  turn.say(`Attached ${name} (${bytesText(size)}).`, "success");
}

/** Says why, and opens the field again with the path, unless the person has gone on. */
export function fileRefused(turn: Turn, { session, questionId, path }: Attachment, sentence: string): void {
  turn.say(`Not attached: ${sentence}`, "error");
  const isHere = turn.ui.open === session && turn.ui.focus === "form" && turn.ui.editing === undefined && turn.ui.overlay === undefined;
  const form = turn.form();
  if (!isHere || form === undefined || form.session.questions[form.step]?.id !== questionId) return;
  startEditing(turn, { kind: "attach", questionId });
  turn.set({ editing: { target: { kind: "attach", questionId }, buffer: bufferOf(path) } });
}

/** A file of this machine, for the answer to a question. */
export interface Attachment {
  session: string;
  questionId: string;
  path: string;
}

/** `matches`: the names that the path could continue with. */
export function pathCompleted(turn: Turn, before: string, { text, matches }: { text: string; matches: readonly string[] }): void {
  const { editing } = turn.ui;
  if (editing?.target.kind !== "attach" || editing.buffer.text !== before) return;
  if (text !== before) turn.set({ editing: { ...editing, buffer: bufferOf(text) } });
  if (matches.length === 0) turn.say("No file begins like this.", "warning");
  else if (matches.length > 1) turn.say(matches.join("  "));
}
