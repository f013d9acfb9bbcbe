import { z } from "zod";
import { baseOf, isSkipped, mustBeAnswered, type QuestionType, questionBase } from "./question-type.ts";

const schema = questionBase.extend({ type: z.literal("confirm") });
export type ConfirmQuestion = z.infer<typeof schema>;

/** Yes or no: the value is `yes` or `no`, and there is no Other. */
export const confirm: QuestionType<"confirm", ConfirmQuestion> = {
  type: "confirm",
  schema,
  parse: (input, id) => ({ ...baseOf(input, id), type: "confirm" }),
  check(question, answer) {
    if (answer.customText !== undefined) return "A yes-or-no question has no Other; answer yes or no, and add a note.";
    if (isSkipped(answer)) return question.required ? mustBeAnswered : undefined;
    const [value] = answer.values;
    return answer.values.length === 1 && (value === "yes" || value === "no") ? undefined : "Answer yes or no.";
  },
  text: (_question, answer) => (isSkipped(answer) ? "" : answer.values[0] === "yes" ? "Yes" : "No"),
};
