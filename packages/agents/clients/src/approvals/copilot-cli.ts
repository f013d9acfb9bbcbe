import { type ApprovalSource, approvalAsk, commandAction, denial } from "@askbox/approvals";
import type { Action } from "@askbox/core";
import { entryName } from "../client.ts";
import { isObject, type JsonObject } from "../json.ts";
import { inputOf, relayedWith, runOf, textOf } from "./tool-event.ts";

/**
 * GitHub Copilot CLI's `permissionRequest` hook. It comes before Copilot's own rules and prompt, also for what they would allow, and its
 * decision is final: what is allowed here runs even if a rule forbids it. So what only reads is left to Copilot, as is everything that
 * nobody decides.
 */
export const copilotCliSource: ApprovalSource = {
  client: "copilot-cli",
  path: "/hooks/copilot-cli",
  read(event) {
    if (!isObject(event) || event["hookName"] !== "permissionRequest") return undefined;
    const conversation = textOf(event["sessionId"], 500);
    const tool = textOf(event["toolName"], 200);
    const input = inputOf(event["toolInput"]);
    if (conversation === undefined || tool === undefined || input === undefined || tool.startsWith(`${entryName}/`)) return undefined;
    const cwd = textOf(event["cwd"], 4_096);
    const { branch, background, folder } = relayedWith(event);
    const action = actionOf(tool, input, cwd);
    if (action.command !== undefined && onlyReads(action.command, cwd)) return undefined;
    return approvalAsk({
      agent: "Copilot CLI",
      conversation,
      branch,
      background,
      agentId: undefined,
      action,
      input,
      run: runOf(tool, input),
      cwd: folder ?? cwd,
      // Copilot CLI 1.0.102 shows its own prompt only after its hooks have ended without a decision; `copilot -p` denies then.
      isHidden: true,
    });
  },
  reply: (_ask, decision) => (decision.kind === "deny" ? { behavior: "deny", message: denial(decision.reason) } : { behavior: "allow" }),
};

const reading = /^(?:ls|pwd|cat|head|tail|wc|grep|rg|find|echo|which|git (?:status|log|diff|show))(?: [^;&|<>`$(){}\\\n\r]*)?$/;
const outside = /(?:^|[\s='"])\/|~|\.\./;

/** One command that Copilot CLI 1.0.102 runs without asking: it reads, and only below the agent's folder. */
const onlyReads = (command: string, cwd: string | undefined): boolean =>
  reading.test(command) && !outside.test(cwd === undefined ? command : command.replaceAll(`${cwd}/`, ""));

function actionOf(tool: string, input: JsonObject, cwd: string | undefined): Action {
  const { command, file_path: path, diff, ...rest } = input;
  const base = { tool, ...(cwd !== undefined && { cwd }) };
  if ((tool === "bash" || tool === "powershell") && typeof command === "string") return commandAction(tool, { ...input, command }, cwd);
  if (tool === "edit" && typeof path === "string" && typeof diff === "string" && diff.trim() !== "") {
    return { kind: "edit", ...base, path, diff, ...(Object.keys(rest).length > 0 && { input: rest }) };
  }
  // `github/create_issue` is a tool of a server.
  const [server, ...name] = tool.split("/");
  return { kind: "tool", ...base, ...(name.length > 0 && { title: `${name.join("/")} of the MCP server ${server}` }), input };
}
