import type { Answer } from "../session/answer.ts";

import type { Action, QuestionTypeName, SentOf } from "../session/questions/schemas.ts";

/** One question of a typed ask, and how its answer becomes a value. */
export interface Field<Value> {
  /** The input of `parseAsk`, without the id. */
  readonly input: Readonly<Record<string, unknown>>;
  read(answer: Answer): Value;
}

/** The values that a typed ask returns, by the names of its questions. */
export type Values<Fields extends Record<string, Field<unknown>>> = {
  -readonly [Name in keyof Fields]: Fields[Name] extends Field<infer Value> ? Value : never;
};

/** The fields of this question type besides its text, as in `ask_user`. */
type More<Name extends QuestionTypeName> = Omit<SentOf<Name>, "type" | "question" | "id" | "options">;
/** An optional question may have no value. */
type Maybe<Value, Given> = Given extends { required: false } ? Value | undefined : Value;
type None = Record<never, never>;

type Offered = string | { readonly label: string; readonly value?: string; readonly description?: string; readonly recommended?: boolean };
type ValueOf<Option> = Option extends string
  ? Option
  : Option extends { readonly value: infer Value extends string }
    ? Value
    : Option extends { readonly label: infer Label extends string }
      ? Label
      : never;
/** The person's own words are accepted too, unless the question says otherwise. */
type Chosen<Options extends readonly Offered[], Given> = Given extends { allowOther: false } ? ValueOf<Options[number]> : string;

const field = <Value>(input: Record<string, unknown>, read: (answer: Answer) => Value | undefined): Field<never> =>
  ({ input, read }) as unknown as Field<never>;
/** The only value of an answer; undefined if the question was skipped. */
const single = ({ values, customText }: Answer): string | undefined => values[0] ?? customText;
const numeric = (answer: Answer): number | undefined => {
  const value = single(answer);
  return value === undefined ? undefined : Number(value);
};

/** A text in the person's own words. */
export function text<const Given extends More<"text"> = None>(question: string, more?: Given): Field<Maybe<string, Given>> {
  return field({ ...more, type: "text", question }, single);
}

/** One of the options: its value, or the person's own words. With `allowOther: false` the value's type is that of the options. */
export function select<const Options extends readonly Offered[], const Given extends More<"select"> = None>(
  question: string,
  options: Options,
  more?: Given,
): Field<Maybe<Chosen<Options, Given>, Given>> {
  return field({ ...more, type: "select", question, options }, single);
}

/** Any number of the options, and the person's own words; empty if the question was skipped. */
export function multiSelect<const Options extends readonly Offered[], const Given extends More<"multi-select"> = None>(
  question: string,
  options: Options,
  more?: Given,
): Field<Chosen<Options, Given>[]> {
  return field({ ...more, type: "multi-select", question, options }, ({ values, customText }) =>
    customText === undefined ? values : [...values, customText],
  );
}

/** Yes or no. */
export function confirm<const Given extends More<"confirm"> = None>(question: string, more?: Given): Field<Maybe<boolean, Given>> {
  return field({ ...more, type: "confirm", question }, (answer) => {
    const value = single(answer);
    return value === undefined ? undefined : value === "yes";
  });
}

/** A number. */
export function number<const Given extends More<"number"> = None>(question: string, more?: Given): Field<Maybe<number, Given>> {
  return field({ ...more, type: "number", question }, numeric);
}

/** A calendar day as `YYYY-MM-DD`, without a time. */
export function date<const Given extends More<"date"> = None>(question: string, more?: Given): Field<Maybe<string, Given>> {
  return field({ ...more, type: "date", question }, single);
}

/** A step of a scale that starts at 1. */
export function rating<const Given extends More<"rating"> = None>(question: string, more?: Given): Field<Maybe<number, Given>> {
  return field({ ...more, type: "rating", question }, numeric);
}

/** All options in order of preference, most preferred first; empty if the question was skipped. */
export function ranking<const Options extends readonly Offered[], const Given extends More<"ranking"> = None>(
  question: string,
  options: Options,
  more?: Given,
): Field<ValueOf<Options[number]>[]> {
  return field({ ...more, type: "ranking", question, options }, ({ values }) => values);
}

/**
 * A decision on one action. A denial may have a reason, and `input` has the arguments if the question is `editable` and the person
 * changed them.
 */
export function approval(
  question: string,
  action: Action,
  more?: Omit<More<"approval">, "action" | "required">,
): Field<{ allowed: boolean; reason: string | undefined; input: Record<string, unknown> | undefined }> {
  return field({ ...more, type: "approval", question, action }, ({ values: [value], customText: reason, input }) => ({
    allowed: value !== undefined && value !== "deny",
    reason,
    input,
  }));
}
