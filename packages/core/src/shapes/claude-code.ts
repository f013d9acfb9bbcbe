import { defined, own } from "../objects.ts";
import type { AnswerSet } from "../session/answer.ts";
import type { Question } from "../session/questions/index.ts";
import { answered, answerSet, givenFromSentence, sentenceOf, uniqueKeys } from "./chosen.ts";

/** The answer of Claude Code's `AskUserQuestion`. A skipped question has no key. */
export interface ClaudeCodeAnswers {
  /** By the question's text (see `claudeCodeKeys`); several choices are separated by commas. */
  answers: Record<string, string>;
  annotations?: Record<string, { preview?: string; notes?: string }>;
  /** The person's overall comment. */
  response?: string;
}

/** The questions' texts as the keys of their answers, in the questions' order. A repeated text gets the suffix ` (2)`. */
export const claudeCodeKeys = (questions: readonly Pick<Question, "question">[]): string[] =>
  uniqueKeys(questions.map(({ question }) => question));

/** A person's answers as `AskUserQuestion` would return them. */
export function answersAsClaudeCode(questions: readonly Question[], set: AnswerSet): ClaudeCodeAnswers {
  const keys = claudeCodeKeys(questions);
  const rows = answered(questions, set).map((row, index) => ({ ...row, key: keys[index] ?? row.question.question }));
  const answers = rows.flatMap(({ key, question, answer }): [string, string][] => {
    const sentence = sentenceOf(question, answer);
    return sentence === undefined ? [] : [[key, sentence]];
  });
  const annotations = rows.flatMap(({ key, question, answer }): [string, { preview?: string; notes?: string }][] => {
    const preview = previewOf(question, answer.values);
    const about = defined({ preview, notes: answer.note });
    return Object.keys(about).length === 0 ? [] : [[key, about]];
  });
  return {
    answers: Object.fromEntries(answers),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    ...defined({ response: set.comment }),
  };
}

/** The inverse. Anything that is not an option's label is the person's own text. */
export function answersFromClaudeCode(questions: readonly Question[], input: ClaudeCodeAnswers): AnswerSet {
  const keys = claudeCodeKeys(questions);
  const at = <Value>(record: Record<string, Value> | undefined, index: number) => own(record, keys[index] ?? "");
  return answerSet(
    questions,
    (question, index) => ({
      ...givenFromSentence(question, at(input.answers, index) ?? ""),
      note: at(input.annotations, index)?.notes,
    }),
    input.response,
  );
}

/** The preview of a single chosen option. */
function previewOf(question: Question, [value, ...more]: readonly string[]): string | undefined {
  if (!("options" in question) || value === undefined || more.length > 0) return undefined;
  return question.options.find((option) => option.value === value)?.preview;
}
