import type { Answer, AnswerSet, Question, QuestionOf } from "@askbox/core";
import { cut, decimalOf, expectedAnswer, offeredOptions, takesOther, traitsOf } from "@askbox/core/questions";
import type { FormField, FormSchema } from "./form-schema.ts";

/** Questions as a form of the client's own. */
export interface QuestionsForm {
  message: string;
  form: FormSchema;
  /** Converts the form's content to answers, which still need validation. */
  answers(content: unknown): AnswerSet;
}

/** Options for converting questions to a form. */
export interface QuestionsFormOptions {
  title?: string | undefined;
  /** Whether the client's revision supports lists and titled choices; 2025-06-18 supports neither. */
  lists: boolean;
}

interface NamedField {
  name: string;
  field: FormField;
  required?: boolean;
}

/** How one question becomes fields, and how their content is read. */
interface Part {
  fields: NamedField[];
  read(content: Readonly<Record<string, unknown>>): Answer;
}

/** Maximum length of a field's title; clients show it on one line. */
const titleLength = 60;

/**
 * All questions of a session in one form; undefined if one of them cannot be answered in a form. Nothing is prefilled: an agent's
 * suggestion is shown in words. Other is a separate field; so is a remark, which is the note of a single question or the comment on
 * several.
 */
export function formOfQuestions(questions: readonly Question[], { title, lists }: QuestionsFormOptions): QuestionsForm | undefined {
  if (!questions.every(fitsForm)) return undefined;
  const taken = new Set(questions.map(({ id }) => id));
  const named = (wanted: string) => {
    let name = wanted;
    while (taken.has(name)) name += "_";
    taken.add(name);
    return name;
  };
  const parts = questions.map((question) => partOf(question, named, lists));
  const [only] = questions.length === 1 ? questions : [];
  const remark = named(only === undefined ? "comment" : "note");
  const remarkField: NamedField = {
    name: remark,
    field: { type: "string", title: only === undefined ? "Comment" : "Note", description: "Optional: anything you want to add." },
  };
  const fields = [...parts.flatMap((part) => part.fields), remarkField];
  const keys = sortedKeys(fields.map(({ name }) => name));
  const properties = fields.map(({ field }, index) => [keys[index], field] as const);
  const required = keys.filter((_key, index) => fields[index]?.required);
  return {
    message: title ?? only?.question ?? "Please answer these questions.",
    form: {
      type: "object",
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
    },
    answers(content) {
      const filled: Record<string, unknown> = { ...Object(content) };
      const values = Object.fromEntries(fields.map(({ name }, index) => [name, valueIn(filled, keys[index] ?? name)]));
      const answers = parts.map((part) => part.read(values));
      const said = textIn(values, remark);
      if (said === undefined) return { answers };
      if (only === undefined) return { answers, comment: said };
      return { answers: answers.map((answer) => ({ ...answer, note: said })) };
    },
  };
}

/** Whether a form can represent the whole answer: a question of an unknown type would be answered only in part. */
function fitsForm(question: Question): boolean {
  const { formField, picks, readFirst } = traitsOf(question);
  // A decision that only a person may make is not accepted from the asker's side.
  return formField !== undefined || (picks !== undefined && picks !== "decision" && !readFirst);
}

/** Some clients (Codex 0.169) sort the fields by key: if that would change the order of the questions, keys begin with a number. */
function sortedKeys(names: string[]): string[] {
  const isSorted = names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name);
  const digits = String(names.length).length;
  return isSorted ? names : names.map((name, index) => `${String(index + 1).padStart(digits, "0")}_${name}`);
}

function partOf(question: Question, named: (wanted: string) => string, lists: boolean): Part {
  const { id, required } = question;
  const { formField, picks } = traitsOf(question);
  if (picks === "order") return orderPart(question, named, lists);
  if (formField === undefined) return optionsPart(question, named, lists);
  const { type, ...limits } = formField;
  const read = type === "string" ? textIn : numberIn;
  return {
    fields: [{ name: id, field: { type, ...wordsOf(question), ...limits } as FormField, required }],
    read: (content) => ({ questionId: id, values: [read(content, id)].flatMap((value) => (value === undefined ? [] : [value])) }),
  };
}

/** A single choice for each rank, since forms cannot be ordered. Validating the answer catches duplicates. */
function orderPart(question: Question, named: (wanted: string) => string, lists: boolean): Part {
  const { id, required } = question;
  const words = wordsOf(question);
  const options = offeredOptions(question);
  const ranks = options.map((_option, index): NamedField => {
    const end = ` (${index + 1} of ${options.length})`;
    const title = `${cut(words.title, titleLength - end.length)}${end}`;
    return { name: named(`${id}_${index + 1}`), field: oneOfField({ ...words, title }, options, lists), required };
  });
  return {
    fields: ranks,
    read: (content) => ({ questionId: id, values: ranks.flatMap(({ name }) => textIn(content, name) ?? []) }),
  };
}

