import { type Answer, limits, parseAsk } from "@askbox/core";
import { cut, isSkipped } from "@askbox/core/questions";
import { type FormField, type FormSchema, optionsOf } from "./form-schema.ts";

/** A form as askbox sessions: one, or several if it has more fields than a session allows questions. */
export interface FormQuestions {
  /** Inputs of `parseAsk`, to be asked one after the other. */
  parts: { title: string; questions: Record<string, unknown>[] }[];
  /**
   * The form's content from the answers of all parts. A skipped field is omitted, whatever its default: only the person decides. A list
   * that the form requires is empty if nothing was chosen. Undefined if the form has no fields and the person said no.
   */
  content(answers: readonly Answer[]): Record<string, unknown> | undefined;
}

const onlyQuestion = "accepted";
/** The title of a form that came without a message. */
const untitled = "Please fill in this form";

/** Converts any form to questions for the inbox. Texts that are too long are shortened. */
export function questionsOfForm(text: string, form: FormSchema): FormQuestions {
  const message = text.trim() === "" ? untitled : text;
  const fields = Object.entries(form.properties).map(([name, field], index) => ({
    name,
    field,
    id: idOf(name, index, form),
    required: form.required?.includes(name) ?? false,
  }));
  if (fields.length === 0) {
    const questions = [
      { id: onlyQuestion, question: text.trim() === "" ? "Continue?" : cut(message, limits.questionLength.max), type: "confirm" },
    ];
    return {
      parts: [{ title: cut(message, limits.titleLength.max), questions }],
      content: (answers) => (answers.some(({ values }) => values[0] === "yes") ? {} : undefined),
    };
  }
  const questions = fields.map(({ id, field, required, name }) => questionOf(id, name, field, required));
  const [first] = questions;
  if (first !== undefined && message.length > limits.titleLength.max) first["question"] = withMessage(message, String(first["question"]));
  const size = limits.questions.max;
  const count = Math.ceil(questions.length / size);
  return {
    parts: Array.from({ length: count }, (_, part) => {
      const which = count === 1 ? "" : ` (${part + 1} of ${count})`;
      return {
        title: cut(message, limits.titleLength.max - which.length) + which,
        questions: questions.slice(part * size, (part + 1) * size),
      };
    }),
    content(answers) {
      const byId = new Map(answers.map((answer) => [answer.questionId, answer]));
      const entries = fields.flatMap(({ id, name, field, required }) => {
        const value = givenValue(field, byId.get(id), required);
        return value === undefined ? [] : [[name, value] as const];
      });
      return Object.fromEntries(entries);
    },
  };
}

/** A field's name, or one of its own for a name that no question can have: drafts are records by question id, and have no key `__proto__`. */
function idOf(name: string, index: number, { properties }: FormSchema): string {
  if (name !== "__proto__" && name.trim() !== "" && name.length <= limits.fieldLength.id) return name;
  let id = `field ${index + 1}`;
  while (Object.hasOwn(properties, id)) id += "_";
  return id;
}

/** A message that the title is too short for stands before the first question, whose own words come first if there is no room for both. */
function withMessage(message: string, question: string): string {
  const room = limits.questionLength.max - question.length - 2;
  return room < 1 ? question : `${cut(message, room)}\n\n${question}`;
}

function questionOf(id: string, name: string, field: FormField, required: boolean): Record<string, unknown> {
  const { title, description, default: proposed } = field;
  const label = [title, name].find((words) => words?.trim()) ?? id;
  const text = description?.trim() ? description : label;
  const header = text === label ? {} : { header: label };
  // An empty list is a valid answer if it is allowed; skipping the question gives it.
  const mustAnswer = required && (field.type !== "array" || (field.minItems ?? 0) > 0);
  const base = { id, question: cut(text, limits.questionLength.max), required: mustAnswer, ...header };
  const offered = optionsOf(field);
  if (offered !== undefined) {
    const recommended = new Set([proposed].flat());
    const options = offered.map((option) => (recommended.has(option.value) ? { ...option, recommended: true } : option));
    const counts = field.type === "array" ? { minChoices: field.minItems, maxChoices: field.maxItems } : {};
    return { ...base, type: field.type === "array" ? "multi-select" : "select", options, allowOther: false, ...counts };
  }
  return suggesting({ ...base, ...typed(field) }, proposed);
}

function typed(field: FormField): Record<string, unknown> {
  if (field.type === "boolean") return { type: "confirm" };
  if (field.type === "integer" && isScale(field.minimum, field.maximum)) return { type: "rating", max: field.maximum };
  if (field.type === "number" || field.type === "integer") {
    return { type: "number", min: field.minimum, max: field.maximum, ...(field.type === "integer" ? { integer: true } : {}) };
  }
  if (field.type !== "string" || !("format" in field || "minLength" in field || "maxLength" in field)) return { type: "text" };
  const { format, minLength, maxLength } = field;
  if (format === "date") return { type: "date" };
  return { type: "text", format: format === "uri" ? "url" : format, minLength, maxLength };
}

/** A small range of whole numbers from 1 is picked, not typed. */
const isScale = (min: number | undefined, max: number | undefined): boolean => min === 1 && max !== undefined && max >= 2 && max <= 10;

/** With the default as a suggestion, unless the question would not accept it as an answer. */
function suggesting(question: Record<string, unknown>, suggestion: unknown): Record<string, unknown> {
  if (suggestion === undefined) return question;
  const suggested = { ...question, suggestion };
  try {
    parseAsk({ questions: [suggested] }, { ids: { question: () => "" } });
    return suggested;
  } catch {
    return question;
  }
}

function givenValue(field: FormField, answer: Answer | undefined, required: boolean): unknown {
  if (answer === undefined || isSkipped(answer)) return required && field.type === "array" ? [] : undefined;
  const [value] = answer.values;
  switch (field.type) {
    case "array":
      return [...answer.values];
    case "boolean":
      return value === "yes";
    case "number":
    case "integer":
      return Number(value);
    case "string":
      return value !== undefined && "format" in field && field.format === "uri" ? uriOf(value) : value;
  }
}

/** A person enters an address as a browser takes it; a schema's `uri` has only characters of RFC 3986. */
const uriOf = (address: string): string =>
  isUri.test(address) ? address : new URL(address).href.replaceAll(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, encodeURIComponent);
const isUri = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/;
