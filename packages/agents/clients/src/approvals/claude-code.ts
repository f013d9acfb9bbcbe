import {
  type ApprovalAsk,
  type ApprovalOver,
  type ApprovalSource,
  approvalAsk,
  commandAction,
  type DeniedCall,
  deniedCall,
  type FormAsk,
  type RanCall,
} from "@askbox/approvals";
import type { Action } from "@askbox/core";
import { editDiff } from "../diff.ts";
import { isObject, type JsonObject } from "../json.ts";
import { formAsked } from "./form.ts";
import {
  claudeEntrypoint,
  hookOutput,
  inputOf,
  isOwnServer,
  isOwnTool,
  relayedWith,
  runOf,
  textOf,
  titleOfTool,
  unreachedOutput,
} from "./tool-event.ts";

/**
 * Claude Code's permission requests and its forms of MCP servers, from its hooks and its prompt tool. What it would do becomes a diff or a
 * command for people, and their decision its reply; what can't be shown completely is left to Claude Code.
 */

/** Claude Code's `PermissionRequest` and `Elicitation` hooks, and the hooks that report that its own prompt was answered. */
export const claudeCodeSource: ApprovalSource = {
  client: "claude-code",
  path: "/hooks/claude-code",
  read(sent, headers) {
    if (!isObject(sent)) return undefined;
    const event: JsonObject = isUnattended(headers) ? { ...sent, askbox: { isAttended: false } } : sent;
    const conversation = textOf(event["session_id"], 500);
    if (conversation === undefined) return undefined;
    switch (event["hook_event_name"]) {
      case "PermissionRequest":
        return readAsk(event, conversation);
      case "Elicitation":
        return readForm(event, conversation);
      case "PermissionDenied":
        return readDenied(event, conversation);
      case "PreToolUse":
        return {
          kind: "call",
          conversation,
          cwd: textOf(event["cwd"], 4_096),
          ask: () => readAsk(event, conversation),
          through: letThrough,
        };
      default:
        return readOver(event, conversation);
    }
  },
  calls(event) {
    const { hook_event_name: name, session_id: conversation } = Object(event) as JsonObject;
    return name === "PreToolUse" ? textOf(conversation, 500) : undefined;
  },
  ran: ({ question, input, run, reportedAs = run }, changed) =>
    changed === undefined || reportedAs !== run ? reportedAs : runOf(toolOf(question), { ...said(input), ...changed } as JsonObject),
  unreached: unreachedOutput,
  reply: ({ question, input }, decision) =>
    hookOutput(decision, decision.kind === "allow" ? updatedInput(question, input, decision.input) : {}),
};

/** An http hook's event doesn't say whether somebody sits at Claude Code. What started it does: `cli` in a terminal, `sdk-cli` for `claude -p`. */
const isUnattended = (headers: Pick<Headers, "get"> | undefined): boolean => headers?.get(claudeEntrypoint.header) === "sdk-cli";

/** A tool that only runs if its arguments are returned to it. */
const echoed = (question: Readonly<Record<string, unknown>>): boolean =>
  isObject(question["action"]) && question["action"]["kind"] === "plan";

const toolOf = ({ action }: Readonly<Record<string, unknown>>): string => (isObject(action) ? String(action["tool"]) : "");

function updatedInput(
  question: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
  changed: Record<string, unknown> | undefined,
): { updatedInput?: Record<string, unknown> } {
  if (changed !== undefined) return { updatedInput: { ...said(input), ...changed } };
  return echoed(question) ? { updatedInput: { ...input } } : {};
}

/** An agent's description of a command: shown as its words, and not part of what runs. */
const said = ({ description }: Readonly<Record<string, unknown>>) => (typeof description === "string" ? { description } : {});

