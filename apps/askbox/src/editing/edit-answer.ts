import type { AnswerSet, Desk, Question, SessionView } from "@askbox/core";
import { documentOf, isDiff } from "@askbox/core/documents";
import { own } from "@askbox/core/questions";
import { quote } from "@askbox/core/schemas";
import type { CommandContext } from "../context.ts";
import { shortId } from "../text/session-names.ts";
import { usageError } from "../usage.ts";
import { answerFile, answerInFile, isEditable } from "./answer-file.ts";
import { keptIn } from "./kept-in.ts";

/** An answer that was written in an editor, until it is sent. */
export interface WrittenAnswer {
  readonly path: string;
  /** Nothing was written, so nothing is to be sent. */
  readonly isUnchanged: boolean;
  delete(): Promise<void>;
}

/**
 * Lets the person write the answer to one question in an editor, and adds it to the others. `which` is the question's id, or true for the
 * only one that can be written. Throws `VALIDATION`; what was written is kept.
 */
export async function editAnswer(
  context: CommandContext,
  desk: Desk,
  session: SessionView,
  { answers }: AnswerSet,
  which: string | true,
): Promise<WrittenAnswer> {
  const question = questionToEdit(session, which);
  const other = answers.find(({ questionId }) => questionId === question.id);
  if (other !== undefined && (other.values.length > 0 || other.customText !== undefined || other.note !== undefined))
    throw usageError(`--edit is the whole answer to ${question.id}; remove the other one.`);
  const draft = own(session.status === "pending" ? (await desk.getDraft(session.id))?.fields : undefined, question.id);
  const document = documentOf(question);
  const ending = document !== undefined && isDiff(document) ? "diff" : "md";
  // A hub elsewhere chose the id.
  const name = `${session.id.replace(/[^\w-]/g, "_").slice(0, 100)}-${session.questions.indexOf(question) + 1}.${ending}`;
  const file = await context.edit(name, answerFile(question, draft));
  const written = { path: file.path, isUnchanged: file.text === undefined, delete: file.delete };
  if (file.text === undefined) return written;
  try {
    const answer = answerInFile(question, file.text, draft);
    if (other === undefined) answers.push(answer);
    else Object.assign(other, answer, { files: [...(other.files ?? []), ...(answer.files ?? [])] });
  } catch (error) {
    return sayKept(context, written, error);
  }
  return written;
}

/** Says where the answer is that was not sent, and passes the error on. */
export async function sayKept({ io }: CommandContext, { path }: Pick<WrittenAnswer, "path">, error: unknown): Promise<never> {
  await io.stderr.write(`${keptIn(path)}\n`);
  throw error;
}

function questionToEdit({ id, questions }: SessionView, which: string | true): Question {
  const editable = questions.filter(isEditable);
  const [only, ...more] = which === true ? editable : questions.filter((question) => question.id === which);
  if (only === undefined) {
    if (which !== true) throw usageError(`--edit: there is no question ${quote(which)} here; ${ids(questions)}.`);
    throw usageError(`--edit is for texts and documents, and ${shortId(id)} has none; see \`askbox show ${shortId(id)}\`.`);
  }
  if (more.length > 0) throw usageError(`--edit takes one question: ${ids(editable)}.`);
  if (!isEditable(only)) throw usageError(`--edit is for texts and documents; ${only.id} is answered by one of its options.`);
  return only;
}

const ids = (questions: readonly Question[]): string => `its questions are ${questions.map(({ id }) => id).join(", ")}`;
