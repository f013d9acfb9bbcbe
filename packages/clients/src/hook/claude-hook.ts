import type { AskResult } from "@askbox/core";
import { isObject } from "../json.ts";
import { answeredInput, questionsOf } from "./ask-user-question.ts";

/** Claude Code's input for a hook that runs before a tool. */
export interface HookEvent {
  /** `ask_user`'s input, not validated yet. */
  ask: { questions: Record<string, unknown>[] };
  toolInput: unknown;
  cwd: string | undefined;
  agentId: string | undefined;
}

/** Parses a hook's standard input; undefined for every event that is not a question to a person. */
export function readHookEvent(text: string): HookEvent | undefined {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(event) || event["hook_event_name"] !== "PreToolUse" || event["tool_name"] !== "AskUserQuestion") return undefined;
  const { tool_input: toolInput, cwd, agent_id: agentId } = event;
  // Another hook already has the answers.
  if (isObject(toolInput) && isObject(toolInput["answers"]) && Object.keys(toolInput["answers"]).length > 0) return undefined;
  const ask = questionsOf(toolInput);
  if (ask === undefined) return undefined;
  return { ask, toolInput, cwd: typeof cwd === "string" ? cwd : undefined, agentId: typeof agentId === "string" ? agentId : undefined };
}

/** The outcome of the questions. */
export type HookOutcome = { kind: "settled"; result: AskResult } | { kind: "unreached"; why: string };

export interface HookReply {
  hookSpecificOutput: {
    hookEventName: "PreToolUse";
    permissionDecision: "allow" | "deny";
    permissionDecisionReason: string;
    updatedInput?: Record<string, unknown>;
  };
}

/**
 * The hook's output. If undefined, nothing is printed, and Claude Code continues with its own dialog. If it runs without a person there is
 * no dialog, so the model is told why nobody answered. A missing answer is never treated as an answer.
 */
export function hookReply({ toolInput }: HookEvent, outcome: HookOutcome, { headless }: { headless: boolean }): HookReply | undefined {
  if (outcome.kind === "unreached") {
    return headless ? deny(`The person could not be asked: ${outcome.why} Do not take this for an answer.`) : undefined;
  }
  const { result } = outcome;
  if (result.answered) {
    return reply("allow", "A person answered through askbox.", answeredInput(toolInput, result));
  }
  if (result.cancelled) {
    const reason = result.reason === undefined ? "" : ` Their words: ${sentence(result.reason)}`;
    return deny(`The person declined the questions.${reason} Do not proceed as if they had agreed.`);
  }
  if (result.pending && result.askedBack !== undefined) {
    const words = result.askedBack.map(({ text }) => text).join("\n\n");
    return deny(
      `This is not an error: the person asks you something before answering, and nothing is answered yet:\n\n${words}\n\nAsk again with AskUserQuestion, with what they want to know in the question.`,
    );
  }
  return headless ? deny("Nobody answered in time. That is not an answer: take the safe option, or ask again later.") : undefined;
}

const sentence = (words: string): string => (/[.!?…]["'”’)]?$/.test(words.trim()) ? words.trim() : `${words.trim()}.`);

const deny = (reason: string): HookReply => reply("deny", reason);

function reply(permissionDecision: "allow" | "deny", permissionDecisionReason: string, updatedInput?: Record<string, unknown>): HookReply {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision,
      permissionDecisionReason,
      ...(updatedInput !== undefined && { updatedInput }),
    },
  };
}
