import type { Action, Answer, AskboxError } from "@askbox/core";
import type { Background } from "@askbox/core/clients";
import type { Ran } from "@askbox/core/grants";
import { cut, type Denial } from "@askbox/core/questions";

/** Who asks for it, and where. */
export interface HeldAsk {
  /** The client, if its source reads the events of several. */
  client?: string | undefined;
  /** The client's id of the conversation. */
  conversation: string;
  /** The agent's working folder, to which grants belong. */
  cwd: string | undefined;
  branch: string | undefined;
  /** What its project is a copy of. */
  repository?: string | undefined;
  /** What the agent was doing, as the hook has read it. */
  background?: Background | undefined;
  /** The agent within the conversation, if it is not the main one. */
  agentId: string | undefined;
  /** Whether the client shows no prompt of its own in the meantime, so that it must not wait long. */
  isHidden: boolean;
  /**
   * The request's own name, which nobody can guess. Its client asks again under this name when the hub has gone, and the question that a person
   * has is the same one as before.
   */
  requestId?: string | undefined;
}

/** A command or question of the client's own, as its client reports it. */
export interface ApprovalAsk extends HeldAsk {
  kind: "ask";
  /** Whether it came through the client's prompt tool. A hook may ask the same at the same time. */
  isPromptTool: boolean;
  /** The tool and its arguments: equal for equal calls only. */
  run: string;
  /** What the client later reports about it; `run` if absent. */
  reportedAs?: string;
  title: string;
  /** The `approval` to put to a person, not validated yet. */
  question: Record<string, unknown>;
  /** The arguments as the client sent them. */
  input: Readonly<Record<string, unknown>>;
}

/** A call that a model has denied already. Its client goes on with the denial, at once or after it has waited for a person. */
export interface DeniedCall extends HeldAsk, Pick<ApprovalAsk, "run" | "reportedAs" | "title" | "question"> {
  kind: "denied";
  /** Of this denial at its client: reported again, it is the same. */
  id: string | undefined;
  /** The response if a person overrules it while the client waits; absent if the client can't be told that way. */
  retry?: object;
  /** The response once it is settled, to who reports denials and passes on what becomes of them. The agent itself doesn't wait. */
  settled?(isOverruled: boolean): object;
}

/** A call that is about to be made, which a person may have let through by overruling its denial. */
export interface AboutToRun extends Pick<HeldAsk, "conversation" | "cwd"> {
  kind: "call";
  /** The same as a request; undefined for a call that nobody is asked about. Only read where something is overruled, since it takes its time. */
  ask(): ApprovalAsk | undefined;
  /** The response that lets it through. */
  through: object;
}

/** A form of an MCP server, which the client passes on before it shows the form itself. Which agent it is for is not known. */
export interface FormAsk extends HeldAsk {
  kind: "form";
  /** Names it, for `ApprovalOver.run`. */
  run?: string | undefined;
  /** Inputs of `parseAsk`, not validated yet, to be put to a person one after the other. */
  parts: readonly { title: string; questions: Record<string, unknown>[] }[];
  /** The response to the client; undefined if it can't say what was answered. */
  reply(outcome: FormOutcome): unknown;
}

/** How a person settled a form: with the answers of all parts, or by declining it. */
export type FormOutcome =
  | { kind: "answered"; answers: readonly Answer[]; files?: readonly SentFile[] }
  | { kind: "cancelled"; reason: string | undefined };

/** An event after which an approval is no longer needed. */
export interface ApprovalOver {
  kind: "over";
  conversation: string;
  /** What is over, like `ApprovalAsk.reportedAs`; undefined if everything that the agent asked is. */
  run: string | undefined;
  /** The agent whose asks are over; undefined for the main one. Only without `run`. */
  agentId: string | undefined;
  /** Whether it is over for all agents of the conversation. */
  isWhole: boolean;
  /** Without `run`: whether no other agent of the conversation runs, so that no form of a server is waited for. */
  isIdle?: boolean;
  /** Whether the whole conversation is certainly over, and not only its program. */
  isFinal?: boolean;
  /** Why what is pending is withdrawn. */
  reason: string;
  /** For `run`: whether it ran, rather than only being decided at the client. */
  isRun?: boolean;
  /** For `run`: whether a person's decision that was made before still counts, and is the reply to the request. */
  yields?: boolean;
  /** For `run`: what was decided at the client, to be recorded unless a person's decision was first. */
  decided?: DecidedThere | undefined;
  /** For `run`: what to add to the history of a request that was decided in askbox, which had no effect. */
  report?: string;
  /** What ran, for the list of what ran without a person, if it belongs there. */
  ran?: RanCall;
}

