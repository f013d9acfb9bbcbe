import { checkChoice, choiceCount, choiceOf, choiceText } from "./options.ts";
import { type AskedType, problem } from "./question-type.ts";

/** One of the options, or a text in the person's own words: at most one of the two. */
export const select = {
  type: "select",
  picks: "one",
  aliases: ["choice", "single-select", "single_select"],
  widget: () => "options",
  metavar: () => "#N",
  parse: (sent, id) => ({ ...choiceOf(sent, id), type: "select" }),
  check: (question, answer) =>
    checkChoice(question, answer) ??
    (choiceCount(answer) > 1 ? problem("too_many_choices", "Choose a single option, or Other.", 1) : undefined),
  text: choiceText,
  expects: () => "choose one",
  offers: ({ options }) => options,
} satisfies AskedType<"select">;
