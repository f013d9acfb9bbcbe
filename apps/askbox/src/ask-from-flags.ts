import { type AskInput, type QuestionTypeName, questionTypes } from "@askbox/core";
import { oneOf, repeated, usageError, wholeNumber } from "./usage.ts";

export interface AskFlags {
  type?: QuestionTypeName;
  option?: string[];
  title?: string;
  timeout?: number;
  placeholder?: string;
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
  timeout: wholeNumber("--timeout", "of milliseconds"),
};

/** The tool's input from a command line. Throws `VALIDATION`. */
export function askFromFlags(question: string, flags: AskFlags): AskInput {
  const type = flags.type ?? (flags.option === undefined ? "text" : "select");
  const isChoice = type === "select" || type === "multi-select";
  if (!isChoice && flags.option !== undefined) throw usageError(`--option goes with --type select or multi-select, not with ${type}.`);
  if (flags.optional && flags.required) throw usageError("--optional and --required contradict each other; give one.");
  return {
    questions: [
      {
        question,
        type,
        required: flags.optional !== true,
        allowOther: flags.other,
        ...(flags.option === undefined ? {} : { options: flags.option }),
        ...(flags.placeholder === undefined ? {} : { placeholder: flags.placeholder }),
      },
    ],
    ...(flags.title === undefined ? {} : { title: flags.title }),
    ...(flags.timeout === undefined ? {} : { timeout: flags.timeout }),
  };
}
