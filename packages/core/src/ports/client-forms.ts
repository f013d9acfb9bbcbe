import type { AnswerSet } from "../session/answer.ts";
import type { SessionRecord } from "../session/record.ts";
import type { Claimed } from "./claimed.ts";
import type { Idempotent } from "./desk.ts";

/**
 * The one way in which an answer comes from the side that asks: an MCP client has shown the questions in a form of its own, and its person has filled it
 * in. Whoever asks could claim that, so it is taken only where the person who runs the inbox has allowed it; the outcome says `client`.
 */
export interface ClientForms {
  /** Whether answers from clients' own forms are taken. Asked before a form is shown, so that nobody fills one in for nothing. */
  allowed(): Promise<boolean>;
  /**
   * Answers a pending session of this asker. Durable when it resolves.
   * Throws `FORBIDDEN` where it is not allowed, `INVALID_ANSWER`, `SESSION_CLOSED` (details.session: what stands), `SESSION_NOT_FOUND`.
   */
  answered(sessionId: string, set: AnswerSet, options?: Claimed & Idempotent): Promise<SessionRecord>;
}
