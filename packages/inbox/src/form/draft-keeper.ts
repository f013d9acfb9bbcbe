import type { CancelTimer, Clock, Desk, DraftPatch } from "@askbox/core";
import { isAskboxError } from "@askbox/core/transport";

/** Stores unsaved input across a crash or a reload of the surface. */
export interface UnsavedDrafts {
  load(sessionId: string): UnsavedDraft | undefined;
  save(sessionId: string, unsaved: UnsavedDraft): void;
  remove(sessionId: string): void;
}

/** What was entered and has not been saved yet. */
export interface UnsavedDraft {
  patch: DraftPatch;
  /** Wall time of the last edit. */
  at: number;
  /** The draft's highest revision that can be this surface's own: the last it knew, and the next if a save was on its way. */
  revision?: number | undefined;
}

export interface DraftKeeperOptions {
  desk: Pick<Desk, "saveDraft">;
  sessionId: string;
  clock: Clock;
  /** Milliseconds from the first unsaved edit until it is saved. */
  saveAfter: number;
  /** Milliseconds until a failed save is retried. */
  retryAfter: number;
  unsaved: UnsavedDrafts | undefined;
  /** The revision of the draft that is known. */
  revision(): number;
  /** `pending` has changed. */
  onChange(): void;
}

/** Saves the input to the hub, a moment after each edit, and retries until the hub has it. */
export class DraftKeeper {
  readonly #options: DraftKeeperOptions;
  #waiting: DraftPatch | undefined;
  #sending: DraftPatch | undefined;
  #cancelTimer: CancelTimer | undefined;
  #idle: PromiseWithResolvers<void> | undefined;
  #stopped = false;

  constructor(options: DraftKeeperOptions) {
    this.#options = options;
  }

  /** Whether there is unsaved input. */
  get pending(): boolean {
    return this.#waiting !== undefined || this.#sending !== undefined;
  }

  /** Whether this question's field, the comment or the reason is unsaved. */
  isPending(field: { questionId: string } | "comment" | "reason"): boolean {
    return [this.#waiting, this.#sending].some((patch) => {
      if (patch === undefined) return false;
      return typeof field === "string" ? patch[field] !== undefined : Object.hasOwn(patch.fields ?? {}, field.questionId);
    });
  }

  change(patch: DraftPatch): void {
    if (this.#stopped) return;
    this.#waiting = merged(this.#waiting, patch);
    this.#remember();
    if (this.#sending === undefined) this.#arm(this.#options.saveAfter);
    this.#options.onChange();
  }

  /** Saves immediately; resolves when everything is saved, or the keeper is stopped. */
  flush(): Promise<void> {
    if (!this.pending) return Promise.resolve();
    this.#idle ??= Promise.withResolvers<void>();
    if (this.#sending === undefined) void this.#send();
    return this.#idle.promise;
  }

  /** The session is settled: there is nothing left to save. */
  stop(): void {
    this.#stopped = true;
    this.#cancelTimer?.();
    this.#waiting = undefined;
    this.#sending = undefined;
    this.#remember();
    this.#becomeIdle();
  }

  #arm(delay: number): void {
    this.#cancelTimer ??= this.#options.clock.setTimer(delay, () => {
      this.#cancelTimer = undefined;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    const patch = this.#waiting;
    if (patch === undefined || this.#sending !== undefined) return;
    const { desk, sessionId, retryAfter, onChange } = this.#options;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#sending = patch;
    this.#waiting = undefined;
    let failed = false;
    try {
      await desk.saveDraft(sessionId, patch);
    } catch (error) {
      if (isAskboxError(error, "SESSION_CLOSED") || isAskboxError(error, "SESSION_NOT_FOUND")) return this.stop();
      failed = true;
    }
    if (this.#stopped) return;
    this.#sending = undefined;
    // Input entered in the meantime is newer than the failed save.
    if (failed) this.#waiting = merged(patch, this.#waiting ?? {});
    this.#remember();
    if (failed) this.#arm(retryAfter);
    else if (this.#waiting === undefined) this.#becomeIdle();
    else if (this.#idle === undefined) this.#arm(this.#options.saveAfter);
    else void this.#send();
    onChange();
  }

  #becomeIdle(): void {
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  #remember(): void {
    const { unsaved, sessionId, clock, revision } = this.#options;
    if (unsaved === undefined) return;
    const lacking = merged(this.#sending, this.#waiting ?? {});
    if (Object.keys(lacking).length === 0) unsaved.remove(sessionId);
    else unsaved.save(sessionId, { patch: lacking, at: clock.now(), revision: revision() + (this.#sending ? 1 : 0) });
  }
}

function merged(older: DraftPatch | undefined, newer: DraftPatch): DraftPatch {
  const fields = { ...older?.fields, ...newer.fields };
  return { ...older, ...newer, ...(Object.keys(fields)[0] && { fields }) };
}
