import { approval } from "./approval.ts";
import { multiSelect, select } from "./choices.ts";
import { confirm } from "./confirm.ts";
import { date } from "./date.ts";
import { file } from "./file.ts";
import { number } from "./number.ts";
import { type AskedType, isSkipped, problem, type QuestionType } from "./question-type.ts";
import { ranking } from "./ranking.ts";
import { rating } from "./rating.ts";
import { review } from "./review.ts";
import type { Question, QuestionBase, QuestionInput, QuestionTypeName, UnknownQuestion } from "./schemas.ts";
import { text } from "./text.ts";

/** A question of a type from a newer askbox: it is shown and preserved, and can be skipped or cancelled here, but not answered. */
export const unknown = {
  type: "unknown",
  widget: () => "notice",
  metavar: () => "…",
  check: (question, answer) =>
    isSkipped(answer) && !question.required
      ? undefined
      : problem("unknown_type", "This version of askbox does not know this type of question; update askbox to answer here."),
  // Its answer came from a version that knows it.
  text: (_question, answer) => [...answer.values, ...(answer.customText === undefined ? [] : [answer.customText])].join(", "),
  expects: () => "a type of question that this askbox does not know",
} satisfies Omit<QuestionType<UnknownQuestion, never>, "parse">;

/** All question types, the contract's four first. To add one, add a file beside this one, its fields to `schemas`, and its name here. */
const types = { text, select, "multi-select": multiSelect, confirm, number, date, rating, ranking, approval, review, file } satisfies {
  [Name in QuestionTypeName]: AskedType<Name>;
};

export type Types = typeof types;

type Erased = QuestionType<QuestionBase & { type: string }, unknown>;
/** Each type that can be asked, with any fields. */
export const asked = types as unknown as Record<QuestionTypeName, Erased>;
/** The same plus `unknown`, for stored questions. */
const stored = { ...types, unknown } as unknown as Record<Question["type"], Erased>;

/** A broker of a newer askbox may send a question that has not been parsed here yet. */
export const typeOf = ({ type }: Question) => (Object.hasOwn(stored, type) ? stored[type] : stored.unknown);

/** The names of all question types, in the contract's order. */
export const questionTypes = Object.freeze(Object.keys(types)) as readonly QuestionTypeName[];

/** Parses one question of an ask. Throws `QuestionRefusal` if it cannot be asked. */
export function parseQuestion(input: QuestionInput, id: string): Question {
  return asked[input.type ?? "text"].parse(input, id) as Question;
}

const typeNames = new Map(questionTypes.flatMap((name) => (asked[name].aliases ?? []).map((alias) => [alias, name])));

/**
 * The type that an agent means, by askbox's name or another tool's; undefined for the contract's default. Options without a type are a
 * choice. If the word for a choice doesn't tell how many, `many` does.
 */
export function typeNamed(sent: unknown, { many, hasOptions }: { many: boolean; hasOptions: boolean }): unknown {
  const type = typeof sent === "string" ? (typeNames.get(sent.trim().toLowerCase()) ?? sent) : sent;
  if (type === undefined && !hasOptions) return undefined;
  return (type === undefined || type === "select") && many ? "multi-select" : (type ?? "select");
}
