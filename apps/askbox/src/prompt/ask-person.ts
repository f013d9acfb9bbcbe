import { type Answer, type AnswerSet, type DraftField, isAskboxError, type Question, type SessionView } from "@askbox/core";
import { terminalLine } from "@askbox/terminal-text";
import type { Io } from "../io.ts";
import { answersLine } from "../text/outcome-text.ts";
import type { Paint } from "../text/paint.ts";
import { questionBlock } from "../text/question-block.ts";
import { headline } from "../text/session-names.ts";
import { writeInEditor } from "./editor.ts";
import type { LineReader } from "./line-reader.ts";
import { hintFor, type Reading, readLine, readText } from "./read-line.ts";

/** What a person did at the prompt: nothing when they closed it, or when the session was settled elsewhere. */
export type Said = { kind: "answer"; set: AnswerSet } | { kind: "cancel" } | undefined;

export interface AskPersonOptions {
  session: SessionView;
  lines: LineReader;
  io: Io;
  columns: number;
  paint: Paint;
  /** Opens the terminal inbox at this session, and resolves when it is left; absent where there is no place for it. */
  openForm?: (() => Promise<unknown>) | undefined;
  /** What was answered or typed so far. */
  onDraft(questionId: string, field: DraftField): void;
  /** The text question whose answer is being typed, with the lines it has already. */
  onText(begun: { questionId: string; lines: readonly string[] } | undefined): void;
}

/** Puts the questions one after the other. Several are shown once more before they are sent. */
export async function askPerson(options: AskPersonOptions): Promise<Said> {
  const { session, lines, paint } = options;
  const { earlierAnswer, questions } = session;
  if (session.title !== undefined || questions.length > 1) lines.print(`\n${paint("bold", headline(session))}\n`);
  if (earlierAnswer !== undefined) {
    const { answers, comment } = earlierAnswer;
    lines.print(`\nBefore, the answer was: ${answersLine(questions, answers)}\n${paint("dim", "r gives it again · Enter answers anew")}\n`);
    const line = await lines.read();
    if (line === undefined) return undefined;
    if (line.trim() === "r") return { kind: "answer", set: { answers, ...(comment === undefined ? {} : { comment }) } };
  }
  const answers: Answer[] = [];
  for (const index of questions.keys()) {
    const answer = await answerTo(options, index);
    if (answer === undefined || answer === "cancel") return answer && { kind: "cancel" };
    answers.push(answer);
  }
  return questions.length === 1 ? { kind: "answer", set: { answers } } : review(options, answers);
}

async function review(options: AskPersonOptions, answers: Answer[]): Promise<Said> {
  const { lines, paint, session } = options;
  for (;;) {
    const list = session.questions.map((question, index) => {
      const answer = answers[index];
      return `${index + 1}. ${terminalLine(question.question).slice(0, 60)}: ${answer === undefined ? "" : answersLine([question], [answer])}`;
    });
    lines.print(`\n${list.join("\n")}\n${paint("dim", "Enter sends · a number changes that answer · c cancels")}\n`);
    const word = (await lines.read())?.trim();
    if (word === undefined) return undefined;
    if (word === "") return { kind: "answer", set: { answers } };
    const index = Number(word) - 1;
    const again =
      session.questions[index] === undefined ? (word === "c" ? await confirmCancel(options) : undefined) : await answerTo(options, index);
    if (again === "cancel") return { kind: "cancel" };
    if (again !== undefined) answers[index] = again;
  }
}

/** Asks one question until its answer is valid. */
async function answerTo(options: AskPersonOptions, index: number): Promise<Answer | "cancel" | undefined> {
  const { session, lines, columns, paint, openForm, onDraft, onText } = options;
  const question = session.questions[index];
  if (question === undefined) return undefined;
  const number = session.questions.length === 1 ? "" : `${index + 1}. `;
  lines.print(
    `\n${questionBlock(question, { number, answer: undefined }, { columns, paint })}\n${paint("dim", hintFor(question, openForm !== undefined))}\n`,
  );
  for (;;) {
    if (question.type === "text") onText({ questionId: question.id, lines: [] });
    const line = await lines.read();
    if (line === undefined) return undefined;
    const reading = await finished(options, question, readLine(question, line, openForm !== undefined));
    onText(undefined);
    if (reading === undefined) return undefined;
    if (reading.kind === "form") await lines.lend(async () => openForm?.());
    if (reading.kind === "cancel" && (await confirmCancel(options)) === "cancel") return "cancel";
    if (reading.kind === "problem") lines.print(`${paint("yellow", reading.sentence)}\n`);
    if (reading.kind === "answer") {
      const { questionId, values, customText } = reading.answer;
      const isSkipped = values.length === 0 && customText === undefined;
      onDraft(questionId, isSkipped ? { skipped: true } : { values, ...(customText === undefined ? {} : { customText }) });
      return reading.answer;
    }
  }
}

/** Reads the rest of a text, in the editor or up to an empty line. Nothing when input ends. */
async function finished({ lines, io, onText }: AskPersonOptions, question: Question, reading: Reading): Promise<Reading | undefined> {
  if (reading.kind === "edit") {
    try {
      return readText(question, await lines.lend(() => writeInEditor(io.env)));
    } catch (error) {
      if (isAskboxError(error, "VALIDATION")) return { kind: "problem", sentence: terminalLine(error.message) };
      throw error;
    }
  }
  if (reading.kind !== "text") return reading;
  const text = [reading.line];
  for (;;) {
    onText({ questionId: question.id, lines: text });
    const line = await lines.readNext();
    if (line === undefined) return undefined;
    if (line === "") return readText(question, text.join("\n"));
    text.push(line);
  }
}

async function confirmCancel({ lines, session }: AskPersonOptions): Promise<"cancel" | undefined> {
  lines.print(`Turn ${session.questions.length === 1 ? "the question" : "all questions"} down? y or n\n`);
  return /^y(es)?$/i.test((await lines.read())?.trim() ?? "") ? "cancel" : undefined;
}
