import { z } from "zod";
import type { Answer } from "../answer.ts";
import type { QuestionInput } from "../ask-input.ts";

/** What every question has, as it is stored. */
export const questionBase = z.object({
  id: z.string(),
  /** The question itself; basic markdown. */
  question: z.string(),
  /** Whether it must be answered; a question that need not be may be skipped. */
  required: z.boolean(),
  /** A short chip beside the question. */
  header: z.string().optional(),
});
export type QuestionBase = z.infer<typeof questionBase>;

/** What every type makes of the parts that all questions share. */
export function baseOf(input: QuestionInput, id: string): QuestionBase {
  return {
    id,
    question: input.question,
    required: input.required,
    ...(input.header === undefined ? {} : { header: input.header }),
  };
}

/**
 * One type of question: how it is read from an ask, how an answer to it is checked, how it reads as text.
 * Adding a type to askbox means one of these, and one widget in each surface.
 */
export interface QuestionType<Name extends string, Question extends QuestionBase & { type: Name }> {
  readonly type: Name;
  /** The stored question. */
  readonly schema: z.ZodType<Question>;
  /** Reads a question of this type from an ask. Throws `QuestionRefusal` when it cannot be one. */
  parse(input: QuestionInput, id: string): Question;
  /** What is wrong with the answer, as a sentence for the person; nothing when it is valid. */
  check(question: Question, answer: Answer): string | undefined;
  /** The answer as a person would read it; empty when it was skipped. */
  text(question: Question, answer: Answer): string;
}

/** A question that cannot be asked. The message is a clause that follows the question's path. */
export class QuestionRefusal extends Error {}

/** An answer that says nothing: how a question is skipped. */
export function isSkipped(answer: Pick<Answer, "values" | "customText">): boolean {
  return answer.values.length === 0 && answer.customText === undefined;
}

export const mustBeAnswered = "An answer is required.";
export const isBlank = (text: string): boolean => text.trim() === "";