function readAsk(event: JsonObject, conversation: string): ApprovalAsk | undefined {
  const tool = textOf(event["tool_name"], 200);
  const input = inputOf(event["tool_input"]);
  if (tool === undefined || input === undefined) return undefined;
  // Questions have their own hook, and asking through askbox needs no permission.
  if (tool === "AskUserQuestion" || isOwnTool(tool)) return undefined;
  const cwd = textOf(event["cwd"], 4_096);
  const action = actionOf(tool, input, cwd);
  const agentId = textOf(event["agent_id"], 200);
  const { branch, background, isPromptTool, isAttended } = relayedWith(event);
  return approvalAsk({
    agent: "Claude Code",
    conversation,
    cwd,
    branch,
    background,
    agentId,
    isPromptTool,
    action,
    input,
    // While a hook runs for a background agent, Claude Code 2.1.330 shows no dialog. Without a person at it, it shows none afterwards either.
    isHidden: agentId !== undefined && isAttended,
    run: runOf(tool, input),
    reportedAs: tool === planTool ? runOf(tool, {}) : undefined,
    wants: tool === "Write" ? "write this file, in place of whatever is in it" : undefined,
    subject: action.title === undefined && action.text === undefined ? textOf(input["file_path"], 500) : undefined,
    // The arguments of an edit are shown as a diff, which cannot be edited.
    editable: action.kind !== "edit",
  });
}

/** A call that auto mode's check has denied. While the hook waits, the model can be told to try again. */
function readDenied(event: JsonObject, conversation: string): DeniedCall | undefined {
  const ask = readAsk(event, conversation);
  if (ask === undefined) return undefined;
  const { reason } = event;
  // Claude Code's word for a check that the API or the model does not offer.
  const status = reason === "Classifier unavailable" ? "unavailable" : "denied";
  const denial = { reviewer: "auto mode", status, reason: typeof reason === "string" ? reason : undefined } as const;
  const retry = { hookSpecificOutput: { hookEventName: "PermissionDenied", retry: true } };
  const call = textOf(event["tool_use_id"], 200);
  return { ...deniedCall(ask, denial, "Claude Code"), id: call && runOf("denial", { conversation, call }), retry };
}

/** What lets a call run without auto mode's check; a deny rule still wins. */
const letThrough = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "allow",
    permissionDecisionReason: "A person overruled the denial of exactly this call in askbox.",
  },
};

/** Claude Code reports it without its arguments. */
const planTool = "ExitPlanMode";

function actionOf(tool: string, input: JsonObject, cwd: string | undefined): Action {
  const { command, file_path: path, notebook_path: notebook, old_string: before, new_string: after, content, url, plan } = input;
  const base = { tool, ...(cwd !== undefined && { cwd }) };
  const without = (...names: string[]) => {
    const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
    return Object.keys(rest).length === 0 ? {} : { input: rest };
  };
  if (tool === "Bash" && typeof command === "string") return commandAction(tool, { ...input, command }, cwd);
  if (tool === "Edit" && typeof path === "string" && typeof before === "string" && typeof after === "string") {
    return { kind: "edit", ...base, path, diff: editDiff(path, before, after), ...without("file_path", "old_string", "new_string") };
  }
  if (tool === "Write" && typeof path === "string" && typeof content === "string") {
    return { kind: "edit", ...base, path, diff: editDiff(path, "", content), ...without("file_path", "content") };
  }
  if (tool === "WebFetch" && typeof url === "string") return { kind: "fetch", ...base, path: url, input };
  if (tool === planTool && typeof plan === "string") return { kind: "plan", tool, text: plan, input };
  // Other tools with a path, such as Read or an MCP server's, may do anything with it.
  const edited = tool === "NotebookEdit" ? notebook : tool === "Edit" || tool === "Write" || tool === "MultiEdit" ? path : undefined;
  if (typeof edited === "string") return { kind: "edit", ...base, path: edited, input };
  return { kind: "tool", ...base, ...titleOfTool(tool), input };
}

