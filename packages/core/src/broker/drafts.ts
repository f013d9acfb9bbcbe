import { AskboxError } from "../errors.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { Log } from "../ports/logger.ts";
import type { SessionStore } from "../ports/store.ts";
import type { Answerer } from "../session/actor.ts";
import type { Draft, DraftPatch } from "../session/draft.ts";
import type { SessionRecord } from "../session/record.ts";
import type { ScheduledAnswer } from "../session/view.ts";
import type { AuditWriter } from "./audit-writer.ts";
import { changeSession, notFound } from "./change.ts";

/** A draft edited this recently, in ms, holds its session's deadline. */
const editHold = 30_000;
/** The longest that typing holds a deadline, in ms. */
const maxHold = 120_000;
/** After this many ms an answer that could not be sent is tried again. */
const retryDelay = 1_000;
const maxTries = 100;
/** The longest that an answer is held back, in ms. */
export const maxDelay = 60_000;

interface DraftsOptions {
  store: SessionStore;
  /** The record of approvals. */
  audit: AuditWriter;
  clock: Clock;
  log: Log;
  /** A draft has changed, or is gone. */
  onChange(sessionId: string, draft: Draft | undefined): void;
  /** Whether the session is known to be pending. */
  isPending(sessionId: string): boolean;
  /** A draft was changed here. */
  onSaved(sessionId: string): void;
  /** A held-back answer's time has come. */
  send(sessionId: string, answer: ScheduledAnswer): Promise<void>;
  /** The error for anyone who comes after the session is settled. */
  closed(record: SessionRecord): AskboxError;
}

interface HeldBack {
  answer: ScheduledAnswer;
  cancel: CancelTimer;
  /** It is being taken back, and must not leave meanwhile. */
  recalling: boolean;
  /** It is being sent; resolves when that is over, well or badly. */
  sending: Promise<void> | undefined;
}

