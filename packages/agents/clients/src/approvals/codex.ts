import {
  type ApprovalAsk,
  type ApprovalOver,
  type ApprovalSource,
  approvalAsk,
  commandAction,
  type DeniedCall,
  deniedCall,
} from "@askbox/approvals";
import type { Action } from "@askbox/core";
import * as z from "zod";
import { entryName } from "../client.ts";
import type { CodexDecision } from "../codex-socket/follow-codex.ts";
import { type CodexReview, changesSchema, type FileChange, reviewSchema } from "../codex-socket/messages.ts";
import { editDiff } from "../diff.ts";
import { isObject, type JsonObject } from "../json.ts";
import { hookOutput, inputOf, isOwnTool, relayedWith, runOf, textOf, titleOfTool, unreachedOutput } from "./tool-event.ts";

/**
 * Codex' two ways to ask for permission: a hook, and the socket of its daemon, where requests also come from sessions in its app. Each
 * request becomes an event for people with the command as it would run or the whole diff; each decision becomes the reply that Codex
 * expects there. A request that can't be shown completely is left to Codex.
 */

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
    return approvalAsk({
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

const idSchema = z.string().min(1).max(500);
const pathSchema = z.string().min(1).max(4_096);
const requestIdSchema = z.union([z.int(), idSchema]);
const reasonSchema = z.string().max(10_000).nullish();
const nothing = z.null().optional();

const commandSchema = z.looseObject({
  kind: z.literal("command").optional(),
  itemId: idSchema,
  command: z.string().min(1),
  cwd: pathSchema.nullish(),
  reason: reasonSchema,
  // It asks for a connection to a host, not for the command.
  networkApprovalContext: nothing,
  availableDecisions: z
    .array(z.unknown())
    .refine((decisions) => decisions.includes("accept"))
    .nullish(),
});
const patchSchema = z.looseObject({
  itemId: idSchema,
  reason: reasonSchema,
  // It would be allowed to write to a folder from then on.
  grantRoot: nothing,
});
const toolSchema = z.looseObject({
  serverName: z.string().min(1).max(200),
  mode: z.literal("form"),
  // Without a field, there is nothing else to answer.
  requestedSchema: z.object({ properties: z.strictObject({}) }),
  _meta: z.looseObject({
    codex_approval_kind: z.literal("mcp_tool_call"),
    tool_name: z.string().min(1).max(200),
    // Not a record, which would lose `__proto__`.
    tool_params: z.custom<Record<string, unknown>>(isObject).nullish(),
  }),
});

const placeSchema = z.object({ folder: pathSchema.optional(), branch: z.string().max(500).optional() });
const common = { id: requestIdSchema, session: idSchema, askbox: placeSchema.optional() };
const threadSchema = z.looseObject({ threadId: idSchema });
const requestSchema = z.object({
  ...common,
  type: z.literal("request"),
  method: z.string().max(200),
  params: threadSchema,
  changes: z.unknown().optional(),
});
const settledSchema = z.object({ ...common, type: z.literal("settled"), params: threadSchema });
const followsSchema = z.object({ type: z.literal("follows"), sessions: z.array(idSchema).max(500), follower: idSchema.optional() });
const { id: _, ...place } = common;
const deniedSchema = z.object({ ...place, type: z.literal("denied"), review: reviewSchema });
const allowedSchema = z.object({ ...place, type: z.literal("allowed"), review: reviewSchema });
const refusedSchema = z.object({ ...place, type: z.literal("refused"), review: reviewSchema, why: z.string().max(1_000) });
const eventSchema = z.discriminatedUnion("type", [requestSchema, settledSchema, followsSchema, deniedSchema, allowedSchema, refusedSchema]);

type Requested = z.output<typeof requestSchema>;

/**
 * Approvals of Codex' app-server, as askbox's MCP server reads them from its socket. Codex' own prompt is open at the same time. A
 * request that contains anything else than what is to be allowed once is left to that prompt.
 */
export const codexSocketSource: ApprovalSource = {
  client: "codex",
  path: "/hooks/codex/socket",
  read(value) {
    const { success, data: event } = eventSchema.safeParse(value);
    if (!success) return undefined;
    switch (event.type) {
      case "follows":
        return { kind: "follows", conversations: event.sessions, follower: event.follower };
      case "settled":
        return {
          kind: "over",
          conversation: event.session,
          run: runOfRequest(event),
          agentId: agentOf(event),
          isWhole: false,
          reason: "It was decided in Codex itself.",
          report: "Codex' own prompt decided this first, so the answer given here had no effect.",
        };
      case "request":
        return readAsk(event);
      case "denied":
        return readDenied(event);
      case "allowed":
        return readAllowed(event);
      case "refused":
        return {
          kind: "over",
          conversation: event.session,
          run: runOfReview(event.review),
          agentId: undefined,
          isWhole: false,
          reason: "",
          report: `Codex did not take it, and reviews the call again: ${event.why}`,
        };
    }
  },
  reply: (_ask, decision): CodexDecision =>
    decision.kind === "deny"
      ? { isAllowed: false, ...(decision.reason !== undefined && { reason: decision.reason }) }
      : { isAllowed: true },
};

/** The hub's reply; undefined for everything that is no decision. */
export function readCodexDecision(reply: unknown): CodexDecision | undefined {
  const { success, data } = z.object({ isAllowed: z.boolean(), reason: z.string().max(20_000).optional() }).safeParse(reply);
  return success ? data : undefined;
}

/** A request is one of its own, even if it asks for the same as another. */
const runOfRequest = ({ id, params }: { id: string | number; params: { threadId: string } }) =>
  runOf("codex request", { id, thread: params.threadId });

const agentOf = ({ session, params }: { session: string; params: { threadId: string } }) =>
  params.threadId === session ? undefined : params.threadId;

/** What a request asks for; `wants` as in "May Codex apply this patch?". */
interface Asked {
  action: Action;
  input: Record<string, unknown>;
  wants?: string;
  subject?: string | undefined;
}

function readAsk(event: Requested): ApprovalAsk | undefined {
  const asked = askedBy(event);
  const { folder, branch } = event.askbox ?? {};
  return (
    asked &&
    approvalAsk({
      agent: "Codex",
      conversation: event.session,
      cwd: folder,
      agentId: agentOf(event),
      branch,
      run: runOfRequest(event),
      ...asked,
    })
  );
}

/** Shown and matched like the same command from the hook; what else was reviewed is shown as Codex names it. */
function reviewedAction({ action }: CodexReview): { action: Action; input: Record<string, unknown> } {
  const { type, command, cwd, source: _, ...rest } = action;
  const place = typeof cwd === "string" ? cwd : undefined;
  if (type === "command" && typeof command === "string" && Object.keys(rest).length === 0) {
    const input = { command: scriptOf(command) };
    return { action: commandAction("Bash", input, place), input };
  }
  const input = Object.fromEntries(Object.entries(action).filter(([name]) => name !== "cwd"));
  return { action: { kind: "other", tool: type, ...folderOf(place), input }, input };
}

/** What the reviewing model let run. Codex doesn't say whether it failed. */
function readAllowed({ session, askbox: { folder } = {}, review }: z.output<typeof allowedSchema>): ApprovalOver {
  const { threadId, reviewId } = review;
  const by = { kind: "model", name: reviewer } as const;
  return {
    kind: "over",
    conversation: session,
    run: runOfReview(review),
    agentId: threadId === session ? undefined : threadId,
    isWhole: false,
    reason: "",
    ran: { id: reviewId, action: reviewedAction(review).action, cwd: folder, by, failed: false },
  };
}

function readDenied({ session, askbox: { folder, branch } = {}, review }: z.output<typeof deniedSchema>): DeniedCall {
  const { threadId, reviewId, review: verdict } = review;
  const ask = approvalAsk({
    agent: "Codex",
    conversation: session,
    cwd: folder,
    branch,
    background: undefined,
    agentId: threadId === session ? undefined : threadId,
    run: runOfReview(review),
    ...reviewedAction(review),
  });
  const { rationale, riskLevel, userAuthorization } = verdict;
  const denial = {
    reviewer,
    status: "denied",
    reason: rationale ?? undefined,
    risk: riskLevel ?? undefined,
    authorization: userAuthorization ?? undefined,
  } as const;
  return { ...deniedCall(ask, denial, "Codex"), id: runOf("denial", { threadId, reviewId }), settled: (isOverruled) => ({ isOverruled }) };
}

/** What Codex calls the model that judges. */
const reviewer = "auto-review";

const runOfReview = ({ threadId, reviewId }: CodexReview) => runOf("codex review", { threadId, reviewId });

/** Whether a person has overruled a denial; undefined for everything that is no decision. */
export function readOverruled(reply: unknown): boolean | undefined {
  const { success, data } = z.object({ isOverruled: z.boolean() }).safeParse(reply);
  return success ? data.isOverruled : undefined;
}

function askedBy({ method, params, changes }: Requested): Asked | undefined {
  switch (method) {
    case "item/commandExecution/requestApproval": {
      const { success, data } = commandSchema.safeParse(params);
      return success ? commandAsked(data) : undefined;
    }
    case "item/fileChange/requestApproval": {
      const [patch, files] = [patchSchema.safeParse(params), changesSchema.safeParse(changes)];
      return patch.success && files.success ? patchAsked(patch.data, files.data) : undefined;
    }
    case "mcpServer/elicitation/request": {
      const { success, data } = toolSchema.safeParse(params);
      return success ? toolAsked(data) : undefined;
    }
    default:
      return undefined;
  }
}

/** Shown and matched like the same command from the hook. Whatever else Codex says of it is shown among its arguments. */
function commandAsked({ command, cwd, reason, ...params }: z.output<typeof commandSchema>): Asked {
  const script = scriptOf(command);
  const input = { command: script, ...otherParams(params, commandParams) };
  return {
    action: { kind: "command", tool: "Bash", command: script, ...folderOf(cwd), ...titleFrom(reason), input },
    input,
  };
}

function patchAsked({ reason, ...params }: z.output<typeof patchSchema>, changes: readonly FileChange[]): Asked {
  const moves = changes.flatMap(({ path, kind: { move_path: to } }) => (to == null ? [] : [{ from: path, to }]));
  const input = { ...(moves.length > 0 && { moves }), ...otherParams(params, patchParams) };
  const [change, ...more] = changes;
  return {
    wants: "apply this patch",
    subject: change?.path,
    action: {
      kind: "edit",
      tool: "apply_patch",
      diff: changes.map(diffOf).join(""),
      ...(change !== undefined && more.length === 0 && { path: change.path }),
      ...titleFrom(reason),
      ...(Object.keys(input).length > 0 && { input }),
    },
    input,
  };
}

function toolAsked({ serverName, _meta: { tool_name: name, tool_params: input } }: z.output<typeof toolSchema>): Asked | undefined {
  const tool = `mcp__${serverName}__${name}`;
  // Asking a person needs no permission.
  if (serverName === entryName || isOwnTool(tool)) return undefined;
  return { action: { kind: "tool", tool, ...titleOfTool(tool), input: input ?? {} }, input: input ?? {} };
}

/** What names the request, and what Codex offers to remember, which askbox never accepts. */
const shared = ["threadId", "turnId", "itemId", "startedAtMs"];
const patchParams = [...shared, "grantRoot"];
const commandParams = [
  ...[...shared, "kind", "commandActions", "networkApprovalContext"],
  ...["proposedExecpolicyAmendment", "proposedNetworkPolicyAmendments", "availableDecisions"],
];

function otherParams(params: Readonly<Record<string, unknown>>, known: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).filter(
      ([name, value]) => !known.includes(name) && value != null && !(name === "environmentId" && value === "local"),
    ),
  );
}