/** A call that a client reports to have run. */
export interface RanCall {
  /** The client's id of the call, by which a second report of it is noticed. */
  id: string | undefined;
  action: Action;
  cwd: string | undefined;
  /** Who let it, if nobody was asked. */
  by: Ran["by"];
  failed: boolean;
}

/** A decision that a person made in the client's own prompt. */
export interface DecidedThere {
  /** What people call the client. */
  by: string;
  /** The answer's value: never a grant of askbox. Undefined if the prompt was closed without one. */
  value?: string | undefined;
  /** What was said with it. */
  comment?: string | undefined;
}

/**
 * Conversations whose asks come in another way that leaves the client's own prompt open, for as long as this request is held. Their hooks
 * need not ask, and would only delay that prompt.
 */
export interface ApprovalFollows {
  kind: "follows";
  conversations: readonly string[];
  /** Names who holds the request: its next one replaces it. */
  follower?: string | undefined;
}

/** The outcome of an ask. `option`: one of the agent's own was chosen. There is a third: nobody decided, and the client continues as if it had not asked. */
export type Decision =
  | { kind: "allow"; input?: Record<string, unknown> | undefined; option?: string }
  | { kind: "deny"; reason?: string | undefined; files?: readonly SentFile[] };

/** A file that a person sent with an answer. */
export interface SentFile {
  /** The session it belongs to. */
  session: string;
  sha256: string;
  name: string;
}

/** What a client reports. */
export type ApprovalEvent = ApprovalAsk | FormAsk | DeniedCall | AboutToRun | ApprovalOver | ApprovalFollows;

/** How one client asks for approval: its events and responses. A malformed event is never an ask, and only `allow` allows. */
export interface ApprovalSource {
  /** The client's name in askbox. */
  client: string;
  /** The path for its events over HTTP. */
  path: string;
  /** Undefined for everything that does not concern askbox. The event comes from `parseExact`, so that no argument is changed. `headers`: those of the request that sent it. */
  read(event: unknown, headers?: Pick<Headers, "get">): ApprovalEvent | undefined;
  /** The conversation, if the event is the one that comes before every call; from JSON that was parsed as usual. */
  calls?(event: unknown): string | undefined;
  reply(ask: ApprovalAsk, decision: Decision): unknown;
  /** What its client is told if a request is refused, such as for its rate. Absent if it has no room for it. */
  refused?(error: AskboxError): unknown;
  /** What a hook prints if its request can't reach a person, so that the client shows it. Absent if the client has no room for it. */
  unreached?(why: string): unknown;
  /** What the client reports to have run after it was allowed, like `ApprovalOver.run`. Absent if it doesn't report what ran. */
  ran?(ask: ApprovalAsk, changed: Record<string, unknown> | undefined): string;
}

/** What a client asks for. All that is the same for every client is added by `approvalAsk`. */
export interface AskParts
  extends Pick<ApprovalAsk, "client" | "conversation" | "cwd" | "branch" | "background" | "agentId" | "requestId" | "run" | "input"> {
  /** The client's title, for the question. */
  agent: string;
  action: Action;
  /** What the agent wants to do, as in "May Codex apply this patch?"; the default depends on the kind of action. */
  wants?: string | undefined;
  /** What the list shows of it, if it is in none of the action's own parts. */
  subject?: string | undefined;
  /** Whether the client takes changed arguments. Default false. */
  editable?: boolean;
  /** What the agent itself offers to remember. */
  agentOptions?: readonly { value: string; label: string }[];
  /** Default false. */
  isHidden?: boolean;
  /** Default false. */
  isPromptTool?: boolean;
  reportedAs?: string | undefined;
}

/** An approval as a person gets it. It can be granted in advance if it belongs to a folder; a plan is approved only once. */
export function approvalAsk(parts: AskParts): ApprovalAsk {
  const { agent, action, wants = wishes[action.kind], subject, editable = false, cwd, reportedAs, agentOptions = [], ...ask } = parts;
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
      ...(agentOptions.length > 0 && { agentOptions }),
    },
  };
}

/** The same call as a card about its denial. A model's words are cut to what a card shows. */
export function deniedCall({ question, ...ask }: ApprovalAsk, denial: Denial, agent: string): DeniedCall {
  const { reviewer, reason, risk, authorization, status } = denial;
  const cutTo = (max: number, text: string | undefined) => (text?.trim() ? cut(text.trim(), max) : undefined);
  return {
    ...ask,
    id: undefined,
    kind: "denied",
    question: {
      type: "approval",
      question: `${agent} was not allowed to do this. Overrule that?`,
      action: question["action"],
      denial: {
        reviewer: cut(reviewer, 100),
        status,
        ...defined({ reason: cutTo(4_000, reason), risk: cutTo(40, risk), authorization: cutTo(40, authorization) }),
      },
    },
  };
}

const defined = (fields: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

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
