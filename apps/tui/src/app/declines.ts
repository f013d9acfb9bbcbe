import type { CancelTimer, Clock } from "@askbox/core";
import type { AnswerForm } from "@askbox/inbox";

interface HeldDecline {
  form: AnswerForm;
  reason: string;
  cancelTimer: CancelTimer;
}

/** Declines that can still be undone. The hub doesn't hold them back as it does answers, so they wait here; a program that ends sends them. */
export class Declines {
  readonly #clock: Clock;
  readonly #sent: (form: AnswerForm) => void;
  readonly #held = new Map<string, HeldDecline>();
  readonly #sending = new Map<string, Promise<void>>();

  /** `sent` is called when the hub has taken or refused one. */
  constructor(clock: Clock, sent: (form: AnswerForm) => void) {
    this.#clock = clock;
    this.#sent = sent;
  }

  /** Whether it waits, or is on its way. */
  has(sessionId: string): boolean {
    return this.#held.has(sessionId) || this.#sending.has(sessionId);
  }

  /** Declines the form's session in `delay` ms. */
  hold(form: AnswerForm, reason: string, delay: number): void {
    this.undo(form.sessionId);
    const cancelTimer = this.#clock.setTimer(delay, () => this.#send(form.sessionId));
    this.#held.set(form.sessionId, { form, reason, cancelTimer });
  }

  /** Returns whether there was a decline to undo. */
  undo(sessionId: string): boolean {
    this.#held.get(sessionId)?.cancelTimer();
    return this.#held.delete(sessionId);
  }

  /** Sends them all now; resolves when the hub has them. */
  async flush(): Promise<void> {
    for (const id of [...this.#held.keys()]) this.#send(id);
    await Promise.all(this.#sending.values());
  }

  #send(id: string): void {
    const held = this.#held.get(id);
    if (held === undefined) return;
    this.undo(id);
    const sent = held.form.cancel(held.reason).then(() => {
      this.#sending.delete(id);
      this.#sent(held.form);
    });
    this.#sending.set(id, sent);
  }
}
