import { checkChoice, choiceOf, choiceText } from "./choices.ts";
import { type AskedType, isSkipped, problem, QuestionRefusal } from "./question-type.ts";

/** All options in the person's order of preference, most preferred first. */
export const ranking = {
  type: "ranking",
  picks: "order",
  aliases: ["rank"],
  widget: () => "order",
  metavar: ({ options }) => options.map(() => "#N").join(","),
  parse(sent, id) {
    if ((sent.options?.length ?? 0) < 2) throw new QuestionRefusal("needs at least two options to be put in order");
    const { allowOther: _, ...question } = choiceOf({ ...sent, allowOther: false }, id);
    return { ...question, type: "ranking" };
  },
  check(question, answer) {
    const wrong = checkChoice({ ...question, allowOther: false }, answer);
    if (wrong !== undefined || isSkipped(answer)) return wrong;
    const count = question.options.length;
    if (answer.values.length === count) return undefined;
    return problem("too_few_choices", `Put all ${count} options in order; ${answer.values.length} are.`, count);
  },
  text: (question, answer) => choiceText({ ...question, allowOther: false }, answer),
  offers: ({ options }) => options,
  expects: ({ options }) => `all ${options.length} options in order of preference, the best first`,
} satisfies AskedType<"ranking">;
