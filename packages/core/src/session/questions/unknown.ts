import * as z from "zod";
import { isSkipped, problem, type QuestionType, questionBase } from "./question-type.ts";

const schema = questionBase.extend({
  type: z.literal("unknown"),
  /** The question exactly as the newer askbox wrote it, preserved for versions that know it. */
  original: z.looseObject({ type: z.string() }),
});
/** A question of a type that this version does not know. It can be shown and declined, not answered. */
export type UnknownQuestion = z.infer<typeof schema>;

/** A question of a type from a newer askbox: it is shown and preserved, and can be skipped or cancelled here, but not answered. */
export const unknown = {
  type: "unknown",
  widget: () => "notice",
  metavar: () => "…",
  schema,
  check: (question, answer) =>
    isSkipped(answer) && !question.required
      ? undefined
      : problem("unknown_type", "This version of askbox does not know this type of question; update askbox to answer here."),
  // Its answer came from a version that knows it.
  text: (_question, answer) => [...answer.values, ...(answer.customText === undefined ? [] : [answer.customText])].join(", "),
  expects: () => "a type of question that this askbox does not know",
} satisfies Omit<QuestionType<"unknown", never, UnknownQuestion>, "input" | "parse">;

/**
 * Converts a stored question to a form that this version can read: an unknown one is wrapped, and one that an older version had to wrap is
 * unwrapped if its type is known now. Invalid questions are left for the schema to reject.
 */
export function knownOrWrapped(isKnown: (type: string) => boolean): (stored: unknown) => unknown {
  return (stored) => {
    const wrapped = schema.safeParse(stored);
    if (wrapped.success && !isKnown(wrapped.data.original.type)) return stored;
    const question = wrapped.success ? wrapped.data.original : stored;
    if (typeof question !== "object" || question === null || !("type" in question) || typeof question.type !== "string") return question;
    if (isKnown(question.type)) return question;
    const { id, question: text, required, header } = question as Record<string, unknown>;
    return { id, question: text, required, ...(header === undefined ? {} : { header }), type: "unknown", original: question };
  };
}
