import { z } from "zod";
import { baseOf, isBlank, isSkipped, mustBeAnswered, type QuestionType, questionBase } from "./question-type.ts";

const schema = questionBase.extend({
  type: z.literal("text"),
  /** Shown in the empty field; never sent as an answer. */
  placeholder: z.string().optional(),
});
export type TextQuestion = z.infer<typeof schema>;

/** Free text: one value. */
export const text: QuestionType<"text", TextQuestion> = {
  type: "text",
  schema,
  parse: (input, id) => ({
    ...baseOf(input, id),
    type: "text",
    ...(input.placeholder === undefined ? {} : { placeholder: input.placeholder }),
  }),
  check(question, answer) {
    if (answer.customText !== undefined) return "A text question takes its text in values, not as customText.";
    if (answer.values.length > 1) return "A text question takes a single text.";
    const given = answer.values[0];
    if (given === undefined) return question.required ? mustBeAnswered : undefined;
    if (!isBlank(given)) return undefined;
    return question.required ? mustBeAnswered : "A blank text is no answer; skip the question instead.";
  },
  text: (_question, answer) => (isSkipped(answer) ? "" : (answer.values[0] ?? "")),
};
