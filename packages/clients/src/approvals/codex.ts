import type { Action } from "@askbox/core";
import { isObject, type JsonObject } from "../json.ts";
import { type ApprovalDoor, denial } from "./approval-door.ts";
import { commandAction, inputOf, isOwnTool, runOf, textOf, titleOf, titleOfTool } from "./tool-event.ts";

/** Codex' `PermissionRequest` hook. It runs before the prompt in the terminal, and Codex kills it when the person presses Esc. */
export const codexDoor: ApprovalDoor = {
  client: "codex",
  path: "/hooks/codex",
  read(event) {
    if (!isObject(event) || event["hook_event_name"] !== "PermissionRequest") return undefined;
    const conversation = textOf(event["session_id"], 500);
    const tool = textOf(event["tool_name"], 200);
    const input = inputOf(event["tool_input"]);
    if (conversation === undefined || tool === undefined || input === undefined || isOwnTool(tool)) return undefined;
    const cwd = textOf(event["cwd"], 4_096);
    const { branch, folder } = isObject(event["askbox"]) ? event["askbox"] : {};
    // The event has the command's folder, which the agent chooses. Codex runs the hook in the session's folder, to which grants belong.
    const project = textOf(folder, 4_096) ?? cwd;
    const action = actionOf(tool, input, cwd);
    return {
      kind: "ask",
      ...{ conversation, cwd: project, agentId: textOf(event["agent_id"], 200), branch: textOf(branch, 500) },
      // Codex 0.169 prompts in the terminal only after its hooks have ended without a decision. `codex exec` never does.
      isHidden: event["permission_mode"] !== "bypassPermissions",
      isPromptTool: false,
      run: runOf(tool, input),
      title: titleOf(tool, action.command ?? fileOf(action.diff) ?? action.title ?? ""),
      question: {
        ...{ type: "approval", question: questions[action.kind], action },
        grants: project === undefined ? [] : ["session", "project"],
        // Codex accepts no changed arguments.
        editable: false,
      },
      input,
    };
  },
  // Codex ignores a decision with any other field.
  unreached: (why) => ({ systemMessage: `askbox: ${why} This request is not in the inbox.` }),
  reply: (_ask, decision) => ({
    hookSpecificOutput: {
      hookEventName: "PermissionRequest",
      decision: decision.kind === "deny" ? { behavior: "deny", message: denial(decision.reason) } : { behavior: "allow" },
    },
  }),
};

const questions: Partial<Record<Action["kind"], string>> = {
  command: "May Codex run this command?",
  edit: "May Codex apply this patch?",
  tool: "May Codex use this tool?",
};

function actionOf(tool: string, input: JsonObject, cwd: string | undefined): Action {
  const { command, ...rest } = input;
  const base = { tool, ...(cwd !== undefined && { cwd }) };
  if (tool === "Bash" && typeof command === "string") return commandAction(tool, { ...input, command }, cwd);
  if (tool === "apply_patch" && typeof command === "string") {
    return { kind: "edit", ...base, diff: command, ...(Object.keys(rest).length > 0 && { input: rest }) };
  }
  return { kind: "tool", ...base, ...titleOfTool(tool), input };
}

/** The first file that a patch names. */
const fileOf = (patch: string | undefined): string | undefined => /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch ?? "")?.[1];
