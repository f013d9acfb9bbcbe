import type { Question } from "@askbox/core";
import { traitsOf } from "@askbox/core/questions";
import { coarseDuration } from "@askbox/inbox";
import type { MessageKey } from "./en.ts";
import type { Translate } from "./translate.ts";

/** What the rows of the list say; `phrases.ts` has the rest, which is loaded later. */

const units: Record<ReturnType<typeof coarseDuration>["unit"], MessageKey> = {
  seconds: "time.seconds",
  minutes: "time.minutes",
  hours: "time.hours",
  days: "time.days",
};

export function sayDuration(t: Translate, ms: number): string {
  const { unit, count } = coarseDuration(ms);
  return t(units[unit], { count });
}

/** An option that askbox itself words, in the page's language; undefined for an asker's. */
export function sayOwnOption(t: Translate, question: Question, value: string | undefined): string | undefined {
  const { widget } = traitsOf(question);
  if (widget === "yes-no" && (value === "yes" || value === "no")) return t(`question.${value}`);
  const verdict = verdicts.find((each) => each === value);
  return widget === "document" && verdict !== undefined ? t(`document.${verdict}`) : undefined;
}

const verdicts = ["approve", "approve_with_comments", "request_changes"] as const;
