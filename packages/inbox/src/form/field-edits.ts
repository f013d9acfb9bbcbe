import type { Question } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import { isTyped, type OfferedOption, offeredOptions, takesOther, tidyAnswer, traitsOf } from "@askbox/core/questions";
import { answerOf, errorOf, type Field } from "./field.ts";

/** An edit of one question's field. */
export type FieldEdit =
  /** The text of a question with a typed answer. */
  | { kind: "text"; text: string }
  | { kind: "choose"; value: string }
  /** Moves an option to an index of the order, which makes the whole order the answer; moving it to its own index confirms the order. */
  | { kind: "place"; value: string; index: number }
  /** Puts an option behind those that are in the order; the order is an answer once all are. For people who press one after the other. */
  | { kind: "rank"; value: string }
  /** Selects or deselects Other; its text is kept. */
  | { kind: "other"; other: boolean }
  /** Types into Other, which selects it. */
  | { kind: "otherText"; text: string }
  | { kind: "note"; text: string }
  /** Replaces the list of attached files. */
  | { kind: "files"; files: readonly AnswerFile[] }
  /** Replaces the comments on lines. */
  | { kind: "comments"; comments: NonNullable<Field["comments"]> }
  /** Skips an optional question, or undoes the skip; the input is kept. A required question cannot be skipped. */
  | { kind: "skip"; skipped: boolean }
  /** Changes the arguments of an action, as JSON; undefined for those that were asked for. */
  | { kind: "input"; input: string | undefined }
  /** Accepts the agent's recommendation or suggestion. */
  | { kind: "recommended" };

/** The field after an edit. */
export function fieldAfter(question: Question, field: Field, edit: FieldEdit): Field {
  switch (edit.kind) {
    case "text":
      return { ...field, values: edit.text === "" ? [] : [typedDate(question, edit.text)], skipped: false };
    case "choose":
      return withChoice(question, field, edit.value);
    case "place":
      return withPlace(question, field, edit.value, edit.index);
    case "rank":
      return isRankable(question, field, edit.value) ? { ...field, values: [...field.values, edit.value], skipped: false } : field;
    case "other":
      return withOther(question, field, edit.other);
    case "otherText":
      // For a decision, it is the reason for a denial.
      if (traitsOf(question).picks === "decision")
        return { ...field, values: ["deny"], other: edit.text.trim() !== "", otherText: edit.text };
      return { ...withOther(question, field, true), otherText: edit.text };
    case "note":
      return { ...field, note: edit.text };
    case "files":
      return { ...field, files: edit.files[0] && edit.files };
    case "comments":
      return { ...field, comments: edit.comments[0] && edit.comments };
    case "skip":
      return question.required ? field : { ...field, skipped: edit.skipped };
    case "input":
      return "editable" in question && question.editable === true ? { ...field, input: edit.input } : field;
    case "recommended":
      return withRecommended(question, field);
  }
}

/** A date that was typed as eight digits gets its dashes. */
const typedDate = (question: Question, text: string): string =>
  traitsOf(question).widget === "date" ? text.replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3") : text;

/** Selects an option, or deselects it if several can be selected. Selecting does not set an order. */
function withChoice(question: Question, field: Field, value: string): Field {
  const { picks } = traitsOf(question);
  if (picks === "one" || picks === "decision") return { ...field, values: [value], other: false, skipped: false };
  if (picks !== "many") return field;
  const without = field.values.filter((chosen) => chosen !== value);
  if (without.length < field.values.length) return { ...field, values: without, skipped: false };
  // In the options' order, so that the order of clicks does not matter.
  const order = offeredOptions(question).map((option) => option.value);
  return { ...field, values: [...field.values, value].sort((a, b) => order.indexOf(a) - order.indexOf(b)), skipped: false };
}

/** The options as shown: in the person's order, if there is one. */
export function optionsInOrder(question: Question, field: Pick<Field, "values">): readonly OfferedOption[] {
  const offered = offeredOptions(question);
  if (traitsOf(question).picks !== "order") return offered;
  const placed = field.values.flatMap((value) => offered.find((option) => option.value === value) ?? []);
  return [...placed, ...offered.filter((option) => !placed.includes(option))];
}

function withPlace(question: Question, field: Field, value: string, index: number): Field {
  const shown = optionsInOrder(question, field).map((option) => option.value);
  if (traitsOf(question).picks !== "order" || !shown.includes(value)) return field;
  const values = shown.filter((other) => other !== value);
  values.splice(Math.max(0, index), 0, value);
  return { ...field, values, skipped: false };
}

const isRankable = (question: Question, { values }: Field, value: string) =>
  traitsOf(question).picks === "order" && !values.includes(value) && offeredOptions(question).some((option) => option.value === value);

/** Selects Other, which replaces the option if only one can be selected, or deselects it. */
function withOther(question: Question, field: Field, other: boolean): Field {
  if (!takesOther(question)) return field;
  return { ...field, other, skipped: false, values: other && traitsOf(question).picks === "one" ? [] : field.values };
}

/**
 * Accepts what the agent proposes: its suggestion, or the recommended options, the first of them if only one can be selected. Other stays
 * selected beside several options.
 */
function withRecommended(question: Question, field: Field): Field {
  const values = proposedValues(question);
  // The order in which the agent gives the options is what it proposes.
  if (traitsOf(question).picks === "order") return { ...field, values: offeredOptions(question).map(({ value }) => value), skipped: false };
  if (values.length === 0) return field;
  return { ...field, values, skipped: false, other: traitsOf(question).picks === "many" && field.other };
}

/** The values that the agent proposes, if any. */
export function proposedValues(question: Question): string[] {
  if (traitsOf(question).widget === "notice") return [];
  if ("suggestion" in question && question.suggestion !== undefined) return [question.suggestion];
  const { picks } = traitsOf(question);
  if ((picks !== "one" && picks !== "many") || !("options" in question)) return [];
  const recommended = question.options.filter((option) => option.recommended === true).map((option) => option.value);
  return picks === "one" ? recommended.slice(0, 1) : recommended;
}

/** Whether files can be attached to the answer: not to a decision, nor to what can only be declined. */
export function takesFiles(question: Question): boolean {
  const { attached, picks, typed } = traitsOf(question);
  return attached === true || typed !== undefined || (picks !== undefined && picks !== "decision");
}

/** The field with its normalized text, if valid, so that the person sees how it was interpreted before it is sent. */
export function withTidyText(question: Question, field: Field): Field {
  if (!isTyped(question) || errorOf(question, field) !== undefined) return field;
  return { ...field, values: tidyAnswer(question, answerOf(question, field)).values };
}
