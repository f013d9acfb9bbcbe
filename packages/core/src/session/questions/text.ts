import { defined } from "../../objects.ts";
import type { TextFormat } from "./constants.ts";
import { isCalendarDate } from "./date.ts";
import { type AnswerProblem, type AskedType, baseOf, counted, problem } from "./question-type.ts";
import type { QuestionOf } from "./schemas.ts";
import { checkSingle, refuseEmptyRange, singleText, suggestionOf, tidySingle } from "./single-value.ts";

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

/** Of the web and of every runtime; the core has no types of either. */
declare const URL: { canParse(url: string): boolean };

/** An address as zod's `email` takes it, without loading zod. */
const email = /^[\w'+-]+(?:\.[\w'+-]+)*@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i;

/** Without this, a host with a port would parse as a scheme: `localhost:3000` is a valid URL, but a person's mistake. */
// linear: the lookahead has a fixed length.
const hostWithPort = /^(?!(?:tel|sms|urn):)[a-z0-9.-]+:\d{1,5}(?:[/?#]|$)/i;

/** RFC 3339, section 5.6. */
const dateTime = /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** What is wrong with a text of this format. */
function formatProblem(format: TextFormat, value: string): AnswerProblem | undefined {
  switch (format) {
    case "email":
      // 254 characters is the longest address that mail can be sent to (RFC 5321, 4.5.3.1.3).
      return value.length <= 254 && email.test(value)
        ? undefined
        : problem("not_an_email", "This is not an email address; enter one such as ada@example.com.");
    case "url":
      return !/\s/.test(value) && !hostWithPort.test(value) && URL.canParse(value)
        ? undefined
        : problem("not_a_url", "This is not a web address; enter the full address, such as https://example.com/page.");
    case "date-time": {
      const date = dateTime.exec(value)?.[1];
      return date !== undefined && isCalendarDate(date)
        ? undefined
        : problem("not_a_date_time", "Enter date, time and zone as 2026-03-05T14:30:00Z or 2026-03-05T14:30:00+01:00.");
    }
  }
}
