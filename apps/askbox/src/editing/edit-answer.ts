import type { Answer, AnswerSet, Desk, DraftField, Question, SessionView } from "@askbox/core";
import { type Comment, type DocumentLine, documentLines, documentOf, endsOf, isDiff } from "@askbox/core/documents";
import { isTyped, offeredOptions, own, traitsOf } from "@askbox/core/questions";
import { quote } from "@askbox/core/schemas";
import { exactText, terminalText } from "@askbox/terminal-text";
import type { CommandContext } from "../context.ts";
import { shortId } from "../text/session-names.ts";
import { usageError } from "../usage.ts";
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

/** Separates what is read from the instructions, as in git. */
const scissors = "# ------------------------ >8 ------------------------";

/** Whether a question can be answered in an editor: a text, or what has a document. */
export const isEditable = (question: Question): boolean => isTyped(question) || documentOf(question) !== undefined;

/** The file in which a person answers a question, with what was drafted so far. */
export function answerFile(question: Question, draft: DraftField = {}): string {
  const document = documentOf(question);
  const asked = terminalText(question.question).split("\n");
  if (document === undefined) {
    const words = ["Write your answer below the line. If nothing is changed, nothing is sent.", "", ...asked];
    return `${[...words.map(instruction), scissors, ...(draft.values ?? [])].join("\n")}\n`;
  }
  const lines = documentLines(document);
  const { comments = [], note = "", customText = note } = draft;
  const ends = endsOf(lines, comments);
  const mark = markIn(lines);
  const decision = verdictsOf(question).find(({ value }) => value === draft.values?.[0]);
  // An editor may obey settings that it finds in a file's first and last five lines, which are never the document's.
  const head = [
    `decision: ${decision?.label.toLowerCase() ?? ""}`,
    ...(customText === "" ? [] : customText.split("\n")),
    instruction(`Write ${verdictsOf(question, " or ")} after "decision:".`),
    instruction("Lines below it that don't begin with # go to the agent with your decision."),
    instruction(`To comment a line of the document, write below it, in lines that begin with "${mark}".`),
    instruction("An empty line between them begins another comment. If nothing is changed, nothing is sent."),
    instruction(""),
    ...asked.map(instruction),
  ];
  const body = lines.flatMap((line, index) => [
    shown(line),
    ...comments.filter((_, at) => ends[at] === index).flatMap(({ text }, at) => [...(at > 0 ? [""] : []), ...marked(text, mark)]),
  ]);
  const foot = ["The document ends here.", "", "", "", ""].map(instruction);
  return `${[...head, scissors, ...body, scissors, ...foot].join("\n")}\n`;
}

