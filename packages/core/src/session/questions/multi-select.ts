import { z } from "zod";
import { checkChoice, choiceBase, choiceOf, choiceText } from "./options.ts";
import type { QuestionType } from "./question-type.ts";

const schema = choiceBase.extend({ type: z.literal("multi-select") });
export type MultiSelectQuestion = z.infer<typeof schema>;

/** Any of the options, and a text of the person's own beside them. */
export const multiSelect: QuestionType<"multi-select", MultiSelectQuestion> = {
  type: "multi-select",
  schema,
  parse: (input, id) => ({ ...choiceOf(input, id), type: "multi-select" }),
  check: checkChoice,
  text: choiceText,
};
