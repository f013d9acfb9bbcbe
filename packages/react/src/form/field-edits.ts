import type { Question } from "@askbox/core";
import type { Field } from "./field.ts";

/** Chooses an option; of a multi-select it is taken back when it was chosen. */
export function withChoice(question: Question, field: Field, value: string): Field {
  if (question.type !== "multi-select") return { ...field, values: [value], other: false, skipped: false };
  const without = field.values.filter((chosen) => chosen !== value);
  if (without.length < field.values.length) return { ...field, values: without, skipped: false };
  // In the options' order, so that the order of clicks says nothing.
  const order = question.options.map((option) => option.value);
  return { ...field, values: [...field.values, value].sort((a, b) => order.indexOf(a) - order.indexOf(b)), skipped: false };
}

/** Chooses Other, which takes the place of a select's option, or takes it back. */
export function withOther(question: Question, field: Field, other: boolean): Field {
  if (!("allowOther" in question && question.allowOther)) return field;
  return { ...field, other, skipped: false, values: other && question.type === "select" ? [] : field.values };
}

/** Chooses what the agent recommends; of a select the first such option. */
export function withRecommended(question: Question, field: Field): Field {
  if (!("options" in question)) return field;
  const recommended = question.options.filter((option) => option.recommended === true).map((option) => option.value);
  if (recommended.length === 0) return field;
  if (question.type === "multi-select") return { ...field, values: recommended, skipped: false };
  return { ...field, values: recommended.slice(0, 1), skipped: false, other: false };
}