const folderOf = (cwd: string | null | undefined): { cwd?: string } => (cwd == null ? {} : { cwd });
const titleFrom = (reason: string | null | undefined): { title?: string } => (reason ? { title: reason } : {});

/** A new or deleted file comes as its text, a changed one as its hunks. */
function diffOf({ path, kind: { type, move_path: to }, diff }: FileChange): string {
  if (type !== "update") return type === "add" ? editDiff(path, "", diff) : editDiff(path, diff, "");
  const name = (file: string) => file.replace(/[\r\n]/g, "␊");
  const text = to == null || !diff.endsWith(`\n\nMoved to: ${to}`) ? diff : diff.slice(0, -`\n\nMoved to: ${to}`.length);
  return `--- ${name(path)}\n+++ ${name(to ?? path)}\n${text}${text.endsWith("\n") ? "" : "\n"}`;
}

/** Shells in folders of the system, which an agent can't replace. */
const shells = /^\/(?:usr\/)?bin\/(?:bash|zsh|sh)$/;

/**
 * The script that one of the system's shells runs; the whole text if it is anything else. Codex reports `/bin/bash -lc 'npm test'` where the
 * agent asked for `npm test`.
 */
function scriptOf(command: string): string {
  const [shell = "", flag, script, ...rest] = wordsOf(command) ?? [];
  return shells.test(shell) && (flag === "-lc" || flag === "-c") && script !== undefined && rest.length === 0 ? script : command;
}

const word = /'([^']*)'|"((?:[^"\\$`]|\\["\\$`])*)"|([\w@%+=:,./-]+)/y;

/** The words of a command that consists of quoted and plain text only; undefined for any other. */
function wordsOf(command: string): string[] | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < command.length) {
    let text = "";
    const start = at;
    for (;;) {
      word.lastIndex = at;
      const match = word.exec(command);
      if (match === null) break;
      at = word.lastIndex;
      text += match[1] ?? match[2]?.replace(/\\(["\\$`])/g, "$1") ?? match[3] ?? "";
    }
    if (at === start) return undefined;
    words.push(text);
    if (at === command.length) break;
    if (command[at] !== " ") return undefined;
    at += 1;
  }
  return words;
}
