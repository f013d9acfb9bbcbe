import type { FormAsk, FormOutcome } from "@askbox/approvals";
import { parseAsk } from "@askbox/core";
import { questionsOfForm, readForm as readSchema } from "@askbox/elicit/forms";
import { isObject } from "../json.ts";

/** A form that a client passes on, as questions; what can't be shown in full, or whose constraints can't be checked here, stays with the client. */

/** More would be a long way from a form. */
const maxParts = 5;

export interface FormResult {
  action: "accept" | "decline" | "cancel";
  content?: object;
}

/** Undefined if it can't be asked. `word` makes the client's reply of the result. */
export function formAsked(
  title: string,
  schema: unknown,
  word: (result: FormResult, outcome: FormOutcome) => unknown,
): Pick<FormAsk, "parts" | "reply"> | undefined {
  const form = formOf(schema);
  if (form === undefined) return undefined;
  const { parts, content } = questionsOfForm(title, form);
  if (parts.length > maxParts || !parts.every(canBeAsked)) return undefined;
  return {
    parts,
    reply(outcome) {
      const result = resultOf(outcome, content);
      // A required text may have been answered with a file, which a form can't return.
      if (form.required?.some((name) => result.content !== undefined && !Object.hasOwn(result.content, name))) return undefined;
      return word(result, outcome);
    },
  };
}

/** References are no part of MCP's forms, and would make a small schema a large one. */
function formOf(schema: unknown) {
  if (!isObject(schema) || JSON.stringify(schema).includes('"$ref"')) return undefined;
  try {
    return readSchema(schema);
  } catch {
    return undefined;
  }
}

/** Whether questions have room for the form: its names and choices, and a value within its bounds. */
function canBeAsked(part: FormAsk["parts"][number]): boolean {
  try {
    return parseAsk(part, { ids: { question: () => "" } }).questions.length > 0;
  } catch {
    return false;
  }
}

/** As `elicit()` does: a person who gives a reason has decided; one who only closes the form has not. */
function resultOf(outcome: FormOutcome, contentOf: (answers: FormAnswers) => object | undefined): FormResult {
  if (outcome.kind === "cancelled") return { action: outcome.reason === undefined ? "cancel" : "decline" };
  const content = contentOf(outcome.answers);
  return content === undefined ? { action: "decline" } : { action: "accept", content };
}

type FormAnswers = Extract<FormOutcome, { kind: "answered" }>["answers"];
