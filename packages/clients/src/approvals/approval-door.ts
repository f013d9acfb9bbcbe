import type { ClientName } from "@askbox/home";

/** What a client's own code runs or asks, as its hook tells it. */
export interface PermissionAsk {
  kind: "ask";
  /** The client's id of the conversation. */
  conversation: string;
  /** The folder in which the agent works, and to which grants belong. */
  cwd: string | undefined;
  branch: string | undefined;
  /** The agent within the conversation that is not its first. */
  agentId: string | undefined;
  /** Whether the client shows no prompt of its own while it waits: then it must not wait long. */
  isHidden: boolean;
  /** Whether it came through the client's prompt tool. A hook may ask the same at the same time. */
  isPromptTool: boolean;
  /** The tool and its arguments, by which the client tells later that it ran. */
  run: string;
  title: string;
  /** The `approval` that a person is asked, still unchecked. */
  question: Record<string, unknown>;
  /** The arguments as the client sent them. */
  input: Readonly<Record<string, unknown>>;
}

/** A sign that something need not be asked any more. */
export interface PermissionOver {
  kind: "over";
  conversation: string;
  /** What ran; undefined if everything that the agent asked is over. */
  run: string | undefined;
  /** The agent whose asks are over; undefined for the conversation's first. Only without `run`. */
  agentId: string | undefined;
  /** Whether it is over for all agents of the conversation. */
  isWhole: boolean;
  reason: string;
}

/** What came of an ask. There is a third: nobody decided, and the client goes on as if it had not asked. */
export type PermissionDecision =
  | { kind: "allow"; input?: Record<string, unknown> | undefined }
  | { kind: "deny"; reason?: string | undefined };

/** Seconds that a client gives the hook that asks. A person may give an approval more time than it has by itself. */
export const hookTimeout = 86_400;

/** How one client asks for permission over HTTP: what it sends and takes. Nothing that is malformed is ever an ask, and no answer but `allow` allows. */
export interface ApprovalDoor {
  client: ClientName;
  /** Where it sends its events. */
  path: string;
  /** Undefined for everything that is not for askbox. */
  read(event: unknown): PermissionAsk | PermissionOver | undefined;
  reply(ask: PermissionAsk, decision: PermissionDecision): unknown;
}
