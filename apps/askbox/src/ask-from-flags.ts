import type { AskInput } from "@askbox/core";
import { type QuestionTypeName, questionFields, questionFlags, questionTypes } from "@askbox/core/questions";
import { Option } from "commander";
import { oneOf, repeated, timeoutFlag, usageError, wholeNumber } from "./usage.ts";

export interface AskFlags {
  option?: string[];
  image?: string[];
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
  timeout: timeoutFlag,
};

/** The question fields that can be set by a flag, and the name under which the flag is read. */
const fieldFlags: readonly { field: string; name: string; flag: string }[] = [
  { field: "options", name: "option", flag: "--option" },
  { field: "images", name: "image", flag: "--image" },
  ...Object.keys(questionFlags).map((field) => ({ field, name: field, flag: flagOf(field) })),
];

/** A flag for each type-specific field. */
export function fieldOptions(): Option[] {
  return Object.entries(questionFlags).map(([field, { value, about, counts, words }]) => {
    const flag = flagOf(field);
    const option = new Option(value === undefined ? flag : `${flag} <${value}>`, about);
    if (counts !== undefined) option.argParser(wholeNumber(flag, counts));
    if (words !== undefined) option.argParser(oneOf(flag, words));
    return option;
  });
}

function flagOf(field: string): string {
  return `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Whether any flag describes the question. */
export function describesQuestion(flags: AskFlags): boolean {
  // keys: the flags of this command.
  const values: Readonly<Record<string, unknown>> = { ...flags };
  return flags.type !== undefined || !flags.other || flags.optional === true || fieldFlags.some(({ name }) => values[name] !== undefined);
}

/** Builds the tool's input from a command line. Throws `VALIDATION`. */
export function askFromFlags(question: string, flags: AskFlags): AskInput {
  const type = flags.type ?? (flags.option === undefined ? "text" : "select");
  if (flags.optional && flags.required) throw usageError("--optional and --required contradict each other; give one.");
  const asked = { question, type, required: flags.optional !== true, allowOther: flags.other, ...fieldsOf(flags, type) };
  return {
    // `parseAsk` validates its contents.
    questions: [asked as AskInput["questions"][number]],
    title: flags.title,
    timeout: flags.timeout,
  };
}

function fieldsOf(flags: AskFlags, type: QuestionTypeName): Record<string, unknown> {
  // keys: the flags of this command.
  const values: Readonly<Record<string, unknown>> = { ...flags };
  // keys: the fields of a question, which the core names.
  const fields: Record<string, unknown> = {};
  for (const { field, name, flag } of fieldFlags) {
    const value = values[name];
    if (value === undefined) continue;
    // Ignoring a hint does no harm; ignoring a limit would.
    if (field !== "placeholder" && !questionFields[type].includes(field)) throw misplaced(flag, field, type);
    fields[field] = field === "images" ? (flags.image ?? []).map(imageOf) : value;
  }
  return fields;
}

/** `PATH`, or `PATH=what it shows`. */
function imageOf(flag: string): { src: string; alt?: string } {
  const [, src = flag, alt] = /^([^=]+)=(.*)$/s.exec(flag) ?? [];
  return { src, ...(alt && { alt }) };
}

function misplaced(flag: string, field: string, type: QuestionTypeName): Error {
  const takers = questionTypes.filter((name) => questionFields[name].includes(field));
  return usageError(`${flag} goes with --type ${takers.join(" or ")}, not with ${type}.`);
}
