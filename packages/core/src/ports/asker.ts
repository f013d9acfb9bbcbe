import type { AnswerSet } from "../session/answer.ts";
import type { AskerInfo } from "../session/asker-info.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";
import type { Idempotent } from "./desk.ts";
import type { Signal } from "./platform.ts";
import type { EndingKind } from "./store.ts";

/** How long a call may last, and what it returns. */
export interface WaitOptions {
  /** Ends the call with `ABORTED`; the asker then counts as away. The session stays open. */
  signal?: Signal | undefined;
  /**
   * Milliseconds, 0 or more. If the session is still pending after that time, the call resolves with it, and the asker is expected to come back.
   * With 0, the call only checks and attaches nobody; after such an `ask`, its asker is expected for 10 s, and no identical ask joins it. Default: until the
   * session settles.
   */
  maxWait?: number | undefined;
  /** Whether to include other outcomes that have not been delivered to this asker. Default true. */
  earlier?: boolean | undefined;
}

export interface AskOptions extends WaitOptions {
  asker: AskerInfo;
  /** The asker's own name for this ask, 1–200 characters: an identical ask with the key of a pending session joins it, even while another call waits for it. */
  key?: string | undefined;
  /** Refuse with `UNKNOWN_AGENT` when agents are registered and the asker's agent id is not one of theirs. */
  registeredOnly?: boolean | undefined;
  /**
   * Names this request, 1–200 characters. A repeated request with the same name, over any connection and at any hub of the inbox, opens nothing new
   * and continues with the session that it opened.
   */
  idempotencyKey?: string | undefined;
  /**
   * A session of this asker that these questions replace. They take over its thread, its place in the list and the drafts of unchanged questions.
   * If it is already settled, the ask returns its outcome.
   */
  replaces?: string | undefined;
  /** Called once the questions are in the store and a person can answer them; not for an existing outcome. */
  onOpened?: ((opened: Opened) => void) | undefined;
}

/** Where an ask's questions can be answered. */
export interface Opened {
  session: SessionRecord;
  /** Whether the ask joined an existing session. */
  joined: boolean;
}

export interface ResumeOptions extends WaitOptions, Claimed {
  /** The agent's reply to a person who asked back: markdown, 1–10,000 characters. Stored before the wait begins; the same reply sent twice is stored once. */
  reply?: string | undefined;
  /** Names the reply, 1–200 characters. */
  idempotencyKey?: string | undefined;
}

/** Undelivered outcomes, given to one call; for 5 s no other call gets them without requesting them. */
export interface Collected {
  /** Oldest first; at most 20. A session is here because of its outcome, of a reply after its deadline, or of what a person asked back. */
  earlier: SessionRecord[];
  /**
   * Confirms that they were written while the caller was still there: they count as delivered and are not included again. Safe to repeat.
   * Throws `STORE_UNAVAILABLE`, `HUB_UNREACHABLE`; they are then included again.
   */
  ack(options?: AckOptions): Promise<void>;
  /** Reports that they were not written: the next call can have them immediately. Never rejects. */
  nack(): Promise<void>;
}

export interface AckOptions extends Claimed {
  /** The asker's call that wrote them; stored with the session. */
  callId?: string | undefined;
}

/**
 * The result of an ask. A session that is still pending is a ticket: `resume` keeps waiting for it. If `askedBack` returns messages for it, a person
 * has asked something first: reply with `resume`, or replace it with better questions.
 */
export interface Handover extends Collected {
  session: SessionRecord;
  /** The session was answered after the call that asked had ended. */
  late: boolean;
  /** Whether the ask joined an existing session. */
  joined: boolean;
}

/**
 * How an agent asks. An asker sees only its own sessions and can never answer; `forms` is the only way for a person's answer to come from its side.
 * Verify an implementation with `askerContract` from `@askbox/core/testing`.
 */
