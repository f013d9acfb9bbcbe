import { defined } from "../../objects.ts";
import { type AskedType, baseOf, isSkipped, mustBeAnswered, problem } from "./question-type.ts";

/** Yes or no: the value is `yes` or `no`, without Other. */
export const confirm = {
  type: "confirm",
  picks: "one",
  singleUse: true,
  aliases: ["yesno", "yes_no", "yes-no"],
  widget: () => "yes-no",
  metavar: () => "yes or no",
  parse: ({ suggestion, ...rest }, id) => ({
    ...baseOf(rest, id),
    type: "confirm",
    ...defined({ suggestion: typeof suggestion === "boolean" ? (suggestion ? ("yes" as const) : ("no" as const)) : suggestion }),
  }),
  check(question, answer) {
    if (answer.customText !== undefined) {
      return problem("shape", "A yes-or-no question has no Other; answer yes or no, and add a note.");
    }
    if (isSkipped(answer)) return question.required ? mustBeAnswered() : undefined;
    const [value] = answer.values;
    return answer.values.length === 1 && (value === "yes" || value === "no") ? undefined : problem("shape", "Answer yes or no.");
  },
  text: (_question, answer) => (isSkipped(answer) ? "" : answer.values[0] === "yes" ? "Yes" : "No"),
  expects: () => "yes or no",
  offers: ({ suggestion }) => [
    { value: "yes", label: "Yes", shortcut: "yes", ...defined({ recommended: suggestion === "yes" ? true : undefined }) },
    { value: "no", label: "No", shortcut: "no", ...defined({ recommended: suggestion === "no" ? true : undefined }) },
  ],
} satisfies AskedType<"confirm">;
