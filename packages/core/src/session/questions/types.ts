import { approval } from "./approval.ts";
import { confirm } from "./confirm.ts";
import { date } from "./date.ts";
import { file } from "./file.ts";
import { multiSelect } from "./multi-select.ts";
import { number } from "./number.ts";
import type { AskedType, QuestionType } from "./question-type.ts";
import { ranking } from "./ranking.ts";
import { rating } from "./rating.ts";
import { review } from "./review.ts";
import type { Question, QuestionBase, QuestionInput, QuestionTypeName } from "./schemas.ts";
import { select } from "./select.ts";
import { text } from "./text.ts";
import { unknown } from "./unknown.ts";

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
