import type { QuestionInputBase } from "./question-type.ts";
import { textFormats } from "./text-format.ts";
import type { QuestionInput } from "./types.ts";

/** How a field of a type is given to `askbox ask`. */
export interface FieldFlag {
  /** What stands for its value in the help; a flag without one is a switch. */
  value?: string;
  about: string;
  /** What it counts; its value is then a whole number. */
  counts?: string;
  /** The only values that are taken. */
  words?: readonly string[];
}

type FieldsOf<Input> = Input extends unknown ? keyof Input : never;
/** The fields that some types have of their own; `options` and `allowOther` have flags that all choices share. */
type OwnField = Exclude<FieldsOf<QuestionInput>, keyof QuestionInputBase | "type" | "options" | "allowOther">;

// Not beside the types, which every page loads; only the command needs these texts.
/** The flags of `askbox ask`, by the field they fill in. A field that several types have is explained for each. */
export const questionFlags: Readonly<Record<string, FieldFlag>> = /* @__PURE__ */ Object.freeze({
  placeholder: { value: "text", about: "shown in the empty field" },
  format: { value: "format", about: `what a text must be: ${textFormats.join(", ")}`, words: textFormats },
  minLength: { value: "count", about: "the minimum number of characters of a text", counts: "of characters" },
  maxLength: { value: "count", about: "the most characters of a text", counts: "of characters" },
  suggestion: { value: "value", about: "an answer that the person may take over by one key; it is never filled in" },
  minChoices: { value: "count", about: "the least options of a multi-select", counts: "of choices" },
  maxChoices: { value: "count", about: "the most options of a multi-select", counts: "of choices" },
  min: { value: "value", about: "the least number, or the first date as YYYY-MM-DD" },
  max: { value: "value", about: "the most, the last date, or the highest rating" },
  integer: { about: "take whole numbers only" },
  unit: { value: "text", about: "what a number counts or measures" },
  minLabel: { value: "text", about: "what a rating of 1 means" },
  maxLabel: { value: "text", about: "what the highest rating means" },
  action: { value: "json", about: "what is to be allowed, as a JSON object such as {kind, command, cwd}" },
  grants: { value: "scopes", about: "what it may be allowed for beyond this once: session, project, or both with a comma" },
  editable: { about: "the arguments may be changed by the person who allows it" },
} satisfies Record<OwnField, FieldFlag>);
