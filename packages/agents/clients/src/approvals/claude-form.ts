import type { FormAsk, FormOutcome } from "@askbox/approvals";
import { parseAsk } from "@askbox/core";
import { questionsOfForm, readForm as readSchema } from "@askbox/elicit/forms";
import { isObject, type JsonObject } from "../json.ts";
import { isOwnServer, relayedWith, textOf } from "./tool-event.ts";

/** More would be a long way from a form. */
const maxParts = 5;

/**
 * A form of an MCP server, from Claude Code's `Elicitation` hook; undefined for one that stays with Claude Code: a page to open, a form of
 * askbox's own server, which the inbox has already, and a schema that can't be shown in full, or whose constraints can't be checked here.
 */
export function readForm(event: JsonObject, conversation: string): FormAsk | undefined {
  const server = textOf(event["mcp_server_name"], 150);
  const { message, mode = "form", requested_schema: schema } = event;
  if (server === undefined || isOwnServer(server) || mode !== "form" || typeof message !== "string") return undefined;
  const form = formOf(schema);
  if (form === undefined) return undefined;
  const title = message.trim() === "" ? `${server} asks you to fill in a form` : `${server} asks: ${message}`;
  const { parts, content } = questionsOfForm(title, form);
  if (parts.length > maxParts || !parts.every(canBeAsked)) return undefined;
  const { branch, background, isAttended } = relayedWith(event);
  return {
    kind: "form",
    conversation,
    cwd: textOf(event["cwd"], 4_096),
    branch,
    background,
    // Not the agent: the answers are for the server, and no other ask of the agent's may get them.
    agentId: `mcp:${server}`,
    // Claude Code 2.1.330 shows its own form only after its hooks. Without a person at it, it shows none and cancels.
    isHidden: isAttended,
    parts,
    reply(outcome) {
      const result = resultOf(outcome, content);
      // A required text may have been answered with a file, which a form can't return.
      if (form.required?.some((name) => result.content !== undefined && !Object.hasOwn(result.content, name))) return undefined;
      return { hookSpecificOutput: { hookEventName: "Elicitation", ...result } };
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

interface FormResult {
  action: "accept" | "decline" | "cancel";
  content?: object;
}

type FormAnswers = Extract<FormOutcome, { kind: "answered" }>["answers"];
