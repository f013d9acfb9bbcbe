import * as z from "zod";
import { approval } from "./approval.ts";
import { confirm } from "./confirm.ts";
import { date } from "./date.ts";
import { multiSelect } from "./multi-select.ts";
import { number } from "./number.ts";
import type { QuestionBase, QuestionType } from "./question-type.ts";
import { ranking } from "./ranking.ts";
import { rating } from "./rating.ts";
import { review } from "./review.ts";
import { select } from "./select.ts";
import { text } from "./text.ts";
import { knownOrWrapped, type UnknownQuestion, unknown } from "./unknown.ts";

/** All question types, the contract's four first. To add one, add a file beside this one and its name here. */
const types = { text, select, "multi-select": multiSelect, confirm, number, date, rating, ranking, approval, review };

export type Types = typeof types;
/** The name of a question type, such as `select`. */
export type QuestionTypeName = keyof Types;
/** A parsed question of an ask: defaults filled in, unknown fields stripped. */
export type QuestionInput = z.output<Types[QuestionTypeName]["input"]>;
/** A stored question of one type: `QuestionOf<"select">`. */
export type QuestionOf<Name extends QuestionTypeName> = z.output<Types[Name]["schema"]>;
/** A question of a session, with its defaults filled in, or one of a type that this version does not know. */
export type Question = QuestionOf<QuestionTypeName> | UnknownQuestion;

type Erased = QuestionType<string, unknown, QuestionBase & { type: string }>;
/** Each type that can be asked, with any fields. */
export const asked = types as unknown as Record<QuestionTypeName, Erased>;
/** The same plus `unknown`, for stored questions. */
const stored = { ...types, unknown } as unknown as Record<Question["type"], Erased>;

/** A broker of a newer askbox may send a question that has not been parsed here yet. */
export const typeOf = ({ type }: Question) => (Object.hasOwn(stored, type) ? stored[type] : stored.unknown);

/** The names of all question types, in the contract's order. */
export const questionTypes = Object.freeze(Object.keys(types)) as readonly QuestionTypeName[];

/** The fields that an agent may send for each type. */
export const questionFields: Readonly<Record<QuestionTypeName, readonly string[]>> = /* @__PURE__ */ (() =>
  Object.freeze(
    Object.fromEntries(questionTypes.map((name) => [name, Object.freeze(Object.keys(types[name].input.shape))])) as unknown as Record<
      QuestionTypeName,
      readonly string[]
    >,
  ))();

const isKnown = (type: string) => Object.hasOwn(types, type);

type Inputs = Types[QuestionTypeName]["input"];
const inputs = Object.values(types).map(({ input }) => input) as [Inputs, ...Inputs[]];

/** A question as an agent sends it: the `ask_user` contract's `QuestionInfo` and askbox's own fields. The default type is text. */
export const questionInputSchema = z.discriminatedUnion("type", inputs);

type Stored = Types[QuestionTypeName]["schema"] | (typeof unknown)["schema"];
/**
 * A stored question. One of a type that only a newer askbox knows is read as `unknown`, without losing anything. The type has a name, so
 * that types derived from it do not spell out all questions.
 */
export const questionSchema: z.ZodType<Question> = /* @__PURE__ */ (() => {
  const schemas = Object.values({ ...types, unknown }).map(({ schema }) => schema) as [Stored, ...Stored[]];
  return z.preprocess(knownOrWrapped(isKnown), z.discriminatedUnion("type", schemas));
})();

/** Parses one question of an ask. Throws `QuestionRefusal` if it cannot be asked. */
export function parseQuestion(input: QuestionInput, id: string): Question {
  return asked[input.type ?? "text"].parse(input, id) as Question;
}
