import { defined } from "../../defined.ts";
import type { TextFormat } from "./constants.ts";
import { type AnswerProblem, type AskedType, baseOf, counted, problem } from "./question-type.ts";
import type { QuestionOf } from "./schemas.ts";
import { checkSingle, refuseEmptyRange, singleText, suggestionOf, tidySingle } from "./single-value.ts";
import { formatProblem } from "./text-format.ts";

/** Free text, or text of a checked format: one value. */
export const text = {
  type: "text",
  typed: "words",
  widget: ({ format }) => (format === undefined ? "lines" : "line"),
  formField: ({ format, minLength, maxLength }) => ({
    type: "string",
    ...defined({ minLength, maxLength, format: format === "url" ? ("uri" as const) : format }),
  }),
  metavar: ({ format }) => (format === undefined ? "your text" : metavars[format]),
  parse({ placeholder, format, minLength, maxLength, suggestion, ...rest }, id) {
    refuseEmptyRange(minLength, maxLength, ["minLength", "maxLength"]);
    const limits = defined({ format, minLength: minLength === 0 ? undefined : minLength, maxLength });
    const proposed = suggestionOf(format === undefined ? suggestion : suggestion?.trim(), (value) => checkText(limits, value));
    return { ...baseOf(rest, id), type: "text", ...defined({ placeholder }), ...limits, ...defined({ suggestion: proposed }) };
  },
  tidy: (question, answer) => (question.format === undefined ? answer : tidySingle(answer, (value) => value.trim())),
  check: (question, answer) => checkSingle(question, answer, "text", (value) => checkText(question, value)),
  text: (_question, answer) => singleText(answer),
  expects({ format, minLength, maxLength }) {
    const what = format === undefined ? "text" : formatWords[format];
    if (minLength === undefined && maxLength === undefined) return what;
    if (maxLength === undefined) return `${what} of at least ${counted(minLength ?? 0, "character")}`;
    if (minLength === undefined) return `${what} of at most ${counted(maxLength, "character")}`;
    return minLength === maxLength
      ? `${what} of ${counted(maxLength, "character")}`
      : `${what} of ${minLength} to ${counted(maxLength, "character")}`;
  },
} satisfies AskedType<"text">;

const metavars: Readonly<Record<TextFormat, string>> = { email: "your email", url: "your URL", "date-time": "your date and time" };

const formatWords: Readonly<Record<TextFormat, string>> = {
  email: "an email address",
  url: "a web address",
  "date-time": "a date and time such as 2026-03-05T14:30:00Z",
};

function checkText({ format, minLength, maxLength }: Pick<QuestionOf<"text">, "format" | "minLength" | "maxLength">, value: string) {
  return checkLength(value, minLength, maxLength) ?? (format === undefined ? undefined : formatProblem(format, value));
}

/**
 * JSON Schema counts code points, and JavaScript's validators count UTF-16 code units, of which an emoji has two or more. Since the answer
 * may be validated either way later, it must be short enough in code units and long enough in code points.
 */
function checkLength(value: string, min = 0, max = Number.POSITIVE_INFINITY): AnswerProblem | undefined {
  if (value.length > max)
    return problem("too_long", `The text must be at most ${counted(max, "character")} long; it has ${value.length}.`, max);
  const points = value.length < min ? value.length : [...value].length;
  if (points < min) return problem("too_short", `The text must be at least ${counted(min, "character")} long; it has ${points}.`, min);
  return undefined;
}
