import type { z } from "zod";
import { AskboxError } from "../errors.ts";
import type { Ids } from "../ports/ids.ts";
import { askInputSchema, type QuestionInput } from "./ask-input.ts";
import { limits } from "./limits.ts";
import { parseQuestion, type Question, QuestionRefusal } from "./questions/index.ts";
import type { AskRequest } from "./record.ts";

/** The contract's own words for what it refuses (`ask_user` API, "Common Validation Errors"). */
export const refusals = Object.freeze({
  noQuestions: "questions array must have at least 1 item",
  tooManyQuestions: "questions array exceeds maximum of 10",
  optionsRequired: "Options required for select/multi-select types",
  questionRequired: "question text is required",
});

const needsOptions = (type: unknown) => type === "select" || type === "multi-select";

/**
 * Reads what an asker sent: the `ask_user` contract's input, `questions` perhaps as a JSON string.
 * Throws `VALIDATION` with one sentence that names the first thing that is wrong.
 */
export function parseAsk(input: unknown, options: { ids: Ids; defaultTimeout?: number | undefined }): AskRequest {
  const parsed = askInputSchema.safeParse(unwrapJson(input), { reportInput: true });
  if (!parsed.success) throw refusal(sentenceFor(parsed.error));
  const { questions, title, timeout } = parsed.data;
  const ids = new Set(questions.flatMap((question) => (question.id === undefined ? [] : [question.id])));
  const taken = new Set<string>();
  return {
    questions: questions.map((question, index) => {
      const id = question.id ?? freshId(options.ids, ids);
      if (taken.has(id)) throw refusal(`questions[${index}].id ${JSON.stringify(id)} is used twice; each question needs its own`);
      // Drafts are records by question id, and this one is lost from any record.
      if (id === "__proto__") throw refusal(`questions[${index}].id ${JSON.stringify(id)} cannot be kept; give another`);
      taken.add(id);
      ids.add(id);
      return readQuestion(question, id, index);
    }),
    ...(title === undefined ? {} : { title }),
    timeout: timeout ?? options.defaultTimeout ?? limits.timeout.default,
  };
}

function readQuestion(input: QuestionInput, id: string, index: number): Question {
  if (input.question.trim() === "") throw refusal(refusals.questionRequired);
  if (needsOptions(input.type) && !input.options?.length) throw refusal(refusals.optionsRequired);
  try {
    return parseQuestion(input, id);
  } catch (error) {
    if (error instanceof QuestionRefusal) throw refusal(`questions[${index}] ${error.message}`);
    throw error;
  }
}

function freshId(ids: Ids, used: ReadonlySet<string>): string {
  let id = ids.question();
  while (used.has(id)) id = ids.question();
  return id;
}

function refusal(sentence: string): AskboxError {
  return new AskboxError("VALIDATION", sentence);
}

/** Some models send `questions` as the JSON text of the array. */
function unwrapJson(input: unknown): unknown {
  if (typeof input !== "object" || input === null || !("questions" in input)) return input;
  const { questions } = input;
  if (typeof questions !== "string") return input;
  try {
    return { ...input, questions: JSON.parse(questions) };
  } catch {
    return input;
  }
}

function sentenceFor(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return "the input could not be read";
  const [first, index, field] = issue.path;
  if (first === "questions" && index === undefined) return aboutQuestions(issue);
  if (field === "question" && tellsOfAbsence(issue)) return refusals.questionRequired;
  const path = pathText(issue.path);
  if (path === "") return "the arguments must be an object with a questions array";
  if (path === "timeout") {
    const { min, max } = limits.timeout;
    return `timeout must be a whole number of milliseconds from ${min} to ${max}`;
  }
  return `${path} ${clauseFor(issue)}`;
}

function aboutQuestions(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big") return refusals.tooManyQuestions;
  if (issue.code === "too_small" || issue.input === undefined) return refusals.noQuestions;
  return "questions must be an array of 1 to 10 questions";
}

function tellsOfAbsence(issue: z.core.$ZodIssue): boolean {
  return issue.code === "too_small" || (issue.code === "invalid_type" && issue.input === undefined);
}

function clauseFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "too_big":
      return `must be at most ${issue.maximum} ${issue.origin === "string" ? "characters" : "items"} long`;
    case "too_small":
      return `must be at least ${issue.minimum} ${issue.origin === "string" ? "characters" : "items"} long`;
    case "invalid_value":
      return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_type":
      return `must be ${article(issue.expected)}${issue.input === undefined ? "; it is missing" : ""}`;
    case "invalid_union":
      return "must be a string or an object with a label";
    default:
      return `is not valid: ${issue.message}`;
  }
}

function article(expected: string): string {
  const name = expected === "object" || expected === "array" || expected === "int" ? `an ${expected}` : `a ${expected}`;
  return name === "an int" ? "a whole number" : name;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}
