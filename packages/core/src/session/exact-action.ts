import { canonicalJson, exactMembers, parseAskJson } from "../exact-json.ts";
import { type Action, actionSchema } from "./questions/schemas.ts";

/**
 * Reads an action, which may be JSON text, and makes its `input` agree with its `inputJson`, which it keeps only if `input` cannot hold the
 * arguments exactly. Returns what is not an action unchanged, to be rejected.
 */
export function readAction(sent: unknown): unknown {
  const action = typeof sent === "string" ? parsed(sent) : sent;
  if (typeof action !== "object" || action === null || !("inputJson" in action)) return action;
  const { inputJson, ...rest } = action;
  const exact = typeof inputJson === "string" ? exactMembers(inputJson) : undefined;
  if (exact === undefined) return action;
  const input = actionSchema.shape.input.parse(JSON.parse(String(inputJson)));
  return { ...rest, input, ...(canonicalJson(exact) !== canonicalJson(JSON.parse(JSON.stringify(input))) && { inputJson }) };
}

function parsed(text: string): unknown {
  try {
    JSON.parse(text);
    return (parseAskJson(`{"action":${text}}`) as { action: unknown }).action;
  } catch {
    return text;
  }
}

/** What determines whether two actions are equal: all parts but the title, with the exact arguments. */
export function exactAction({ title: _title, inputJson, input, ...action }: Action): Record<string, unknown> {
  return { ...action, input: inputJson === undefined ? input : exactMembers(inputJson) };
}
