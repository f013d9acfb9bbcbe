import type { Question } from "@askbox/core";
import { isolated } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";

/** What is to be given, limits included, where the widget alone does not tell; undefined where it does. */
export function sayExpected(t: Translate, question: Question): string | undefined {
  switch (question.type) {
    case "number":
      return within(t, t(question.integer ? "expect.integer" : "expect.number"), question.min, question.max);
    case "date":
      return within(t, t("expect.date"), question.min, question.max);
    case "text": {
      const { format, minLength, maxLength } = question;
      const parts = [format === undefined ? "" : t(`expect.${format}`), between(t, "expect.length", minLength, maxLength)];
      return parts.filter((part) => part !== "").join(" · ") || undefined;
    }
    case "rating":
      return within(t, t("expect.rating"), labelled(1, question.minLabel), labelled(question.max, question.maxLabel));
    case "multi-select":
      return between(t, "expect.choices", question.minChoices, question.maxChoices) || t("question.many");
    default:
      return undefined;
  }
}

const labelled = (step: number, label: string | undefined): string => (label === undefined ? String(step) : `${step} (${isolated(label)})`);

function within(t: Translate, what: string, min: number | string | undefined, max: number | string | undefined): string {
  if (min === undefined) return max === undefined ? what : t("expect.to", { what, max });
  return max === undefined ? t("expect.from", { what, min }) : t("expect.range", { what, min, max });
}

function between(t: Translate, of: "expect.length" | "expect.choices", min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? "" : t(`${of}.most`, { count: max });
  if (max === undefined) return t(`${of}.least`, { count: min });
  return min === max ? t(`${of}.exactly`, { count: min }) : t(`${of}.range`, { min, max });
}
