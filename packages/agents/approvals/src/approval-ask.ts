import type { Action } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import type { ApprovalAsk } from "./approval.ts";

/** What a client asks for. All that is the same for every client is added by `approvalAsk`. */
export interface AskParts extends Pick<ApprovalAsk, "conversation" | "cwd" | "branch" | "background" | "agentId" | "run" | "input"> {
  /** The client's title, for the question. */
  agent: string;
  action: Action;
  /** What the agent wants to do, as in "May Codex apply this patch?"; the default depends on the kind of action. */
  wants?: string | undefined;
  /** What the list shows of it, if it is in none of the action's own parts. */
  subject?: string | undefined;
  /** Whether the client takes changed arguments. Default false. */
  editable?: boolean;
  /** Default false. */
  isHidden?: boolean;
  /** Default false. */
  isPromptTool?: boolean;
  reportedAs?: string | undefined;
}

/** An approval as a person gets it. It can be granted in advance if it belongs to a folder; a plan is approved only once. */
export function approvalAsk(parts: AskParts): ApprovalAsk {
  const { agent, action, wants = wishes[action.kind], subject, editable = false, cwd, reportedAs, ...ask } = parts;
  const { kind, tool = "", command, path, title, text } = action;
  const isPlan = kind === "plan";
  return {
    kind: "ask",
    isHidden: false,
    isPromptTool: false,
    ...ask,
    cwd,
    ...(reportedAs !== undefined && { reportedAs }),
    title: titleOf(tool, command ?? path ?? subject ?? title ?? text ?? ""),
    question: {
      type: "approval",
      question: isPlan ? "Is this plan what you want?" : `May ${agent} ${wants}?`,
      action,
      grants: isPlan || cwd === undefined ? [] : ["session", "project"],
      editable,
    },
  };
}

const wishes: Readonly<Record<Action["kind"], string>> = {
  command: "run this command",
  edit: "change this file",
  fetch: "fetch this address",
  tool: "use this tool",
  plan: "do this",
  other: "do this",
};

/** For lists and notifications: one line, limited to the contract's length. */
function titleOf(tool: string, what: string): string {
  const line = `${tool}: ${what}`.replace(/\s+/g, " ").trim();
  return cut(line, 100);
}

/** A shell command. The agent's description is shown as its words, and is not part of what runs. */
export function commandAction(
  tool: string,
  input: Readonly<Record<string, unknown>> & { command: string },
  cwd: string | undefined,
): Action {
  const { description, ...run } = input;
  const base = { kind: "command", tool, command: input.command, ...(cwd !== undefined && { cwd }) } as const;
  if (typeof description !== "string") return { ...base, input };
  return { ...base, ...(description !== "" && { title: description }), input: run };
}