/** The answer that a person wrote into the file. Throws `VALIDATION` with what is wrong in which line. */
export function answerInFile(question: Question, text: string, draft: DraftField = {}): Answer {
  const written = text
    .replace(/^\ufeff/, "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const start = written.findIndex((line) => line.trimEnd() === scissors);
  if (start < 0) throw usageError("The line with >8 is gone; it separates the instructions from what is sent.");
  const attached = draft.files === undefined ? {} : { files: draft.files };
  const document = documentOf(question);
  if (document === undefined) {
    const answer = written
      .slice(start + 1)
      .join("\n")
      .trimEnd();
    return { questionId: question.id, values: answer === "" ? [] : [answer], ...attached };
  }
  const end = written.findLastIndex((line) => line.trimEnd() === scissors);
  if (end === start) throw usageError("The second line with >8 is gone; it ends the document.");
  const comments = commentsIn(written.slice(start + 1, end), start + 2, documentLines(document), draft.comments ?? []);
  const { value, words } = decisionIn(question, written.slice(0, start));
  const isDecision = traitsOf(question).picks === "decision";
  if (isDecision && value !== "deny" && comments.length > 0)
    throw usageError("Your comments go with a denial: deny, or delete them to allow this.");
  return {
    questionId: question.id,
    values: [value],
    ...(words !== "" && (isDecision && value === "deny" ? { customText: words } : { note: words })),
    ...(comments.length > 0 && { comments }),
    ...attached,
  };
}

const instruction = (line: string): string => `# ${line}`.trimEnd();

/** A line as an editor shows it: nothing hidden, and tabs as they are. */
const shown = ({ text }: DocumentLine): string => text.split("\t").map(exactText).join("\t");

/** What begins a comment's line, but no line of the document. */
function markIn(lines: readonly DocumentLine[]): string {
  let mark = ">>";
  while (lines.some((line) => shown(line).startsWith(mark))) mark += ">";
  return `${mark} `;
}

const marked = (text: string, mark: string): string[] => text.split("\n").map((line) => `${mark}${line}`.trimEnd());

/** The decisions that can be written; an action is allowed from now on only where what that means is shown. */
function verdictsOf(question: Question): { value: string; label: string }[];
function verdictsOf(question: Question, joined: string): string;
function verdictsOf(question: Question, joined?: string) {
  const isDecision = traitsOf(question).picks === "decision";
  const verdicts = offeredOptions(question).filter(({ value }) => !isDecision || value === "deny" || value === "allow");
  return joined === undefined ? verdicts : verdicts.map(({ label }) => quote(label.toLowerCase())).join(joined);
}

function decisionIn(question: Question, head: readonly string[]): { value: string; words: string } {
  const at = head.findIndex((line) => /^\s*decision:/i.test(line));
  if (at < 0) throw usageError('The line that begins with "decision:" is gone.');
  const plain = (text: string) =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, " ");
  const wanted = plain(head[at]?.replace(/^\s*decision:/i, "") ?? "");
  const verdict = verdictsOf(question).find(({ label, value }) => [label, value].some((name) => plain(name) === wanted));
  if (verdict === undefined) throw usageError(`Write ${verdictsOf(question, " or ")} after "decision:" in line ${at + 1}.`);
  const words = head.filter((line, index) => index !== at && !line.startsWith("#"));
  return { value: verdict.value, words: words.join("\n").trim() };
}

/** The comments below the lines of a document. `first` is the number of the file's line with which it begins. */
function commentsIn(written: readonly string[], first: number, lines: readonly DocumentLine[], drafted: readonly Comment[]): Comment[] {
  const mark = markIn(lines).trimEnd();
  const ends = endsOf(lines, drafted);
  const found: { at: number; text: string }[] = [];
  let next = 0;
  let isGoingOn = false;
  for (const [index, line] of written.entries()) {
    const expected = lines[next];
    const isNext = expected !== undefined && shown(expected).trimEnd() === line.trimEnd();
    const isComment = !isNext && line.startsWith(mark);
    if (isNext) next += 1;
    else if (isComment) {
      const text = line.slice(mark.length).replace(/^ /, "");
      const last = found.at(-1);
      if (isGoingOn && last !== undefined) last.text += `\n${text}`;
      else if (lines[next - 1]?.place === undefined)
        throw usageError(`The comment in line ${first + index} is below a line that takes none; write it below a line of the document.`);
      else found.push({ at: next - 1, text });
    } else if (line.trim() !== "")
      throw usageError(
        `Line ${first + index} is neither the document's next line nor a comment, which begins with "${mark} ": ${quote(line)}.`,
      );
    isGoingOn = isComment;
  }
  const missing = lines[next];
  if (missing !== undefined) throw usageError(`The document's line ${next + 1} is gone: ${quote(missing.text)}.`);
  return found.flatMap(({ at, text }, index) => {
    const place = lines[at]?.place;
    if (place === undefined || text.trim() === "") return [];
    // What was drafted about several lines still is.
    const earlier = found.slice(0, index).filter((other) => other.at === at).length;
    const own = drafted.filter((_, order) => ends[order] === at)[earlier];
    return [{ ...(own ?? place), text: text.trimEnd() }];
  });
}
