import type * as z from "zod";
import { AskboxError } from "../errors.ts";
import { defined } from "../objects.ts";
import { cut, quote } from "../texts.ts";
import { askInputSchema } from "./ask-input.ts";
import { issueClause, issuePath } from "./issue-text.ts";
import { isTooManyValues } from "./json-weight.ts";
import { understand } from "./lenient-input.ts";
import { limits } from "./limits.ts";
import { parseQuestion, type Question, type QuestionInput, QuestionRefusal } from "./questions/index.ts";
import type { AskRequest } from "./record.ts";
import { refusals } from "./refusals.ts";

interface QuestionIds {
  question(): string;
}

/** What `parseAsk` needs besides the input. */
export interface ParseAskOptions {
  /** Makes an id for a question without one: the port `Ids`, or this part of it. */
  ids: QuestionIds;
  /** Milliseconds. */
  defaultTimeout?: number | undefined;
  /** Accepts questions of up to `limits.longQuestion` characters, as the contracts of other tools than `ask_user` do. */
  longQuestions?: boolean | undefined;
}

/**
 * Parses an asker's input: the `ask_user` contract's, or that of other agents' ask tools (see `lenient-input.ts`). Throws `VALIDATION` with
 * one sentence that names the first issue.
 *
 * @example
 * ```ts
 * import { parseAsk, standardPlatform } from "@askbox/core";
 *
 * const request = parseAsk({ questions: [{ question: "Deploy?", type: "confirm" }] }, standardPlatform(globalThis));
 * ```
 */
export function parseAsk(input: unknown, options: ParseAskOptions): AskRequest {
  if (isTooManyValues(input)) throw refusal("the ask has too many values; ask with fewer options");
  const understood = understand(input);
  const fullTexts = readFullTexts(understood, options);
  const parsed = askInputSchema.safeParse(options.longQuestions ? withShortTexts(understood) : understood, { reportInput: true });
  if (!parsed.success) throw refusal(sentenceFor(parsed.error));
  const { questions, title, timeout } = parsed.data;
  const ids = new Set(questions.flatMap((question) => (question.id === undefined ? [] : [question.id])));
  const taken = new Set<string>();
  return {
    questions: questions.map((question, index) => {
      const id = question.id ?? freshId(options.ids, ids);
      if (taken.has(id)) throw refusal(`questions[${index}].id ${quote(id)} is used twice; each question needs its own`);
      // Drafts are records by question id, and a record cannot have this key.
      if (id === "__proto__") throw refusal(`questions[${index}].id ${quote(id)} is not allowed; use another`);
      taken.add(id);
      ids.add(id);
      return readQuestion({ ...question, question: fullTexts[index] ?? question.question }, id, index);
    }),
    ...defined({ title }),
    timeout: timeout ?? options.defaultTimeout ?? limits.timeout.default,
  };
}

function readQuestion(input: QuestionInput, id: string, index: number): Question {
  if (input.question.trim() === "") throw refusal(refusals.questionRequired);
  const tooLong = lengthProblem(input);
  if (tooLong !== undefined) throw refusal(`questions[${index}].${tooLong}`);
  try {
    return parseQuestion(input, id);
  } catch (error) {
    if (error instanceof QuestionRefusal) throw refusal(error.standsAlone ? error.message : `questions[${index}] ${error.message}`);
    throw error;
  }
}

/** The questions of an ask, as far as they can be read before validation. */
function rawQuestions(input: unknown): Record<string, unknown>[] {
  const { questions } = (input ?? {}) as { questions?: unknown };
  return Array.isArray(questions) ? questions.map((question) => (typeof question === "object" && question !== null ? question : {})) : [];
}

/**
 * The text shown for each question if its schema does not allow it: a text longer than the `ask_user` contract's, or one with a message
 * beside it, as in VS Code's tool, which is shown below it as markdown. A long message is shortened rather than rejected.
 */
function readFullTexts(input: unknown, { longQuestions = false }: ParseAskOptions): (string | undefined)[] {
  return rawQuestions(input).map(({ question, message }, index) => {
    if (typeof question !== "string") return undefined;
    if (longQuestions && question.length > limits.longQuestion) {
      throw refusal(`questions[${index}].question must be at most ${limits.longQuestion} characters long`);
    }
    if (typeof message !== "string" || message.trim() === "") return question;
    const text = `${question}\n\n${message}`;
    return cut(text, limits.longQuestion);
  });
}

/** The ask with shortened texts that pass the contract's schema; the full texts are restored after validation. */
function withShortTexts(input: unknown): unknown {
  const questions = rawQuestions(input);
  if (questions.length === 0) return input;
  const short = (text: unknown) => (typeof text === "string" ? text.slice(0, limits.questionLength.max) : text);
  return { ...(input as object), questions: questions.map((fields) => ({ ...fields, question: short(fields["question"]) })) };
}

function freshId(ids: QuestionIds, used: ReadonlySet<string>): string {
  let id = ids.question();
  while (used.has(id)) id = ids.question();
  return id;
}

function refusal(sentence: string): AskboxError {
  return new AskboxError("VALIDATION", sentence);
}

function sentenceFor(error: z.ZodError): string {
  const issue = error.issues[0] as z.core.$ZodIssue;
  const [first, index, field] = issue.path;
  if (first === "questions" && index === undefined) return aboutQuestions(issue);
  if (field === "question" && isAbsence(issue)) return refusals.questionRequired;
  const path = issuePath(issue);
  if (path === "") return "the arguments must be an object with a questions array";
  if (path === "timeout") {
    const { min, max } = limits.timeout;
    return `timeout must be a whole number of milliseconds from ${min} to ${max}`;
  }
  return `${path} ${issueClause(issue)}`;
}

function aboutQuestions(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big") return refusals.tooManyQuestions;
  if (issue.code === "too_small" || issue.input === undefined) return refusals.noQuestions;
  return "questions must be an array of 1 to 10 questions";
}

function isAbsence(issue: z.core.$ZodIssue): boolean {
  return issue.code === "too_small" || (issue.code === "invalid_type" && issue.input === undefined);
}

type Fields = Readonly<Record<string, unknown>>;

const maxLengths: ReadonlyMap<string, number> = new Map(Object.entries(limits.fieldLength));

/** What is too long in a question, as a clause that begins with the field's path: `options[0].label must be …`. */
function lengthProblem(question: Fields): string | undefined {
  const { options } = question;
  const offered = Array.isArray(options) ? options : [];
  if (offered.length > limits.options.max) return `options must be at most ${limits.options.max} items long`;
  for (const [index, option] of offered.entries()) {
    const problem = tooLong(typeof option === "string" ? { label: option } : (option as Fields));
    if (problem !== undefined) return `options[${index}]${typeof option === "string" ? problem.slice("label".length) : `.${problem}`}`;
  }
  return tooLong(question);
}

function tooLong(fields: Fields): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const max = maxLengths.get(name);
    if (max !== undefined && typeof value === "string" && value.length > max) return `${name} must be at most ${max} characters long`;
  }
  return undefined;
}
