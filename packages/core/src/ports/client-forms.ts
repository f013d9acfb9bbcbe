import type { AnswerSet } from "../session/answer.ts";
import type { SessionRecord } from "../session/record.ts";
import type { Claimed } from "./claimed.ts";
import type { Idempotent } from "./desk.ts";

/**
 * The only way for an answer to come from the asking side: an MCP client showed the questions in its own form, and its user filled it in. Since any asker
 * could claim that, it is accepted only if the inbox's owner allows it; the outcome says `client`.
 */
export interface ClientForms {
  /** Whether answers from clients' own forms are accepted. Checked before a form is shown, so that nobody fills one in in vain. */
  allowed(): Promise<boolean>;
  /**
   * Answers a pending session of this asker. Durable when it resolves. Throws `FORBIDDEN` if not allowed, `INVALID_ANSWER`,
   * `SESSION_CLOSED` (details.session: the session with its outcome), `SESSION_NOT_FOUND`.
   */
  answered(sessionId: string, set: AnswerSet, options?: Claimed & Idempotent): Promise<SessionRecord>;
}