/** Half-written answers, and complete ones that are held back for a moment so that they can be undone. Both are in the store. */
export class Drafts {
  readonly #options: DraftsOptions;
  readonly #editedAt = new Map<string, { at: number; revision: number }>();
  readonly #scheduled = new Map<string, HeldBack>();

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** Takes up what is in the store, left by an earlier hub or by another: held-back answers are sent when due, at once if overdue. */
  async recover(): Promise<void> {
    for (const draft of await this.#options.store.listDrafts()) await this.look(draft.sessionId);
  }

  scheduledFor(sessionId: string): ScheduledAnswer | undefined {
    return this.#scheduled.get(sessionId)?.answer;
  }

  get(sessionId: string): Promise<Draft | undefined> {
    return this.#options.store.getDraft(sessionId);
  }

  async save(sessionId: string, patch: DraftPatch, by: Answerer): Promise<Draft> {
    const draft = await this.#change(sessionId, by, (present) => {
      const fields = { ...present.fields };
      for (const [questionId, field] of Object.entries(patch.fields ?? {})) {
        if (field === null) delete fields[questionId];
        else fields[questionId] = field;
      }
      const comment = patch.comment === undefined ? present.comment : (patch.comment ?? undefined);
      const { comment: _, ...rest } = present;
      return { ...rest, fields, ...(comment === undefined ? {} : { comment }) };
    });
    this.#editedAt.set(sessionId, { at: this.#options.clock.monotonic(), revision: draft.revision });
    return draft;
  }

  /** Begins a session's draft with what is given, unless it has one. */
  async begin(draft: Draft): Promise<void> {
    if (!(await this.#options.store.putDraft(draft, 0))) return;
    this.#noteEdit(draft);
    this.#options.onChange(draft.sessionId, draft);
    this.#options.onSaved(draft.sessionId);
  }

  /** Holds an answer back until `sendAt`. The first one stays; a second is refused. */
  async schedule(sessionId: string, answer: ScheduledAnswer, idempotencyKey?: string): Promise<SessionRecord> {
    await this.#change(sessionId, answer.by, (present) => {
      if (idempotencyKey !== undefined && present.requests?.answer === idempotencyKey) return present;
      if (present.scheduled !== undefined) throw alreadyOnItsWay(present.scheduled);
      return { ...present, scheduled: answer, ...marked(present, "answer", idempotencyKey) };
    });
    return this.#markSession(sessionId);
  }

  /** The draft as it is in the store, which another hub may have changed; what is held back in it is held back here as well. */
  async look(sessionId: string): Promise<Draft | undefined> {
    const { store, isPending } = this.#options;
    const draft = await store.getDraft(sessionId);
    this.#takeOver(sessionId, draft?.scheduled);
    if (draft === undefined) return undefined;
    this.#noteEdit(draft);
    // Its session may have been settled since, and everybody notified of it before this was noted.
    if (!isPending(sessionId) && (await store.get(sessionId))?.state !== "pending") this.forget(sessionId);
    return draft;
  }

  /** Another hub has changed the draft. */
  async onChanged(sessionId: string): Promise<void> {
    const draft = await this.look(sessionId);
    // One that is gone went with its session, of which everybody is told.
    if (draft !== undefined) this.#options.onChange(sessionId, draft);
  }

  /** Whether the request of this key was carried out before. */
  async hasTaken(sessionId: string, what: "answer" | "recall", idempotencyKey: string | undefined): Promise<boolean> {
    return idempotencyKey !== undefined && (await this.get(sessionId))?.requests?.[what] === idempotencyKey;
  }

  /** Takes a held-back answer back. False when there is none. */
  async recall(sessionId: string, by: Answerer, idempotencyKey?: string): Promise<boolean> {
    await this.look(sessionId);
    const entry = this.#scheduled.get(sessionId);
    if (entry === undefined) return false;
    entry.cancel();
    entry.recalling = true;
    // What is leaving at this moment may not be called back; if it stays, it is taken back as any other.
    await entry.sending;
    try {
      await this.#change(sessionId, by, ({ scheduled: _, ...present }) => ({ ...present, ...marked(present, "recall", idempotencyKey) }));
      await this.#markSession(sessionId);
    } catch (error) {
      if (this.#scheduled.get(sessionId) === entry) this.#arm(sessionId, entry.answer);
      throw error;
    }
    return true;
  }

  /** Sends a held-back answer now. False when there is none. */
  sendNow(sessionId: string): boolean {
    const entry = this.#scheduled.get(sessionId);
    if (entry === undefined) return false;
    if (!entry.recalling) this.#send(sessionId, entry);
    return true;
  }

  /** Resolves when a held-back answer, if there is one, has been sent as far as it can be. */
  async sent(sessionId: string): Promise<void> {
    await this.look(sessionId);
    if (this.sendNow(sessionId)) await this.#scheduled.get(sessionId)?.sending;
  }

  /** How many ms longer the deadline, which passed `overdue` ms ago, must wait for a person who is typing; 0 for not at all. */
  hold(sessionId: string, overdue: number): number {
    const editedAt = this.#editedAt.get(sessionId);
    if (editedAt === undefined) return 0;
    const untilIdle = editedAt.at + editHold - this.#options.clock.monotonic();
    return Math.max(0, Math.min(untilIdle, maxHold - overdue));
  }

  /** The session is settled; the store has erased its draft in the same step. */
  forget(sessionId: string): void {
    this.#scheduled.get(sessionId)?.cancel();
    this.#scheduled.delete(sessionId);
    if (this.#editedAt.delete(sessionId)) this.#options.onChange(sessionId, undefined);
  }

  close(): void {
    for (const { cancel } of this.#scheduled.values()) cancel();
    this.#scheduled.clear();
  }

  #takeOver(sessionId: string, scheduled: ScheduledAnswer | undefined): void {
    const entry = this.#scheduled.get(sessionId);
    if (scheduled === undefined) {
      entry?.cancel();
      this.#scheduled.delete(sessionId);
    } else if (entry?.answer.sendAt !== scheduled.sendAt) {
      entry?.cancel();
      this.#arm(sessionId, scheduled);
    }
  }

  /** How long ago it was edited is turned into monotonic time when it is first seen, so that a wall clock that jumps says nothing about it. */
  #noteEdit({ sessionId, updatedAt, revision }: Draft): void {
    if ((this.#editedAt.get(sessionId)?.revision ?? 0) >= revision) return;
    const { clock } = this.#options;
    this.#editedAt.set(sessionId, { at: clock.monotonic() - Math.max(0, clock.now() - updatedAt), revision });
  }

  /**
   * Gives the session a revision, because an answer to it is held back, or no longer: whoever read the session and its draft before cannot settle it
   * any more by what they read. So an answer that is held back is not lost to the deadline, and one that was taken back is not sent.
   */
  #markSession(sessionId: string): Promise<SessionRecord> {
    return changeSession(this.#options, sessionId, (record) => {
      if (record.state !== "pending") throw this.#options.closed(record);
      return { ...record };
    });
  }

  #arm(sessionId: string, answer: ScheduledAnswer): void {
    const entry: HeldBack = { answer, cancel: () => {}, recalling: false, sending: undefined };
    this.#scheduled.set(sessionId, entry);
    // The wall clock may have been put back since.
    const delay = Math.min(Math.max(0, answer.sendAt - this.#options.clock.now()), maxDelay);
    this.#sendAfter(delay, sessionId, entry);
  }

  #sendAfter(delay: number, sessionId: string, entry: HeldBack): void {
    entry.cancel = this.#options.clock.setTimer(delay, () => this.#send(sessionId, entry));
  }

  #send(sessionId: string, entry: HeldBack): void {
    entry.cancel();
    // Its own time and the session's deadline may both come to it.
    entry.sending ??= this.#trySending(sessionId, entry);
  }

  async #trySending(sessionId: string, entry: HeldBack): Promise<void> {
    const { log, send } = this.#options;
    try {
      await send(sessionId, entry.answer);
    } catch (error) {
      log("warn", "An answer that was held back could not be sent; trying again", { sessionId, error: String(error) });
      const isStillOurs = this.#scheduled.get(sessionId) === entry && !entry.recalling;
      if (isStillOurs) this.#sendAfter(retryDelay, sessionId, entry);
    } finally {
      entry.sending = undefined;
    }
  }

  async #change(sessionId: string, by: Answerer, change: (present: Draft) => Draft): Promise<Draft> {
    const { store, clock, onChange } = this.#options;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const stored = await store.getDraft(sessionId);
      const revision = stored?.revision ?? 0;
      const present = stored ?? { sessionId, revision, fields: {}, updatedAt: 0, by };
      const next = { ...change(present), revision: revision + 1, updatedAt: clock.now(), by };
      if (await store.putDraft(next, revision)) {
        this.#editedAt.set(sessionId, { at: this.#editedAt.get(sessionId)?.at ?? Number.NEGATIVE_INFINITY, revision: next.revision });
        // Before anybody is told, so that the view they receive has it.
        this.#takeOver(sessionId, next.scheduled);
        onChange(sessionId, next);
        this.#options.onSaved(sessionId);
        return next;
      }
      const session = await store.get(sessionId);
      if (session === undefined) throw notFound(sessionId);
      if (session.state !== "pending") throw this.#options.closed(session);
    }
    throw new AskboxError("DRAFT_CONFLICT", "The draft kept changing while it was being written; try again.");
  }
}

function marked({ requests }: Draft, what: "answer" | "recall", idempotencyKey: string | undefined): Pick<Draft, "requests"> {
  return idempotencyKey === undefined ? {} : { requests: { ...requests, [what]: idempotencyKey } };
}

export function alreadyOnItsWay(scheduled: ScheduledAnswer): AskboxError {
  const who = scheduled.by.name === undefined ? "" : ` by ${scheduled.by.name}`;
  return new AskboxError(
    "CONFLICT",
    `Already answered in ${scheduled.by.surface}${who}; that answer is about to be sent and can still be undone.`,
    {
      details: { scheduled },
    },
  );
}
