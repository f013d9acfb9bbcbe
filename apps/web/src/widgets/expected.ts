import type { Question } from "@askbox/core";
import { bytesText, traitsOf } from "@askbox/core/questions";
import { isolated } from "../i18n/phrases.ts";
import type { Translate } from "../i18n/translate.ts";

/** The limits of all types under common names. */
interface Limits {
  min?: number | string;
  max?: number | string;
  minLabel?: string;
  maxLabel?: string;
  minChoices?: number;
  maxChoices?: number;
  accept?: readonly string[];
  maxFiles?: number;
  maxBytes?: number;
}

/** The expected answer with its limits; undefined if the widget shows it. */
export function sayExpected(t: Translate, question: Question): string | undefined {
  const { formField, picks, widget } = traitsOf(question);
  const { min, max, minLabel, maxLabel, minChoices, maxChoices, accept, maxFiles, maxBytes } = question as Limits;
  if (widget === "files") {
    const parts = [
      accept?.join(", "),
      maxFiles && t("expect.files.most", { count: maxFiles }),
      maxBytes && t("expect.files.size", { size: bytesText(maxBytes) }),
    ];
    return parts.filter(Boolean).join(" · ") || t("expect.files");
  }
  if (widget === "date") return within(t, t("expect.date"), min, max);
  if (widget === "scale") return within(t, t("expect.rating"), labelled(1, minLabel), labelled(max, maxLabel));
  if (formField?.type === "string") {
    const { format, minLength, maxLength } = formField;
    const parts = [format === undefined ? "" : t(`expect.${format}`), between(t, "expect.length", minLength, maxLength)];
    return parts.filter((part) => part !== "").join(" · ") || undefined;
  }
  if (formField !== undefined) return within(t, t(`expect.${formField.type}`), min, max);
  if (picks === "many") return between(t, "expect.choices", minChoices, maxChoices) || t("question.many");
  if (picks === "order") return t("expect.order");
  return undefined;
}

const labelled = (step: number | string | undefined, label: string | undefined): string =>
  label === undefined ? String(step) : `${step} (${isolated(label)})`;

function within(t: Translate, what: string, min: number | string | undefined, max: number | string | undefined): string {
  if (min === undefined) return max === undefined ? what : t("expect.to", { what, max });
  return max === undefined ? t("expect.from", { what, min }) : t("expect.range", { what, min, max });
}

function between(t: Translate, of: "expect.length" | "expect.choices", min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? "" : t(`${of}.most`, { count: max });
  if (max === undefined) return t(`${of}.least`, { count: min });
  return min === max ? t(`${of}.exactly`, { count: min }) : t(`${of}.range`, { min, max });
}
