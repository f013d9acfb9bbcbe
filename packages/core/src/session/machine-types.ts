import type { Actor } from "./actor.ts";
import type { AnswerSet } from "./answer.ts";
import type { Outcome } from "./outcome.ts";
import type { Question } from "./questions/index.ts";
import type { SessionState } from "./record.ts";
import type { ThreadMessage } from "./thread.ts";

/** What can happen to a session. */
export type SessionEvent =
  | (AnswerSet & { type: "ANSWER"; by: Actor; at: number })
  | { type: "CANCEL"; reason?: string | undefined; by: Actor; at: number }
  | { type: "DEADLINE_PASSED"; at: number }
  | { type: "EXTEND"; deadlineAt: number | null; by: Actor }
  /** A person asks back, or the agent replies. A deadline that is not later than the current one is ignored. */
  | { type: "MESSAGE"; message: ThreadMessage; deadlineAt: number | null };

/** The session machine's context. */
export interface MachineContext {
  questions: readonly Question[];
  /** Wall time; null for no deadline. */
  deadlineAt: number | null;
  outcome?: Outcome | undefined;
  thread: readonly ThreadMessage[];
}

/** A state of the machine with its context, free of any XState type. */
export interface MachineSnapshot {
  state: SessionState;
  context: MachineContext;
}

/** What the machine starts with. */
export interface MachineInput {
  questions: readonly Question[];
  /** Wall time; null for no deadline. */
  deadlineAt: number | null;
}
