import { maxActionBytes, utf8Length } from "./action.ts";
import { type AskedType, baseOf, isBlank, isSkipped, mustBeAnswered, problem, QuestionRefusal } from "./question-type.ts";

const verdicts = ["approve", "approve_with_comments", "request_changes"].map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1).replaceAll("_", " "),
}));
const labelOf = (value: string | undefined) => verdicts.find((verdict) => verdict.value === value)?.label;

/** A verdict on a document, with comments on its lines; the answer's note is about all of it. */
export const review = {
  type: "review",
  picks: "one",
  readFirst: true,
  singleUse: true,
  widget: () => "document",
  metavar: () => "VERDICT",
  parse({ document, ...rest }, id) {
    if (isBlank(document) || utf8Length(document) > maxActionBytes)
      throw new QuestionRefusal(`needs a document of 1 to ${maxActionBytes} bytes`);
    return { ...baseOf(rest, id), type: "review", document };
  },
  // Whether there are comments is seen, not picked.
  tidy(_question, answer) {
    if (answer.values.length !== 1 || !answer.values[0]?.startsWith("approve")) return answer;
    return { ...answer, values: [answer.comments?.length || answer.note ? "approve_with_comments" : "approve"] };
  },
  check({ required }, answer) {
    const [value, ...more] = answer.values;
    if (isSkipped(answer)) return required ? mustBeAnswered() : undefined;
    if (labelOf(value) !== undefined && more.length === 0 && answer.customText === undefined) return undefined;
    return problem("shape", "Answer approve or request_changes.");
  },
  text: (_question, { values: [value] }) => labelOf(value) ?? "",
  expects: () => "approve or request changes",
  offers: () => verdicts,
} satisfies AskedType<"review">;
