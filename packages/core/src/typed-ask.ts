import { AskboxError } from "./errors.ts";
import type { Asker, AskOptions, Handover } from "./ports/asker.ts";
import type { Answer } from "./session/answer.ts";
import type { AskerInfo } from "./session/asker-info.ts";
import type { Actor } from "./session/outcome.ts";
import { parseAsk } from "./session/parse-ask.ts";
import type { Action, QuestionTypeName, SentOf } from "./session/questions/schemas.ts";
import type { SessionRecord } from "./session/record.ts";
import { askedBack, type ThreadMessage } from "./session/thread.ts";

/**
 * Asking from a program, with types: `ask(asker, { deploy: confirm("Deploy?") })` returns `{ deploy: boolean }`. Each question carries how
 * its answer becomes a value. An answer is the only thing that returns: a cancelled set, and silence, throw, or are endings of their own in
 * `askForEnding`.
 */

/** One question of a typed ask, whose answer becomes a `Value`. */
export interface QuestionFor<Value> {
  /** The input of `parseAsk`, without the id. */
  readonly input: Readonly<Record<string, unknown>>;
  read(answer: Answer): Value;
}

/** The values that a typed ask returns, by the names of its questions. */
export type Values<Asked extends Record<string, QuestionFor<unknown>>> = {
  -readonly [Name in keyof Asked]: Asked[Name] extends QuestionFor<infer Value> ? Value : never;
};

type Questions = Record<string, QuestionFor<unknown>>;

/** Options of the typed `ask` and `askForEnding`. */
export interface TypedAskOptions extends Omit<AskOptions, "asker" | "maxWait" | "earlier"> {
  /** Who asks. Default: a client named `program`. */
  asker?: AskerInfo | undefined;
  title?: string | undefined;
  /** Milliseconds, 10,000–1,800,000; default 300,000. */
  timeout?: number | undefined;
  /**
   * Returns the reply to what a person asks back, 1–10,000 characters of markdown. Default: a reply saying that a program asks and cannot
   * answer.
   */
  onAskedBack?: ((messages: readonly ThreadMessage[]) => string | Promise<string>) | undefined;
}

/** The default reply of a program to a person who asks something back. */
export const programReply = "This question comes from a program, which cannot reply. Answer it as it is, or decline it.";

/** How a typed ask ended, in the terms of the record. */
export type Ending<Asked extends Questions> =
  | { kind: "answered"; values: Values<Asked>; comment: string | undefined; by: Actor; session: SessionRecord }
  | { kind: "cancelled"; reason: string | undefined; by: Actor; session: SessionRecord }
  /** `seen`: whether anybody opened the questions. */
  | { kind: "timed_out"; seen: boolean; session: SessionRecord }
  /**
   * A person wants to know something first, and the questions are still open: `reply` sends 1–10,000 characters of markdown and waits
   * again.
   */
  | { kind: "askedBack"; messages: readonly ThreadMessage[]; reply: (text: string) => Promise<Ending<Asked>>; session: SessionRecord };

/**
 * Asks, and returns the answers as values under the names of the questions. Throws `CANCELLED` (details.reason: the person's words) and
 * `TIMED_OUT`, since neither is an answer, and whatever `Asker.ask` throws.
 *
 * @example
 * ```ts
 * import { type Asker, ask, confirm, select } from "@askbox/core";
 *
 * export async function release(asker: Asker) {
 *   const { deploy, where } = await ask(asker, { deploy: confirm("Deploy?"), where: select("Where?", ["staging", "production"]) });
 *   if (deploy) console.log(`Deploying to ${where}`);
 * }
 * ```
 */
export async function ask<const Asked extends Questions>(
  asker: Asker,
  asked: Asked,
  options: TypedAskOptions = {},
): Promise<Values<Asked>> {
  const { onAskedBack = () => programReply, ...asking } = options;
  let ending = await askForEnding(asker, asked, asking);
  while (ending.kind === "askedBack") ending = await ending.reply(await onAskedBack(ending.messages));
  const sessionId = ending.session.id;
  switch (ending.kind) {
    case "answered":
      return ending.values;
    case "cancelled": {
      const { reason, by } = ending;
      const sentence =
        reason === undefined ? "The questions were cancelled; do not proceed as if they had been answered." : `Cancelled: ${reason}`;
      throw new AskboxError("CANCELLED", sentence, { details: { sessionId, reason, by } });
    }
    case "timed_out":
      throw new AskboxError("TIMED_OUT", "Nobody answered in time; that is not an answer.", { details: { sessionId, seen: ending.seen } });
  }
}

/**
 * The same, for a program that handles every ending itself. Throws what `Asker.ask` throws.
 *
 * @example
 * ```ts
 * import { type Asker, askForEnding, confirm } from "@askbox/core";
 *
 * export async function mayDeploy(asker: Asker) {
 *   const ending = await askForEnding(asker, { deploy: confirm("Deploy?") }, { timeout: 60_000 });
 *   return ending.kind === "answered" && ending.values.deploy;
 * }
 * ```
 */