function readOver(event: JsonObject, conversation: string): ApprovalOver | undefined {
  const agentId = textOf(event["agent_id"], 200);
  const over = { kind: "over", conversation, agentId, run: undefined, isWhole: false } as const;
  switch (event["hook_event_name"]) {
    case "PostToolUse":
    case "PostToolUseFailure": {
      const tool = textOf(event["tool_name"], 200);
      const input = inputOf(event["tool_input"]);
      if (tool === undefined || input === undefined) return undefined;
      return {
        ...over,
        run: runOf(tool, tool === planTool ? {} : input),
        isRun: true,
        reason: "It was allowed in Claude Code itself.",
        report: "Ran by Claude Code's own prompt or rules, although it was denied here.",
        ...(!isQuiet(tool) && { ran: ranOf(event, tool, input) }),
      };
    }
    case "Stop": {
      const { background_tasks: tasks } = event;
      return { ...over, isIdle: !Array.isArray(tasks) || tasks.length === 0, reason: "It was decided in Claude Code itself." };
    }
    case "SubagentStop":
      return { ...over, reason: "It was decided in Claude Code itself." };
    case "SessionEnd":
      // A program that ends, or is killed, leaves a conversation that can go on.
      return { ...over, isWhole: true, isFinal: endings.includes(event["reason"]), reason: "Claude Code's session has ended." };
    default:
      return undefined;
  }
}

/** How somebody ends a conversation at the terminal. */
const endings: readonly unknown[] = ["clear", "logout", "prompt_input_exit"];

/** Tools that neither write, run nor reach anything, or whose own calls are reported. With askbox's own, they are asked about elsewhere. */
export const quietTools = [
  ...["Read", "Glob", "Grep", "LS", "NotebookRead", "TodoWrite", "Task", "Agent", "Skill", "ToolSearch", "BashOutput", "TaskOutput"],
  ...["AskUserQuestion", "EnterPlanMode", planTool],
];
const isQuiet = (tool: string) => quietTools.includes(tool) || isOwnTool(tool);

/** Who let a call run that nobody was asked about: in auto mode a model, otherwise a rule or the mode. The text of an edit isn't kept. */
function ranOf(event: JsonObject, tool: string, input: JsonObject): RanCall {
  const { file_path: path = null } = input;
  const mode = textOf(event["permission_mode"], 100);
  const cwd = textOf(event["cwd"], 4_096);
  return {
    id: textOf(event["tool_use_id"], 200),
    action: actionOf(tool, tool === "Edit" || tool === "Write" ? { file_path: path } : input, cwd),
    cwd,
    by: mode === "auto" ? { kind: "model", name: "auto mode" } : { kind: "rule", ...(mode !== undefined && { name: mode }) },
    failed: event["hook_event_name"] === "PostToolUseFailure",
  };
}

/**
 * A form of an MCP server, from Claude Code's `Elicitation` hook; undefined for one that stays with Claude Code: a page to open, a form of
 * askbox's own server, which the inbox has already, and a schema that can't be shown in full, or whose constraints can't be checked here.
 */
export function readForm(event: JsonObject, conversation: string): FormAsk | undefined {
  const server = textOf(event["mcp_server_name"], 150);
  const { message, mode = "form", requested_schema: schema } = event;
  if (server === undefined || isOwnServer(server) || mode !== "form" || typeof message !== "string") return undefined;
  const title = message.trim() === "" ? `${server} asks you to fill in a form` : `${server} asks: ${message}`;
  const form = formAsked(title, schema, (result) => ({ hookSpecificOutput: { hookEventName: "Elicitation", ...result } }));
  if (form === undefined) return undefined;
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
    ...form,
  };
}

/** What Claude Code's `--permission-prompt-tool` passes to the tool. */
export interface PromptCall {
  tool_name: string;
  /** From `parseExact`, so that no argument is changed. */
  input: Record<string, unknown>;
}

/** The working folder of a prompt tool's server, which Claude Code's calls don't include. */
interface PromptPlace {
  conversation: string;
  cwd: string | undefined;
  branch: string | undefined;
  repository?: string | undefined;
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
export const promptEvent = ({ tool_name, input }: PromptCall, { conversation, cwd, branch, repository }: PromptPlace): object => ({
  hook_event_name: "PermissionRequest",
  session_id: conversation,
  cwd,
  tool_name,
  tool_input: input,
  askbox: { branch, repository, isPromptTool: true },
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
