import { AskboxError } from "../errors.ts";
import type { CancelTimer, Clock, Log } from "../ports/platform.ts";
import { wordsOf } from "../session/answer.ts";
import type { Draft, DraftPatch } from "../session/draft.ts";
import type { Answerer } from "../session/outcome.ts";
import type { SessionRecord } from "../session/record.ts";
import type { ScheduledAnswer } from "../session/view.ts";
import { changeSession, notFound, type RecordedStore } from "./change.ts";

/** A draft edited within this time, in ms, delays its session's deadline. */
const editHold = 30_000;
/** The longest that typing delays a deadline, in ms. */
const maxHold = 120_000;
/** How long until an answer that could not be sent is retried, in ms. */
const retryDelay = 1_000;
const maxTries = 100;
/** The longest delay of an answer or a decline, in ms. */
export const maxDelay = 60_000;

interface DraftsOptions extends RecordedStore {
  clock: Clock;
  log: Log;
  /** A draft was changed or removed. */
  onChange(sessionId: string, draft: Draft | undefined): void;
  /** Whether the session is known to be pending. */
  isPending(sessionId: string): boolean;
  /** A draft was changed here. */
  onSaved(sessionId: string): void;
  /** A delayed answer or decline is due. */
  send(sessionId: string, answer: ScheduledAnswer): Promise<void>;
  /** The error for a request after the session is settled. */
  closed(record: SessionRecord): AskboxError;
}

interface HeldBack {
  answer: ScheduledAnswer;
  cancel: CancelTimer;
  /** It is being recalled, and must not be sent in the meantime; resolves when that has succeeded or failed. */
  recalling: Promise<void> | undefined;
  /** It is being sent; resolves when that has succeeded or failed. */
  sending: Promise<void> | undefined;
}

