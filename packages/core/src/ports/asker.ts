import type { AskerInfo } from "../session/asker-info.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import { askedBack } from "../session/thread.ts";
import type { Claimed } from "./claimed.ts";
import type { ClientForms } from "./client-forms.ts";
import type { Idempotent } from "./desk.ts";
import type { Signal } from "./signal.ts";

/** How long a call may last, and what it brings. */
export interface WaitOptions {
  /** Ends the call with `ABORTED`; the asker then counts as away. The session stays. */
  signal?: Signal | undefined;
  /**
   * Milliseconds, 0 or more; when they are over and the session is still pending, the call resolves with it and the asker counts as coming back.
   * 0 is a look, which attaches nobody; after an `ask` its asker is taken to be on its way for 10 s, and no equal ask joins it. Default: until the session
   * settles.
   */
  maxWait?: number | undefined;
  /** Whether other outcomes that this asker has not been given come along. Default true. */
  earlier?: boolean | undefined;
}

export interface AskOptions extends WaitOptions {
  asker: AskerInfo;
  /** The asker's own name for this ask, 1–200 characters: an equal ask with the key of a pending session joins it, even while somebody waits for it. */
  key?: string | undefined;
  /** Refuse with `UNKNOWN_AGENT` when agents are registered and the asker's agent id is not one of theirs. */
  registeredOnly?: boolean | undefined;
  /**
   * Names this request, 1–200 characters: repeated under the same name, by whatever connection and at whatever hub of the inbox, it opens nothing
   * again and goes on with what it opened.
   */
  idempotencyKey?: string | undefined;
  /**
   * A session of this asker that these questions take the place of: its thread, its place in the list and the drafts of equal questions are theirs from then
   * on. If it is settled already, its outcome is what the ask comes back with.
   */
  replaces?: string | undefined;
  /** Called once the questions are in the store and a person can answer them; not for an outcome that was there already. */
  onOpened?: ((opened: Opened) => void) | undefined;
}

/** Where an ask's questions can be answered. */
export interface Opened {
  session: SessionRecord;
  /** Whether the ask joined a session that was there already. */
  joined: boolean;
}

export interface ResumeOptions extends WaitOptions, Claimed {
  /** What the agent says to what a person asked back: markdown, 1–10,000 characters. Stored before the wait begins; the same reply sent twice is stored once. */
  reply?: string | undefined;
  /** Names the reply, 1–200 characters. */
  idempotencyKey?: string | undefined;
}

/** What an asker has not been given before, in the hands of one call; for 5 s no other call is given it unasked. */
export interface Collected {
  /** Oldest first; at most 20. A session is here because of its outcome, of a reply after its deadline, or of what a person asked back. */
  earlier: SessionRecord[];
  /**
   * They were written while the caller still stood: they are delivered, and never given unasked again. Repeating it changes nothing.
   * Throws `STORE_UNAVAILABLE`, `HUB_UNREACHABLE`; they are then given again.
   */
  ack(options?: AckOptions): Promise<void>;
  /** They were not written: the next call may have them at once. Never rejects. */
  nack(): Promise<void>;
}

export interface AckOptions extends Claimed {
  /** The asker's call that wrote them; kept with the session. */
  callId?: string | undefined;
}

/**
 * What an ask comes back with. A session that is still pending is a ticket: `resume` keeps waiting for it. If `askedBack` has messages of it, a person
 * wants to know something first: reply with `resume`, or ask better questions that replace it.
 */
export interface Handover extends Collected {
  session: SessionRecord;
  /** The session's answer came after the call that asked had gone. */
  late: boolean;
  /** Whether the ask joined a session that was there already. */
  joined: boolean;
}

/**
 * How an agent asks. An asker sees only sessions that it has asked itself, and can never answer; `forms` is the one narrow way for a person's answer to come from its side.
 * Prove an implementation with `askerContract` from `@askbox/core/testing`.
 */
export interface Asker {
  /**
   * Puts questions to people, or joins the session that already does; resolves when the asker should go on: the session is settled, a person has
   * asked something back, or `maxWait` is over.
   * Throws `UNKNOWN_AGENT`, `TOO_MANY_PENDING`, `RATE_LIMITED`, `STORE_UNAVAILABLE`, `HUB_UNREACHABLE`, `ABORTED`; `VALIDATION` if
   * what names the ask or its asker is longer than `limits` allows; `CONFLICT` if the key is that of another question; `SESSION_NOT_FOUND` if what it
   * replaces is none of this asker's sessions.
   */
  ask(request: AskRequest, options: AskOptions): Promise<Handover>;
  /**
   * Goes on with a session of this asker; `reply` answers what a person asked back. Throws `SESSION_NOT_FOUND`, `ABORTED`, `HUB_UNREACHABLE`,
   * `STORE_UNAVAILABLE`; for a reply `VALIDATION` and `TOO_MANY_ROUNDS`.
   */
  resume(sessionId: string, options?: ResumeOptions): Promise<Handover>;
  /** Takes the questions back: the session is cancelled by its asker. Throws `SESSION_NOT_FOUND`, `SESSION_CLOSED`. */
  withdraw(sessionId: string, options?: { reason?: string | undefined } & Claimed & Idempotent): Promise<SessionRecord>;
  /** Outcomes that this asker has not been given, for one that names no session. */
  collect(asker: AskerInfo): Promise<Collected>;
  /** For askers whose clients can show the questions themselves; left out where none of them can. */
  readonly forms?: ClientForms | undefined;
}

/** A session as a call was given it. */
export interface Given {
  sessionId: string;
  /** Whether it was settled, and its outcome there. */
  withOutcome: boolean;
  /** Whether the reply after the deadline was there, too. */
  withReply: boolean;
  /** How many messages its thread had. */
  messages: number;
}

/** An asker whose handovers are acknowledged by id, perhaps over another connection than the one that brought them. */
export interface RelayedAsker extends Asker {
  acknowledge(given: readonly Given[], options?: AckOptions): Promise<void>;
  release(given: readonly Given[]): Promise<void>;
}

/** Makes a handover's `ack` and `nack` from what acknowledges by id. */
export function collected(
  sessions: readonly SessionRecord[],
  earlier: SessionRecord[],
  port: Pick<RelayedAsker, "acknowledge" | "release">,
): Collected {
  const given = [...sessions, ...earlier]
    .filter((session) => session.state !== "pending" || askedBack(session).length > 0)
    .map(({ id, state, reply, thread }): Given => {
      return { sessionId: id, withOutcome: state !== "pending", withReply: reply !== undefined, messages: thread.length };
    });
  return {
    earlier,
    ack: async (options) => (given.length === 0 ? undefined : port.acknowledge(given, options)),
    nack: async () => (given.length === 0 ? undefined : port.release(given).catch(() => {})),
  };
}
