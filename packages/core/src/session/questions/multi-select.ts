import { defined } from "../../defined.ts";
import { checkChoice, choiceCount, choiceOf, choiceText } from "./options.ts";
import { type AskedType, counted, isSkipped, problem, QuestionRefusal } from "./question-type.ts";
import { refuseEmptyRange } from "./single-value.ts";

/** Any of the options, plus a text in the person's own words. */
export const multiSelect = {
  type: "multi-select",
  picks: "many",
  aliases: ["multiselect", "multi_select"],
  widget: () => "options",
  metavar: () => "#N",
  parse({ minChoices, maxChoices, ...rest }, id) {
    const question = choiceOf(rest, id);
    const possible = question.options.length + (question.allowOther ? 1 : 0);
    refuseEmptyRange(minChoices, maxChoices, ["minChoices", "maxChoices"]);
    if (minChoices !== undefined && minChoices > possible) {
      const offered = `${counted(question.options.length, "option")}${question.allowOther ? " and Other" : ""}`;
      throw new QuestionRefusal(`wants at least ${counted(minChoices, "choice")} and offers ${offered}`);
    }
    return { ...question, type: "multi-select", ...defined({ minChoices: minChoices === 0 ? undefined : minChoices, maxChoices }) };
  },
  check(question, answer) {
    const wrong = checkChoice(question, answer);
    if (wrong !== undefined || isSkipped(answer)) return wrong;
    const { minChoices = 0, maxChoices = Number.POSITIVE_INFINITY } = question;
    const count = choiceCount(answer);
    if (count < minChoices) return problem("too_few_choices", `Choose at least ${minChoices}; ${count} chosen so far.`, minChoices);
    if (count > maxChoices) return problem("too_many_choices", `Choose at most ${maxChoices}; ${count} are chosen.`, maxChoices);
    return undefined;
  },
  text: choiceText,
  offers: ({ options }) => options,
  expects({ minChoices, maxChoices }) {
    if (minChoices === undefined) return maxChoices === undefined ? "choose any" : `choose up to ${maxChoices}`;
    if (maxChoices === undefined) return `choose at least ${minChoices}`;
    return minChoices === maxChoices ? `choose ${minChoices}` : `choose ${minChoices} to ${maxChoices}`;
  },
} satisfies AskedType<"multi-select">;