/** Drafts, and complete answers and declines that are delayed so that they can be undone. All are in the store. */
export class Drafts {
  readonly #options: DraftsOptions;
  readonly #editedAt = new Map<string, { at: number; revision: number }>();
  readonly #scheduled = new Map<string, HeldBack>();

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** Loads what an earlier or another hub left in the store: delayed answers are sent when due, at once if overdue. */
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
      const { comment = present.comment, files = present.files, reason = present.reason } = patch;
      const { comment: _, files: __, reason: ___, ...rest } = present;
      return { ...rest, fields, ...wordsOf({ comment, files }), ...(reason && { reason }) };
    });
    this.#editedAt.set(sessionId, { at: this.#options.clock.monotonic(), revision: draft.revision });
    return draft;
  }

  /** Creates a session's draft, unless it has one. */
  async begin(draft: Draft): Promise<void> {
    if (!(await this.#options.store.putDraft(draft, 0))) return;
    this.#noteEdit(draft);
    this.#options.onChange(draft.sessionId, draft);
    this.#options.onSaved(draft.sessionId);
  }

  /** Delays an answer or a decline until `sendAt`. Rejects if one is already delayed. */
  async schedule(sessionId: string, answer: ScheduledAnswer, idempotencyKey?: string): Promise<SessionRecord> {
    const what = answer.decline === undefined ? "answer" : "cancel";
    await this.#change(sessionId, answer.by, (present) => {
      if (idempotencyKey !== undefined && present.requests?.[what] === idempotencyKey) return present;
      if (present.scheduled !== undefined) throw alreadyOnItsWay(present.scheduled);
      return { ...present, scheduled: answer, ...marked(present, what, idempotencyKey) };
    });
    return this.#markSession(sessionId);
  }

  /** Reads the draft from the store, which another hub may have changed; a delayed answer in it is scheduled here as well. */
  async look(sessionId: string): Promise<Draft | undefined> {
    const { store, isPending } = this.#options;
    const draft = await store.getDraft(sessionId);
    this.#takeOver(sessionId, draft?.scheduled);
    if (draft === undefined) return undefined;
    this.#noteEdit(draft);
    // The session may have been settled since, with all events sent before this was recorded.
    if (!isPending(sessionId) && (await store.get(sessionId))?.state !== "pending") this.forget(sessionId);
    return draft;
  }

  /** Another hub has changed the draft. */
  async onChanged(sessionId: string): Promise<void> {
    const draft = await this.look(sessionId);
    // A missing draft was removed with its session, which is published anyway.
    if (draft !== undefined) this.#options.onChange(sessionId, draft);
  }

  /** Whether the request with this key was already carried out. */
  async hasTaken(sessionId: string, what: HeldRequest, idempotencyKey: string | undefined): Promise<boolean> {
    return idempotencyKey !== undefined && (await this.get(sessionId))?.requests?.[what] === idempotencyKey;
  }

  /** Recalls a delayed answer. Throws `CONFLICT` if there is none. */
  async recall(sessionId: string, by: Answerer, idempotencyKey?: string): Promise<void> {
    await this.look(sessionId);
    const entry = this.#scheduled.get(sessionId);
    if (entry === undefined) throw nothingToUndo();
    entry.cancel();
    const recalled = Promise.withResolvers<void>();
    entry.recalling = recalled.promise;
    // An answer that is being sent may not be recalled; if sending fails, it can be.
    await entry.sending;
    try {
      await this.#change(sessionId, by, ({ scheduled, ...present }) => {
        // Another hub may have recalled it, and may have another one by now.
        const isThere = scheduled?.sendAt === entry.answer.sendAt;
        return isThere ? { ...present, ...marked(present, "recall", idempotencyKey) } : undefined;
      });
      await this.#markSession(sessionId);
    } catch (error) {
      if (this.#scheduled.get(sessionId) === entry) this.#arm(sessionId, entry.answer);
      throw error;
    } finally {
      recalled.resolve();
    }
  }

  /** Throws if an answer is delayed now. Called with a session that was just read: a write of that one then fails if one is delayed later. */
  async mustBeFree(sessionId: string): Promise<void> {
    const draft = await this.look(sessionId);
    if (draft?.scheduled !== undefined) throw alreadyOnItsWay(draft.scheduled);
  }

  /** Sends a delayed answer now. Returns false if there is none. */
  sendNow(sessionId: string): boolean {
    const entry = this.#scheduled.get(sessionId);
    if (entry === undefined) return false;
    if (entry.recalling === undefined) this.#send(sessionId, entry);
    return true;
  }

  /**
   * Sends a delayed answer, if there is one, before a change that would discard it. Called with a session that was just read: a write of
   * that one then fails. Throws if the answer could not be sent.
   */
  async sendFirst(sessionId: string): Promise<void> {
    await this.look(sessionId);
    const entry = this.#scheduled.get(sessionId);
    if (entry === undefined) return;
    this.sendNow(sessionId);
    await (entry.recalling ?? entry.sending);
    await this.mustBeFree(sessionId);
  }

  /** How many more ms the deadline, which passed `overdue` ms ago, must wait for a person who is typing; 0 if it need not. */
  hold(sessionId: string, overdue: number): number {
    const editedAt = this.#editedAt.get(sessionId);
    if (editedAt === undefined) return 0;
    const untilIdle = editedAt.at + editHold - this.#options.clock.monotonic();
    return Math.max(0, Math.min(untilIdle, maxHold - overdue));
  }

  /** The session is settled; the store has removed its draft in the same step. */
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
    } else entry.answer = scheduled;
  }

  /** The time of the last edit is converted to monotonic time when first seen, so that jumps of the wall clock do not matter. */
  #noteEdit({ sessionId, updatedAt, revision }: Draft): void {
    if ((this.#editedAt.get(sessionId)?.revision ?? 0) >= revision) return;
    const { clock } = this.#options;
    this.#editedAt.set(sessionId, { at: clock.monotonic() - Math.max(0, clock.now() - updatedAt), revision });
  }

  /**
   * Increments the session's revision because an answer was delayed or recalled: a writer that read the session and its draft before that
   * can no longer settle it. So a delayed answer is not lost to the deadline, and a recalled one is not sent.
   */
  #markSession(sessionId: string): Promise<SessionRecord> {
    return changeSession(this.#options, sessionId, (record) => {
      if (record.state !== "pending") throw this.#options.closed(record);
      return { ...record };
    });
  }

  #arm(sessionId: string, answer: ScheduledAnswer): void {
    const entry: HeldBack = { answer, cancel: () => {}, recalling: undefined, sending: undefined };
    this.#scheduled.set(sessionId, entry);
    // The wall clock may have been set back since.
    const delay = Math.min(Math.max(0, answer.sendAt - this.#options.clock.now()), maxDelay);
    this.#sendAfter(delay, sessionId, entry);
  }

  #sendAfter(delay: number, sessionId: string, entry: HeldBack): void {
    entry.cancel = this.#options.clock.setTimer(delay, () => this.#send(sessionId, entry));
  }

  #send(sessionId: string, entry: HeldBack): void {
    entry.cancel();
    // Both its own timer and the session's deadline may trigger it.
    entry.sending ??= this.#trySending(sessionId, entry);
  }

  async #trySending(sessionId: string, entry: HeldBack): Promise<void> {
    const { log, send } = this.#options;
    try {
      await send(sessionId, entry.answer);
    } catch (error) {
      log("warn", "A delayed answer could not be sent; trying again", { sessionId, error: String(error) });
      const isStillOurs = this.#scheduled.get(sessionId) === entry && entry.recalling === undefined;
      if (isStillOurs) this.#sendAfter(retryDelay, sessionId, entry);
    } finally {
      entry.sending = undefined;
    }
  }

  /** `change` returns undefined if there is no answer to undo. */
  async #change(sessionId: string, by: Answerer, change: (present: Draft) => Draft | undefined): Promise<Draft> {
    const { store, clock, onChange } = this.#options;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const stored = await store.getDraft(sessionId);
      const revision = stored?.revision ?? 0;
      const present = stored ?? { sessionId, revision, fields: {}, updatedAt: 0, by };
      const changed = change(present);
      const next = changed && { ...changed, revision: revision + 1, updatedAt: clock.now(), by };
      if (next !== undefined && (await store.putDraft(next, revision))) {
        this.#editedAt.set(sessionId, { at: this.#editedAt.get(sessionId)?.at ?? Number.NEGATIVE_INFINITY, revision: next.revision });
        // Before the event, so that the view in it is up to date.
        this.#takeOver(sessionId, next.scheduled);
        onChange(sessionId, next);
        this.#options.onSaved(sessionId);
        return next;
      }
      const session = await store.get(sessionId);
      if (session === undefined) throw notFound(sessionId);
      if (session.state !== "pending") throw this.#options.closed(session);
      if (changed === undefined) throw nothingToUndo();
    }
    throw new AskboxError("DRAFT_CONFLICT", "The draft kept changing while it was being written; try again.");
  }
}

/** What is done with something that is held back: it is sent, or recalled. */
type HeldRequest = keyof NonNullable<Draft["requests"]>;

function marked({ requests }: Draft, what: HeldRequest, idempotencyKey: string | undefined): Pick<Draft, "requests"> {
  return idempotencyKey === undefined ? {} : { requests: { ...requests, [what]: idempotencyKey } };
}

const nothingToUndo = () => new AskboxError("CONFLICT", "There is no answer to undo in this session.");

function alreadyOnItsWay(scheduled: ScheduledAnswer): AskboxError {
  const who = scheduled.by.name === undefined ? "" : ` by ${scheduled.by.name}`;
  const [done, what] = scheduled.decline === undefined ? ["answered", "answer"] : ["declined", "decline"];
  return new AskboxError(
    "CONFLICT",
    `Already ${done} in ${scheduled.by.surface}${who}; that ${what} is about to be sent and can still be undone.`,
    {
      details: { scheduled },
    },
  );
}
