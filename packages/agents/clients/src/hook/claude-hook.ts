import type { AskResult, EarlierResult } from "@askbox/core";
import { cut, messageText } from "@askbox/core/questions";
import { textOf } from "../approvals/tool-event.ts";
import { isObject } from "../json.ts";

/**
 * Reads what a hook of Claude Code gets, and words what it prints. Its question tool becomes questions to people, and their answers become
 * the tool's input; what isn't understood is left to Claude Code's own prompt.
 */

/** Claude Code's input for a hook that runs before a tool. */
export interface HookEvent {
  /** `ask_user`'s input, not validated yet. */
  ask: { questions: Record<string, unknown>[] };
  toolInput: unknown;
  cwd: string | undefined;
  /** Claude Code's id of the conversation. */
  conversation: string | undefined;
  agentId: string | undefined;
  /** The file of what was said and done, which the client writes. */
  transcript: unknown;
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
  const { tool_input: toolInput, cwd, agent_id: agentId, session_id: conversation, transcript_path: transcript } = event;
  // Another hook already has the answers.
  if (isObject(toolInput) && isObject(toolInput["answers"]) && Object.keys(toolInput["answers"]).length > 0) return undefined;
  const ask = questionsOf(toolInput);
  if (ask === undefined) return undefined;
  return { ask, toolInput, cwd: textOf(cwd, 4_096), conversation: textOf(conversation, 500), agentId: textOf(agentId, 200), transcript };
}

/** The outcome of the questions. `earlier`: they were not asked, since the questions that they were to replace are settled. */
export type HookOutcome =
  | { kind: "settled"; result: AskResult }
  | { kind: "earlier"; result: EarlierResult }
  | { kind: "unreached"; why: string };

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
  if (outcome.kind === "earlier" && outcome.result.answered) return deny(earlierWords(outcome.result));
  const { result } = outcome;
  if (result.answered) {
    return reply("allow", "A person answered through askbox.", answeredInput(toolInput, result));
  }
  if (result.cancelled) {
    const reason = result.reason === undefined ? "" : ` Their words: ${sentence(result.reason)}`;
    return deny(`The person declined the questions.${reason} Do not proceed as if they had agreed.`);
  }
  if (result.pending && result.askedBack !== undefined) {
    const words = result.askedBack.map(messageText).join("\n\n");
    return deny(
      `This is not an error: the person asks you something before answering, and nothing is answered yet:\n\n${words}\n\nAsk again with AskUserQuestion, with what they want to know in the question.`,
    );
  }
  return headless ? deny("Nobody answered in time. That is not an answer: take the safe option, or ask again later.") : undefined;
}

/** What was answered are other questions than those of this call, so it is told in words. */
function earlierWords({ questions, answers, comment }: EarlierResult): string {
  const lines = questions.map(({ id, question }) => {
    const { values = [], customText, note } = answers.find(({ questionId }) => questionId === id) ?? {};
    return `- ${question} ${[...values, customText, note].filter((text) => text !== undefined && text !== "").join(", ")}`;
  });
  const said = [...lines, ...(comment === undefined ? [] : [`Their comment: ${comment}`])].join("\n");
  return `This is not an error: the person answered your earlier questions before these arrived, so these were not asked.\n\n${said}\n\nAsk again if that is not enough.`;
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

/** The relevant part of the input of Claude Code's `AskUserQuestion`. It may contain anything, since a model wrote it. */
interface Asked {
  question: string;
  header?: string;
  options: { label: string; description?: string; preview?: string }[];
  multiSelect: boolean;
}

/** The contract's own limit; longer text is shown shortened, and answered under its full text. */
const maxQuestionLength = 1_000;

const idOf = (index: number) => `question-${index + 1}`;

/** The tool's questions as `ask_user`'s input. Undefined if they are not understood. */
export function questionsOf(toolInput: unknown): { questions: Record<string, unknown>[] } | undefined {
  const asked = read(toolInput);
  if (asked.length === 0) return undefined;
  return {
    questions: asked.map(({ question, header, options, multiSelect }, index) => ({
      id: idOf(index),
      question: cut(question, maxQuestionLength),
      ...(header !== undefined && { header }),
      ...(options.length === 0 ? { type: "text" } : { type: multiSelect ? "multi-select" : "select", options }),
    })),
  };
}

/**
 * The tool's input with a person's answers, as Claude Code expects them from a hook: by the question's text, several choices joined by
 * commas. Questions with the same text share an entry.
 */
export function answeredInput(toolInput: unknown, { answers, comment }: AskResult): Record<string, unknown> {
  const texts = new Map<string, string>();
  const annotations = new Map<string, { preview?: string; notes?: string }>();
  for (const [index, { question, options }] of read(toolInput).entries()) {
    const answer = answers.find(({ questionId }) => questionId === idOf(index));
    if (answer === undefined) continue;
    const words = [...answer.values, ...(answer.customText === undefined ? [] : [answer.customText])].join(", ");
    const present = texts.get(question);
    if (words !== "") texts.set(question, present === undefined ? words : `${present}; ${words}`);
    const preview = answer.values.length === 1 ? options.find(({ label }) => label === answer.values[0])?.preview : undefined;
    const notes = [answer.note, index === 0 ? comment : undefined].filter((note) => note !== undefined && note !== "").join("\n");
    if (preview !== undefined || notes !== "") {
      annotations.set(question, { ...(preview !== undefined && { preview }), ...(notes !== "" && { notes }) });
    }
  }
  return {
    ...(isObject(toolInput) ? toolInput : {}),
    answers: Object.fromEntries(texts),
    ...(annotations.size > 0 && { annotations: Object.fromEntries(annotations) }),
  };
}

function read(toolInput: unknown): Asked[] {
  const { questions } = Object(toolInput) as { questions?: unknown };
  const list: unknown = typeof questions === "string" ? parsed(questions) : questions;
  if (!Array.isArray(list)) return [];
  return list.slice(0, 10).flatMap((item: unknown) => {
    const { question, header, options, multiSelect } = Object(item) as Record<string, unknown>;
    if (typeof question !== "string" || question.trim() === "") return [];
    const known = new Set<string>();
    const choices = (Array.isArray(options) ? options : []).flatMap((option: unknown) => {
      const { label, description, preview } = (typeof option === "string" ? { label: option } : Object(option)) as Record<string, unknown>;
      // Duplicate choices count once.
      if (typeof label !== "string" || label.trim() === "" || known.has(label)) return [];
      known.add(label);
      return [{ label, ...(typeof description === "string" && { description }), ...(typeof preview === "string" && { preview }) }];
    });
    return [{ question, ...(typeof header === "string" && { header }), options: choices, multiSelect: multiSelect === true }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
