import type { AnswerSet } from "../session/answer.ts";
import type { Draft, DraftPatch } from "../session/draft.ts";
import type { AskBack } from "../session/thread.ts";
import type { SessionView, Status } from "../session/view.ts";

/** Which sessions `Desk.list` returns. Every filter that is set must match. */
export interface DeskQuery {
  statuses?: readonly Status[] | undefined;
  project?: string | undefined;
  agentId?: string | undefined;
  clientName?: string | undefined;
  /** Text to be found, ignoring case, in title, questions, answers, thread, project, branch, agent or client. */
  text?: string | undefined;
  /** 1–1,000; default 100. */
  limit?: number | undefined;
  cursor?: string | undefined;
  /** By creation. Default `newest`. */
  order?: "newest" | "oldest" | undefined;
}

/** One page of `Desk.list`. */
export interface DeskPage {
  items: SessionView[];
  /** Of the next page. A page may end before its limit, where its sessions are large. */
  nextCursor?: string | undefined;
}

/** Which sessions a watch reports. Every filter that is set must match. */
export interface WatchFilter {
  project?: string | undefined;
  agentId?: string | undefined;
}

/** What a watcher is told: all pending sessions first, then each change. A session's changes come in revision order. */
export type DeskEvent =
  | { type: "snapshot"; sessions: SessionView[]; drafts: Draft[] }
  /** The session is new or has changed, or its presence has. */
  | { type: "session"; session: SessionView }
  | { type: "removed"; sessionId: string }
  | { type: "draft"; draft: Draft }
  | { type: "draft_erased"; sessionId: string };

/** A request that may be repeated: under the same name, 1–200 characters, it takes effect once and comes back with what stands. */
export interface Idempotent {
  idempotencyKey?: string | undefined;
}

/** A live view; `close` ends it. */
export interface Watch {
  close(): void;
}

/**
 * How people see and settle sessions. Each desk acts for one answerer (a surface, and a name).
 * Ids may be shortened to a unique prefix of 4 characters or more (`SESSION_NOT_FOUND`, `AMBIGUOUS_ID`).
 * Prove an implementation with `deskContract` from `@askbox/core/testing`.
 */
export interface Desk {
  list(query?: DeskQuery): Promise<DeskPage>;
  get(id: string): Promise<SessionView>;
  /** Tells the listener a snapshot before it resolves, then every change until it is closed. */
  watch(filter: WatchFilter, listener: (event: DeskEvent) => void): Promise<Watch>;
  /**
   * Answers a pending session. Durable when it resolves. With `delay` (ms, 0–60,000) the hub holds it back, so that `recall` can undo it.
   * Throws `INVALID_ANSWER` (details.issues: a sentence for each question) and `SESSION_CLOSED` (details.session: what stands).
   */
  answer(id: string, set: AnswerSet, options?: { delay?: number | undefined } & Idempotent): Promise<SessionView>;
  /** Takes back an answer that was sent with a delay and has not left. Throws `SESSION_CLOSED`. */
  recall(id: string, options?: Idempotent): Promise<SessionView>;
  cancel(id: string, options?: { reason?: string | undefined } & Idempotent): Promise<SessionView>;
  /** Moves the deadline to `timeout` ms from now (1,000–86,400,000), or away (null). It never comes nearer. */
  extend(id: string, options: { timeout: number | null } & Idempotent): Promise<SessionView>;
  getDraft(id: string): Promise<Draft | undefined>;
  /** Writes the named fields of the draft, creating it. Throws `SESSION_CLOSED`. */
  saveDraft(id: string, patch: DraftPatch): Promise<Draft>;
  /** Words after the deadline, kept beside the timeout and handed over with the asker's next result. Throws `SESSION_PENDING`, `SESSION_CLOSED`. */
  reply(id: string, set: AnswerSet, options?: Idempotent): Promise<SessionView>;
  /**
   * Asks the agent something before anything is answered: the session stays pending, and its deadline moves to at least 5 minutes from now. Durable when it
   * resolves; an agent that does not wait is given it with its next call. A message of 1–4,000 characters, and at most 20 in one session.
   * Throws `VALIDATION`, `TOO_MANY_ROUNDS` and `SESSION_CLOSED`; what comes at the moment in which the session is settled is kept in its thread all the same.
   */
  askBack(id: string, message: AskBack, options?: Idempotent): Promise<SessionView>;
  /** Says that this answerer has the session open, until the returned function is called or the desk goes away. */
  attend(id: string): Promise<() => void>;
}
