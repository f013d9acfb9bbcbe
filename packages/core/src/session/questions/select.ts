import { z } from "zod";
import { checkChoice, choiceBase, choiceOf, choiceText } from "./options.ts";
import type { QuestionType } from "./question-type.ts";

const schema = choiceBase.extend({ type: z.literal("select") });
export type SelectQuestion = z.infer<typeof schema>;

/** One of the options, or a text of the person's own: at most one of the two. */
export const select: QuestionType<"select", SelectQuestion> = {
  type: "select",
  schema,
  parse: (input, id) => ({ ...choiceOf(input, id), type: "select" }),
  check(question, answer) {
    const problem = checkChoice(question, answer);
    if (problem !== undefined) return problem;
    const taken = answer.values.length + (answer.customText === undefined ? 0 : 1);
    return taken > 1 ? "Choose a single option, or Other." : undefined;
  },
  text: choiceText,
};