export interface Asker {
  /**
   * Asks people, or joins the open session with the same questions. Resolves when the session is settled, a person asks back, or `maxWait` is over.
   * Throws `UNKNOWN_AGENT`, `TOO_MANY_PENDING`, `RATE_LIMITED`, `STORE_UNAVAILABLE`, `HUB_UNREACHABLE`, `ABORTED`; `VALIDATION` if
   * a name of the ask or its asker is longer than `limits` allows; `CONFLICT` if the key belongs to another question; `SESSION_NOT_FOUND` if `replaces`
   * is not one of this asker's sessions.
   */
  ask(request: AskRequest, options: AskOptions): Promise<Handover>;
  /**
   * Resumes a session of this asker; `reply` answers a person who asked back. Throws `SESSION_NOT_FOUND`, `ABORTED`, `HUB_UNREACHABLE`,
   * `STORE_UNAVAILABLE`; for a reply `VALIDATION` and `TOO_MANY_ROUNDS`.
   */
  resume(sessionId: string, options?: ResumeOptions): Promise<Handover>;
  /** Withdraws the questions: the session is cancelled by its asker. Throws `SESSION_NOT_FOUND`, `SESSION_CLOSED`. */
  withdraw(sessionId: string, options?: { reason?: string | undefined } & Claimed & Idempotent): Promise<SessionRecord>;
  /** Outcomes that have not been delivered to this asker, without naming a session. */
  collect(asker: AskerInfo): Promise<Collected>;
  /** What has happened to this asker's questions since a time, and waits for it; absent where that can't be read. It delivers nothing. Throws `VALIDATION`, `STORE_UNAVAILABLE`. */
  readonly news?: ((asker: AskerInfo, since: number) => Promise<{ news: News[]; isWhole: boolean }>) | undefined;
  /** For askers whose clients can show questions in their own forms; absent if none can. */
  readonly forms?: ClientForms | undefined;
}

/** A session as returned by a call. */
export interface Given {
  sessionId: string;
  /** Whether its outcome was included. */
  withOutcome: boolean;
  /** Whether the reply after the deadline was included. */
  withReply: boolean;
  /** The number of messages in its thread. */
  messages: number;
}

/** An asker whose deliveries are acknowledged by id, possibly over another connection than the one that carried them. */
export interface RelayedAsker extends Asker {
  acknowledge(outcomes: readonly Given[], options?: AckOptions): Promise<void>;
  release(outcomes: readonly Given[]): Promise<void>;
}

/** Something that happened to a session, for its asker. */
export interface News {
  /** Stays the same, however often it is read. */
  id: string;
  sessionId: string;
  /** How it ended, that a reply came after its deadline, or that a person asked something back. */
  status: EndingKind | "replied" | "askedBack";
  /** Wall time in ms. */
  at: number;
}

/** Creates a handover's `ack` and `nack` from functions that acknowledge by id. */
export function collected(
  sessions: readonly SessionRecord[],
  earlier: SessionRecord[],
  port: Pick<RelayedAsker, "acknowledge" | "release">,
): Collected {
  const outcomes = [...sessions, ...earlier]
    .filter((session) => session.state !== "pending" || askedBack(session).length > 0)
    .map(({ id, state, reply, thread }): Given => {
      return { sessionId: id, withOutcome: state !== "pending", withReply: reply !== undefined, messages: thread.length };
    });
  return {
    earlier,
    ack: async (options) => (outcomes.length === 0 ? undefined : port.acknowledge(outcomes, options)),
    nack: async () => (outcomes.length === 0 ? undefined : port.release(outcomes).catch(() => {})),
  };
}

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

/** Who resumes a session by its id. */
export interface Claimed {
  /**
   * Gives access to the session only if this is the agent that asked: client, project and agent id must match. While the conversation that asked is
   * connected, only that conversation has access, and whoever names none. Default: any agent with the token.
   */
  asker?: AskerInfo | undefined;
}
