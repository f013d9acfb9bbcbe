import { textFormats } from "./constants.ts";
import type { QuestionInput, QuestionInputBase } from "./schemas.ts";

/** How a field of a type is passed to `askbox ask`. */
export interface FieldFlag {
  /** The placeholder for its value in the help; a flag without one is a switch. */
  value?: string;
  about: string;
  /** The unit it counts; its value is then a whole number. */
  counts?: string;
  /** The only valid values. */
  words?: readonly string[];
}

type FieldsOf<Input> = Input extends unknown ? keyof Input : never;
/**
 * The fields that are specific to some types; `options` and `allowOther` have flags that all choices share. What an agent offers to remember
 * has no meaning to a script.
 */
type OwnField = Exclude<FieldsOf<QuestionInput>, keyof QuestionInputBase | "type" | "options" | "allowOther" | "agentOptions">;

// Not beside the types, which every page loads; only the CLI needs these texts.
/** The flags of `askbox ask`, by field. A field of several types is explained for each. */
export const questionFlags: Readonly<Record<string, FieldFlag>> = /* @__PURE__ */ Object.freeze({
  placeholder: { value: "text", about: "shown in the empty field" },
  format: { value: "format", about: `what a text must be: ${textFormats.join(", ")}`, words: textFormats },
  minLength: { value: "count", about: "the minimum number of characters of a text", counts: "of characters" },
  maxLength: { value: "count", about: "the maximum number of characters of a text", counts: "of characters" },
  suggestion: { value: "value", about: "a suggested answer that the person can accept with one key; it is never filled in" },
  minChoices: { value: "count", about: "the minimum number of options of a multi-select", counts: "of choices" },
  maxChoices: { value: "count", about: "the maximum number of options of a multi-select", counts: "of choices" },
  min: { value: "value", about: "the minimum number, or the earliest date as YYYY-MM-DD" },
  max: { value: "value", about: "the maximum number, the latest date, or the highest rating" },
  integer: { about: "accept whole numbers only" },
  unit: { value: "text", about: "what a number counts or measures" },
  minLabel: { value: "text", about: "what a rating of 1 means" },
  maxLabel: { value: "text", about: "what the highest rating means" },
  action: { value: "json", about: "what to allow, as a JSON object such as {kind, command, cwd}" },
  grants: { value: "scopes", about: "the grants that the person may choose: session, project, or both with a comma" },
  document: { value: "text", about: "what to review: markdown or a unified diff" },
  accept: { value: "types", about: "the media types of the files that are accepted, such as image/* or application/pdf, with commas" },
  maxFiles: { value: "count", about: "the most files, up to 20", counts: "of files" },
  maxBytes: { value: "count", about: "the most bytes of a file", counts: "of bytes" },
  editable: { about: "the person may change the arguments" },
  denial: { value: "json", about: "who has denied the action already, as a JSON object such as {reviewer, reason, risk}" },
} satisfies Record<OwnField, FieldFlag>);