export async function askForEnding<const Asked extends Questions>(
  asker: Asker,
  asked: Asked,
  { asker: info = { client: { name: "program" } }, title, timeout, ...options }: Omit<TypedAskOptions, "onAskedBack"> = {},
): Promise<Ending<Asked>> {
  const questions = Object.entries(asked).map(([id, { input }]) => ({ ...input, id }));
  const request = parseAsk({ questions, title, timeout }, { ids: noIds });
  const taken = async ({ session, ack }: Handover): Promise<Ending<Asked>> => {
    // The program has it; if the acknowledgement failed, it is included in a later result.
    await ack().catch(() => {});
    const { signal } = options;
    return endingOf(asked, session, async (reply) => taken(await asker.resume(session.id, { reply, signal, earlier: false })));
  };
  return taken(await asker.ask(request, { ...options, asker: info, earlier: false }));
}

function endingOf<Asked extends Questions>(
  asked: Asked,
  session: SessionRecord,
  reply: (text: string) => Promise<Ending<Asked>>,
): Ending<Asked> {
  const { outcome } = session.context;
  switch (outcome?.kind) {
    case "answered": {
      const answers = new Map(outcome.answers.map((answer) => [answer.questionId, answer]));
      const entryOf = ([id, question]: [string, QuestionFor<unknown>]) => [
        id,
        question.read(answers.get(id) ?? { questionId: id, values: [] }),
      ];
      const values = Object.fromEntries(Object.entries(asked).map(entryOf)) as Values<Asked>;
      return { kind: "answered", values, comment: outcome.comment, by: outcome.by, session };
    }
    case "cancelled":
      return { kind: "cancelled", reason: outcome.reason, by: outcome.by, session };
    case "timedOut":
      return { kind: "timed_out", seen: session.seenAt !== undefined, session };
    case undefined:
      return { kind: "askedBack", messages: askedBack(session), reply, session };
  }
}

const never = (): never => {
  throw new AskboxError("INTERNAL", "A typed ask names its questions itself.");
};
const noIds = { session: never, question: never, call: never };

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

const typed = <Value>(input: Record<string, unknown>, read: (answer: Answer) => Value | undefined): QuestionFor<never> =>
  ({ input, read }) as unknown as QuestionFor<never>;
/** The only value of an answer; undefined if the question was skipped. */
const single = ({ values, customText }: Answer): string | undefined => values[0] ?? customText;
const numeric = (answer: Answer): number | undefined => {
  const value = single(answer);
  return value === undefined ? undefined : Number(value);
};

/** A text in the person's own words. */
export function text<const Given extends More<"text"> = None>(question: string, more?: Given): QuestionFor<Maybe<string, Given>> {
  return typed({ ...more, type: "text", question }, single);
}

/** One of the options: its value, or the person's own words. With `allowOther: false` the value's type is that of the options. */
export function select<const Options extends readonly Offered[], const Given extends More<"select"> = None>(
  question: string,
  options: Options,
  more?: Given,
): QuestionFor<Maybe<Chosen<Options, Given>, Given>> {
  return typed({ ...more, type: "select", question, options }, single);
}

/** Any number of the options, and the person's own words; empty if the question was skipped. */
export function multiSelect<const Options extends readonly Offered[], const Given extends More<"multi-select"> = None>(
  question: string,
  options: Options,
  more?: Given,
): QuestionFor<Chosen<Options, Given>[]> {
  return typed({ ...more, type: "multi-select", question, options }, ({ values, customText }) =>
    customText === undefined ? values : [...values, customText],
  );
}

/** Yes or no. */
export function confirm<const Given extends More<"confirm"> = None>(question: string, more?: Given): QuestionFor<Maybe<boolean, Given>> {
  return typed({ ...more, type: "confirm", question }, (answer) => {
    const value = single(answer);
    return value === undefined ? undefined : value === "yes";
  });
}

/** A number. */
export function number<const Given extends More<"number"> = None>(question: string, more?: Given): QuestionFor<Maybe<number, Given>> {
  return typed({ ...more, type: "number", question }, numeric);
}

/** A calendar day as `YYYY-MM-DD`, without a time. */
export function date<const Given extends More<"date"> = None>(question: string, more?: Given): QuestionFor<Maybe<string, Given>> {
  return typed({ ...more, type: "date", question }, single);
}

/** A step of a scale that starts at 1. */
export function rating<const Given extends More<"rating"> = None>(question: string, more?: Given): QuestionFor<Maybe<number, Given>> {
  return typed({ ...more, type: "rating", question }, numeric);
}

/** All options in order of preference, most preferred first; empty if the question was skipped. */
export function ranking<const Options extends readonly Offered[], const Given extends More<"ranking"> = None>(
  question: string,
  options: Options,
  more?: Given,
): QuestionFor<ValueOf<Options[number]>[]> {
  return typed({ ...more, type: "ranking", question, options }, ({ values }) => values);
}

/**
 * A decision on one action. A denial may have a reason, and `input` has the arguments if the question is `editable` and the person
 * changed them.
 */
export function approval(
  question: string,
  action: Action,
  more?: Omit<More<"approval">, "action" | "required">,
): QuestionFor<{ allowed: boolean; reason: string | undefined; input: Record<string, unknown> | undefined }> {
  return typed({ ...more, type: "approval", question, action }, ({ values: [value], customText: reason, input }) => ({
    allowed: value !== undefined && value !== "deny",
    reason,
    input,
  }));
}
