import type { Question } from "@askbox/core";
import { type AnswerFile, bytesText } from "@askbox/core/questions";
import { type FormState, takesFiles } from "@askbox/react";
import { bufferOf } from "../editor/text-buffer.ts";
import { fileForMessage } from "./ask-back.ts";
import type { Attachment } from "./effects.ts";
import { fieldOf, maxFilesOf } from "./form-items.ts";
import { startEditing } from "./text-fields.ts";
import type { Turn } from "./turn.ts";
import { type Editing, type EditTarget, isPath } from "./ui-state.ts";

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

/** The file is uploaded; for an answer, it is part of the draft. */
export function fileAttached(turn: Turn, { session, questionId }: Attachment, file: AnswerFile): void {
  turn.say(`Attached ${file.name} (${bytesText(file.size)}).`, "success");
  if (questionId === undefined) fileForMessage(turn, session, file);
}

/** Says why, and opens the field again with the path, unless the person has gone on: `editing` is what was edited when the upload began. */
export function fileRefused(turn: Turn, { session, questionId, path }: Attachment, words: string, editing?: Editing): void {
  turn.say(words, "error");
  if (questionId === undefined) fileForMessage(turn, session, undefined);
  if (path === undefined || turn.ui.open !== session || turn.ui.editing !== editing) return;
  if (editing?.target.kind === "message") return correct(turn, { kind: "messageFile", about: editing.target.about }, path);
  const isHere = turn.ui.focus === "form" && editing === undefined && turn.ui.overlay === undefined;
  const form = turn.form();
  const isShown = questionId !== undefined && form?.session.questions[form.step]?.id === questionId;
  if (isHere && isShown) correct(turn, { kind: "attach", questionId }, path);
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
