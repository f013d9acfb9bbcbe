import { isCalendarDate } from "./calendar.ts";
import type { TextFormat } from "./constants.ts";
import { type AnswerProblem, problem } from "./question-type.ts";

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
export function formatProblem(format: TextFormat, value: string): AnswerProblem | undefined {
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