/** How the options of a question become fields, and which of them the content picks. */
interface PickedOptions {
  fields: NamedField[];
  values(content: Readonly<Record<string, unknown>>): string[];
}

function optionsPart(question: Question, named: (wanted: string) => string, lists: boolean): Part {
  const { id, required } = question;
  const isOne = traitsOf(question).picks === "one";
  const hasOther = takesOther(question);
  const picked = (isOne ? oneField : lists ? listField : boxes)(question, named, lists);
  const other = hasOther ? named(`${id}_other`) : undefined;
  const otherField = (name: string): NamedField => ({
    name,
    field: {
      type: "string",
      title: `${cut(question.header ?? question.question, titleLength - 8)}: Other`,
      description: `Your own words${isOne ? ", instead of a choice above" : ", beside or instead of the choices above"}.`,
    },
  });
  return {
    fields: [
      ...picked.fields.map((field) => ({ ...field, required: required && !hasOther && field.required !== false })),
      ...(other === undefined ? [] : [otherField(other)]),
    ],
    read(content) {
      const customText = other === undefined ? undefined : textIn(content, other);
      return { questionId: id, values: picked.values(content), customText };
    },
  };
}

/** A single-choice list: an untouched checkbox for yes or no would mean no. */
function oneField(question: Question, _named: (wanted: string) => string, lists: boolean): PickedOptions {
  const { id } = question;
  const options = offeredOptions(question);
  return {
    fields: [{ name: id, field: oneOfField(wordsOf(question), options, lists) }],
    values(content) {
      const value = valueIn(content, id);
      // Some clients show a checkbox anyway.
      if (typeof value === "boolean")
        return options.flatMap((option) => (option.shortcut === (value ? "yes" : "no") ? [option.value] : []));
      return [textIn(content, id)].flatMap((text) => (text === undefined ? [] : [text]));
    },
  };
}

function listField(question: Question): PickedOptions {
  const { id, required } = question;
  const options = offeredOptions(question);
  const { minChoices, maxChoices } = question as Pick<QuestionOf<"multi-select">, "minChoices" | "maxChoices">;
  const field: FormField = {
    type: "array",
    ...wordsOf(question),
    items: options.every(({ label, value }) => label === value)
      ? { type: "string", enum: options.map(({ value }) => value) }
      : { anyOf: options.map(({ value, label }) => ({ const: value, title: label })) },
    // Other counts as a choice, and an optional question may be skipped, so the form cannot have a minimum.
    ...(takesOther(question) || !required ? {} : { minItems: Math.max(1, minChoices ?? 1) }),
    maxItems: maxChoices,
  };
  return { fields: [{ name: id, field }], values: (content) => [valueIn(content, id) ?? []].flat().map(String) };
}

/** A checkbox for each option, for revisions without lists. */
function boxes(question: Question, named: (wanted: string) => string): PickedOptions {
  const { description } = wordsOf(question);
  const names = offeredOptions(question).map((option) => ({ option, name: named(`${question.id}_${option.value}`) }));
  return {
    fields: names.map(({ option, name }) => ({ name, field: { type: "boolean", title: option.label, description }, required: false })),
    values: (content) => names.flatMap(({ option, name }) => (valueIn(content, name) === true ? [option.value] : [])),
  };
}

interface Words {
  title: string;
  description: string;
}

/** What a person needs to know to answer, in words, since forms have no field for it. */
function wordsOf(question: Question): Words {
  const lines = [question.question, `(${expectedAnswer(question)}${question.required ? "" : "; may be left empty"})`];
  if ("options" in question) {
    for (const { label, description, recommended } of question.options) {
      if (description !== undefined || recommended) {
        lines.push(
          [`- ${label}`, ...(recommended ? ["(recommended)"] : []), ...(description === undefined ? [] : [`– ${description}`])].join(" "),
        );
      }
    }
  }
  if ("suggestion" in question && question.suggestion !== undefined) lines.push(`Suggested: ${question.suggestion}`);
  return { title: cut(question.header ?? question.question, titleLength), description: lines.join("\n") };
}

function oneOfField(words: Words, options: readonly { value: string; label: string }[], lists: boolean): FormField {
  if (options.every(({ label, value }) => label === value)) return { type: "string", ...words, enum: options.map(({ value }) => value) };
  if (lists) return { type: "string", ...words, oneOf: options.map(({ value, label }) => ({ const: value, title: label })) };
  return { type: "string", ...words, enum: options.map(({ value }) => value), enumNames: options.map(({ label }) => label) };
}

/** The text under a name; undefined if blank. Clients send empty strings for untouched fields. */
function textIn(content: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = valueIn(content, name);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function numberIn(content: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = valueIn(content, name);
  return typeof value === "number" ? decimalOf(value) : textIn(content, name);
}

const valueIn = (content: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(content, name) ? content[name] : undefined;
