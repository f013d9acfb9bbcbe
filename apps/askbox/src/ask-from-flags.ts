import { type AskInput, type QuestionTypeName, questionFields, questionTypes, textFormats } from "@askbox/core";
import { oneOf, repeated, usageError, wholeNumber } from "./usage.ts";

/** Flags that become a question's field of their name, where its type has one. */
export interface FieldFlags {
  option?: string[];
  placeholder?: string;
  format?: string;
  min?: string;
  max?: string;
  integer?: boolean;
  unit?: string;
  minLength?: number;
  maxLength?: number;
  minChoices?: number;
  maxChoices?: number;
  minLabel?: string;
  maxLabel?: string;
  suggestion?: string;
}

export interface AskFlags extends FieldFlags {
  type?: QuestionTypeName;
  title?: string;
  timeout?: number;
  optional?: boolean;
  required?: boolean;
  other: boolean;
  key?: string;
  file?: string;
  json?: boolean;
}

export const askFlags = {
  type: oneOf("--type", questionTypes),
  option: repeated,
  format: oneOf("--format", textFormats),
  characters: (flag: string) => wholeNumber(flag, "of characters"),
  choices: (flag: string) => wholeNumber(flag, "of choices"),
  timeout: wholeNumber("--timeout", "of milliseconds"),
};

const fieldFlags: Readonly<Record<keyof FieldFlags, { flag: string; field: string }>> = {
  option: { flag: "--option", field: "options" },
  placeholder: { flag: "--placeholder", field: "placeholder" },
  format: { flag: "--format", field: "format" },
  min: { flag: "--min", field: "min" },
  max: { flag: "--max", field: "max" },
  integer: { flag: "--integer", field: "integer" },
  unit: { flag: "--unit", field: "unit" },
  minLength: { flag: "--min-length", field: "minLength" },
  maxLength: { flag: "--max-length", field: "maxLength" },
  minChoices: { flag: "--min-choices", field: "minChoices" },
  maxChoices: { flag: "--max-choices", field: "maxChoices" },
  minLabel: { flag: "--min-label", field: "minLabel" },
  maxLabel: { flag: "--max-label", field: "maxLabel" },
  suggestion: { flag: "--suggestion", field: "suggestion" },
};

/** Whether a flag describes the question. */
export function describesQuestion(flags: AskFlags): boolean {
  const fields = Object.keys(fieldFlags) as (keyof FieldFlags)[];
  return flags.type !== undefined || !flags.other || flags.optional === true || fields.some((name) => flags[name] !== undefined);
}

/** The tool's input from a command line. Throws `VALIDATION`. */
export function askFromFlags(question: string, flags: AskFlags): AskInput {
  const type = flags.type ?? (flags.option === undefined ? "text" : "select");
  if (flags.optional && flags.required) throw usageError("--optional and --required contradict each other; give one.");
  const asked = { question, type, required: flags.optional !== true, allowOther: flags.other, ...fieldsOf(flags, type) };
  return {
    // What is in it is for `parseAsk` to check.
    questions: [asked as AskInput["questions"][number]],
    title: flags.title,
    timeout: flags.timeout,
  };
}

function fieldsOf(flags: FieldFlags, type: QuestionTypeName): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, { flag, field }] of Object.entries(fieldFlags)) {
    const value = flags[name as keyof FieldFlags];
    if (value === undefined) continue;
    // A hint in a field that is not there does no harm; a limit that nothing keeps would.
    if (field !== "placeholder" && !questionFields[type].includes(field)) throw misplaced(flag, field, type);
    fields[field] = value;
  }
  return fields;
}

function misplaced(flag: string, field: string, type: QuestionTypeName): Error {
  const takers = questionTypes.filter((name) => questionFields[name].includes(field));
  return usageError(`${flag} goes with --type ${takers.join(" or ")}, not with ${type}.`);
}
