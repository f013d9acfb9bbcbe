import { isObject } from "../json.ts";
import { isOwnTool } from "./tool-event.ts";

/** What Claude Code's `--permission-prompt-tool` passes to the tool. */
export interface PromptCall {
  tool_name: string;
  /** From `parseExact`, so that no argument is changed. */
  input: Record<string, unknown>;
}

/** The working folder of a prompt tool's server, which Claude Code's calls don't include. */
export interface PromptPlace {
  conversation: string;
  cwd: string | undefined;
  branch: string | undefined;
}

/** The result that Claude Code expects: one text block with this as JSON. */
export type PromptResult = { behavior: "allow"; updatedInput: Record<string, unknown> } | { behavior: "deny"; message: string };

/** The decision if no person is needed; undefined if a person decides. */
export function promptWithoutPerson({ tool_name: tool, input }: PromptCall): PromptResult | undefined {
  // Its answers come from the hook, which runs first. Allowing it without them would tell the agent that the person gave none.
  if (tool === "AskUserQuestion")
    return {
      behavior: "deny",
      message:
        "Nobody sees this question here, so it was not asked. Ask it with askbox's ask_user tool if you have it; otherwise put it in your reply and stop.",
    };
  return isOwnTool(tool) ? { behavior: "allow", updatedInput: input } : undefined;
}

/** The event that the `PermissionRequest` hook would send for the same. */
export const promptEvent = ({ tool_name, input }: PromptCall, { conversation, cwd, branch }: PromptPlace): object => ({
  hook_event_name: "PermissionRequest",
  session_id: conversation,
  cwd,
  tool_name,
  tool_input: input,
  askbox: { branch, isPromptTool: true },
});

/** Parses the hub's response to that event. Everything but an `allow` denies. */
export function promptResult({ input }: PromptCall, answer: unknown): PromptResult {
  const { hookSpecificOutput } = Object(answer) as { hookSpecificOutput?: unknown };
  const { decision } = Object(hookSpecificOutput) as { decision?: unknown };
  const { behavior, message, updatedInput } = Object(decision) as Record<string, unknown>;
  if (behavior === "allow") return { behavior, updatedInput: isObject(updatedInput) ? updatedInput : input };
  return {
    behavior: "deny",
    message: typeof message === "string" && message !== "" ? message : "Nobody decided this in askbox, so it was not allowed.",
  };
}
