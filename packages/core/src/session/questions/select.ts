import * as z from "zod";
import { checkChoice, choiceBase, choiceCount, choiceInput, choiceOf, choiceText } from "./options.ts";
import { problem, type QuestionType } from "./question-type.ts";

const input = choiceInput.extend({ type: z.literal("select") });
const schema = choiceBase.extend({ type: z.literal("select") });
export type SelectQuestion = z.infer<typeof schema>;

/** One of the options, or a text in the person's own words: at most one of the two. */
export const select = {
  type: "select",
  picks: "one",
  aliases: ["choice", "single-select", "single_select"],
  widget: () => "options",
  metavar: () => "#N",
  input,
  schema,
  parse: (sent, id) => ({ ...choiceOf(sent, id), type: "select" }),
  check: (question, answer) =>
    checkChoice(question, answer) ??
    (choiceCount(answer) > 1 ? problem("too_many_choices", "Choose a single option, or Other.", 1) : undefined),
  text: choiceText,
  expects: () => "choose one",
  offers: ({ options }) => options,
} satisfies QuestionType<"select", z.infer<typeof input>, SelectQuestion>;
