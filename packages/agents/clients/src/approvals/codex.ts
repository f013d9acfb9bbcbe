import { type ApprovalSource, commandAction, permissionAsk } from "@askbox/approvals";
import type { Action } from "@askbox/core";
import { isObject, type JsonObject } from "../json.ts";
import { hookOutput, unreachedOutput } from "./permission-hook.ts";
import { inputOf, isOwnTool, relayedWith, runOf, textOf, titleOfTool } from "./tool-event.ts";

/** Codex' `PermissionRequest` hook. It runs before the prompt in the terminal, and Codex kills it when the person presses Esc. */
export const codexSource: ApprovalSource = {
  client: "codex",
  path: "/hooks/codex",
  read(event) {
    if (!isObject(event) || event["hook_event_name"] !== "PermissionRequest") return undefined;
    const conversation = textOf(event["session_id"], 500);
    const tool = textOf(event["tool_name"], 200);
    const input = inputOf(event["tool_input"]);
    if (conversation === undefined || tool === undefined || input === undefined || isOwnTool(tool)) return undefined;
    const cwd = textOf(event["cwd"], 4_096);
    const { branch, background, folder } = relayedWith(event);
    const action = actionOf(tool, input, cwd);
    return permissionAsk({
      agent: "Codex",
      conversation,
      branch,
      background,
      agentId: textOf(event["agent_id"], 200),
      action,
      input,
      run: runOf(tool, input),
      // The event has the command's folder, which the agent chooses. Codex runs the hook in the session's folder, to which grants belong.
      cwd: folder ?? cwd,
      // Codex 0.169 prompts in the terminal only after its hooks have ended without a decision. `codex exec` never does.
      isHidden: event["permission_mode"] !== "bypassPermissions",
      wants: action.kind === "edit" ? "apply this patch" : undefined,
      subject: fileOf(action.diff),
    });
  },
  unreached: unreachedOutput,
  reply: (_ask, decision) => hookOutput(decision),
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
