import type { AskerInfo } from "../session/asker-info.ts";
import type { AskRequest, SessionRecord } from "../session/record.ts";
import type { ClientForms } from "./client-forms.ts";
import type { Signal } from "./signal.ts";

export interface OpenOptions {
  asker: AskerInfo;
  /** The asker's own name for this ask: an ask with the key of a pending session joins it. */
  key?: string;
  /** Refuse with `UNKNOWN_AGENT` when agents are registered and the asker's agent id is not one of theirs. */
  registeredOnly?: boolean;
}

export interface Opened {
  session: SessionRecord;
  /** Whether the ask joined a session that was there already. */
  joined: boolean;
  /** The session is settled already: its answer came after the call that asked had gone. */
  late: boolean;
}

export interface WaitOptions {
  /** Ends the wait with `ABORTED`; the asker then counts as away. The session stays. */
  signal?: Signal;
  /**
   * Milliseconds; when they are over and the session is still pending, `wait` resolves with it and the asker counts as coming back.
   * 0 is a look, which attaches nobody.
   */
  ticketAfter?: number;
}

/**
 * How an agent asks. An asker sees only sessions of its own token and can never answer; `forms` is the one narrow way for a person's answer to come from its side.
 * Prove an implementation with `askerContract` from `@askbox/core/testing`.
 */
export interface Asker {
  /**
   * Puts questions to people, or joins the session that already does (see the design's "Asking again").
   * Throws `UNKNOWN_AGENT`, `TOO_MANY_PENDING`, `RATE_LIMITED`, `STORE_UNAVAILABLE`, `HUB_UNREACHABLE`.
   */
  open(request: AskRequest, options: OpenOptions): Promise<Opened>;
  /** Resolves with the session when it settles, at once if it has. Throws `SESSION_NOT_FOUND`, `ABORTED`. */
  wait(sessionId: string, options?: WaitOptions): Promise<SessionRecord>;
  /** Takes the questions back: the session is cancelled by its asker. Throws `SESSION_NOT_FOUND`, `SESSION_CLOSED`. */
  withdraw(sessionId: string, options?: { reason?: string }): Promise<SessionRecord>;
  /** Records that the asker was given the outcome (and the reply, if there is one). Repeating it changes nothing. */
  delivered(sessionId: string, options?: { callId?: string }): Promise<void>;
  /**
   * Says that an outcome which this asker was handed will not be written: the next call may have it at once, instead of after 5 s. One that was
   * delivered, or is another's, is no error.
   */
  release(sessionId: string): Promise<void>;
  /** Settled sessions of this asker whose outcome or reply it has not been given, oldest first; at most 20. */
  earlier(asker: AskerInfo): Promise<SessionRecord[]>;
  /** For askers whose clients can show the questions themselves; left out where none of them can. */
  readonly forms?: ClientForms;
}
