import type { AnswerSet, AskboxError, Clock, Desk, Draft, DraftPatch, ScheduledAnswer, SessionView } from "@askbox/core";
import { own, traitsOf } from "@askbox/core/questions";
import { toAskboxError } from "@askbox/core/transport";
import { createStore } from "../store.ts";
import { DraftKeeper, type UnsavedDrafts } from "./draft-keeper.ts";
import {
  EditableForm,
  errorsOf,
  type FormAction,
  type FormLayout,
  type FormPhase,
  type FormState,
  failureOf,
  firstErrorOf,
  progressOf,
  standingSession,
} from "./editable-form.ts";
import { answerOf, emptyField, type Field, fieldOfDraft } from "./field.ts";

/** Options of an `AnswerForm`. */
export interface AnswerFormOptions {
  desk: Desk;
  clock: Clock;
  /** The hub's current draft. */
  draft?: Draft | undefined;
  /** Default `steps`. */
  layout?: FormLayout | undefined;
  /** Milliseconds from an edit until it is saved as a draft. Default 300. */
  saveAfter?: number | undefined;
  /** Milliseconds until a failed save is retried. Default 2,000. */
  retryAfter?: number | undefined;
  /** Stores unsaved input, in case the surface crashes. */
  unsaved?: UnsavedDrafts | undefined;
  /** Called with the session that an operation of this form resolved with. */
  onSession?: ((session: SessionView) => void) | undefined;
}

/**
 * One person's answer to one session while it is being edited. It has no UI and no timers of its own beyond saving: it changes when its
 * methods are called.
 */
export class AnswerForm extends EditableForm {
  readonly sessionId: string;
  readonly #options: AnswerFormOptions;
  readonly #keeper: DraftKeeper;
  #draft: Draft | undefined;
  #phase: FormPhase = "editing";
  #scheduled: ScheduledAnswer | undefined;
  /** The status that what this form has sent with a delay leads to. */
  #scheduledHere: "answered" | "cancelled" | undefined;
  #settledHere = false;
  /** Files on their way, each with its question, unless it comes with the comment. */
  readonly #uploads = new Map<Promise<boolean>, string | undefined>();
  /** A change of the session that arrived during an operation of this form: the reply to that shows who made it. */
  #arrived: SessionView | undefined;

  constructor(session: SessionView, options: AnswerFormOptions) {
    const { desk, clock, draft, saveAfter = 300, retryAfter = 2_000, unsaved, layout = "steps" } = options;
    super(createStore(initialState(session, draft, layout)));
    this.sessionId = session.id;
    this.#options = options;
    const revision = () => this.#draft?.revision ?? 0;
    const onChange = () => this.refresh();
    this.#keeper = new DraftKeeper({ desk, sessionId: session.id, clock, saveAfter, retryAfter, unsaved, revision, onChange });
    this.#draft = draft;
    this.#takeSchedule(draft);
    this.#takeStatus(session);
    this.#restoreUnsaved();
    this.refresh();
  }

  /**
   * Tells of a file that is being uploaded, to a question's answer or with the comment: `submit` waits for it, and sends nothing if that
   * resolves with false. It may not reject.
   */
  expectFile(questionId: string | undefined, upload: Promise<boolean>): void {
    this.#uploads.set(upload, questionId);
    void upload.then(() => this.#uploads.delete(upload));
  }

  /**
   * Sends the answer, or after a timeout the reply. With `delay` (ms) the hub delays the answer, so that `recall` can undo it. Resolves
   * with whether it was accepted; if not, `errors` and `failure` say why, and the step becomes the first with an error.
   */
  async submit({ delay = 0 }: { delay?: number } = {}): Promise<boolean> {
    if (this.getState().awaitsFiles) return false;
    for (const [upload, questionId] of this.#uploads) {
      this.update({ awaitsFiles: true });
      const isAttached = await upload;
      this.update({ awaitsFiles: false });
      if (!isAttached) {
        if (questionId) this.goTo(this.getState().session.questions.findIndex(({ id }) => id === questionId));
        return false;
      }
    }
    if (!this.takesInput()) return false;
    const { session, mode } = this.getState();
    for (const { id } of session.questions) this.touched.add(id);
    this.refresh();
    const wrong = firstErrorOf(session, this.getState().fields);
    if (wrong >= 0) {
      this.goTo(wrong);
      return false;
    }
    const { desk } = this.#options;
    const set = this.toAnswerSet();
    if (mode === "reply") return this.#operate("submit", () => desk.reply(session.id, set));
    if (delay > 0) void this.#keeper.flush();
    return this.#answer(set, delay);
  }

  /** Undoes an answer or a decline that was sent with a delay. */
  async recall(): Promise<boolean> {
    if (this.#phase !== "scheduled") return false;
    return this.#perform("recall", async () => {
      const session = await this.#options.desk.recall(this.sessionId);
      this.#scheduled = undefined;
      this.#scheduledHere = undefined;
      this.#phase = "editing";
      return session;
    });
  }

  /** Declines the questions, or denies the action. With `delay` (ms) the hub holds that back, so that `recall` can undo it. */
  async cancel(reason?: string, { delay = 0 }: { delay?: number } = {}): Promise<boolean> {
    if (!this.takesInput() || this.getState().mode === "reply") return false;
    const { session, fields } = this.getState();
    const words = reason?.trim() && reason;
    const decision =
      session.questions.length === 1 ? session.questions.find((question) => traitsOf(question).picks === "decision") : undefined;
    if (decision !== undefined) {
      const { comments } = fields[decision.id] ?? emptyField;
      const answer = answerOf(decision, { ...emptyField, values: ["deny"], other: Boolean(words), otherText: words || "", comments });
      return this.#answer({ answers: [answer] }, delay);
    }
    this.#scheduledHere = delay > 0 ? "cancelled" : undefined;
    const options = { ...(words && { reason: words }), ...(delay > 0 && { delay }) };
    return this.#operate("cancel", () => this.#options.desk.cancel(this.sessionId, options));
  }

  /** Extends the deadline: `timeout` ms from now, or null for no deadline. */
  extend(timeout: number | null): Promise<boolean> {
    return this.#perform("extend", () => this.#options.desk.extend(this.sessionId, { timeout }));
  }

  /** Applies the session's current state. */
  accept(session: SessionView): void {
    const known = this.getState().session;
    if (session === known || session.revision < known.revision) return;
    if (this.#phase === "sending" && session.status !== known.status) this.#arrived = session;
    else {
      this.update({ session });
      this.#takeStatus(session);
      this.refresh();
    }
  }

  /** Applies the hub's current draft, except for fields that are being edited here. */
  acceptDraft(draft: Draft): void {
    if (draft.revision < (this.#draft?.revision ?? 0)) return;
    this.#draft = draft;
    this.#takeSchedule(draft);
    this.mergeDraft();
    this.refresh();
  }

  /** Saves the input to the hub now; resolves when that is done. */
  flush(): Promise<void> {
    return this.#keeper.flush();
  }

  protected override takesInput(): boolean {
    return this.#phase === "editing";
  }

  protected override save(patch: DraftPatch): void {
    if (this.getState().session.status === "pending") this.#keeper.change(patch);
  }

  #restoreUnsaved(): void {
    const unsaved = this.#options.unsaved?.load(this.sessionId);
    if (unsaved === undefined || this.getState().session.status !== "pending") return;
    const { updatedAt = 0, revision = 0 } = this.#draft ?? {};
    if (unsaved.at < updatedAt && revision > (unsaved.revision ?? 0)) {
      this.#options.unsaved?.remove(this.sessionId);
      return;
    }
    const { session, fields } = this.getState();
    const restored = { ...fields };
    for (const { id } of session.questions) {
      const field = own(unsaved.patch.fields, id);
      if (field !== undefined) restored[id] = fieldOfDraft(field ?? undefined);
    }
    const { comment, reason } = unsaved.patch;
    this.update({
      fields: restored,
      ...(comment !== undefined && saidIn(unsaved.patch)),
      ...(reason !== undefined && { reason: reason ?? "" }),
    });
    this.#keeper.change(unsaved.patch);
  }

  protected override mergeDraft(): void {
    const draft = this.#draft;
    const { session, fields } = this.getState();
    if (draft === undefined || session.status !== "pending") return;
    const merged = { ...fields };
    for (const { id } of session.questions) {
      const isOurs = this.#keeper.isPending({ questionId: id }) || (typeof this.focused === "object" && this.focused.questionId === id);
      if (!isOurs) merged[id] = fieldOfDraft(own(draft.fields, id), fields[id]);
    }
    const isOurs = this.focused === "comment" || this.#keeper.isPending("comment");
    const { reason = "" } = draft;
    this.update({ fields: merged, ...(!isOurs && saidIn(draft)), ...(!this.#keeper.isPending("reason") && { reason }) });
  }

  #takeSchedule(draft: Draft | undefined): void {
    this.#scheduled = draft?.scheduled;
    if (this.#phase === "editing" && this.#scheduled !== undefined) this.#phase = "scheduled";
    else if (this.#phase === "scheduled" && this.#scheduled === undefined) this.#phase = "editing";
  }

  #takeStatus({ status, reply }: SessionView): void {
    if (status === "pending") return;
    this.#keeper.stop();
    this.#scheduled = undefined;
    const isOver = this.getState().session.questions.some((question) => traitsOf(question).picks === "decision");
    const open = status === "timed_out" && reply === undefined && !isOver;
    if (this.#phase === "scheduled" && this.#scheduledHere === status) this.#settledHere = true;
    this.#phase = open ? "editing" : "settled";
    if (open) this.update({ mode: "reply" });
  }

  #answer(set: AnswerSet, delay: number): Promise<boolean> {
    this.#scheduledHere = delay > 0 ? "answered" : undefined;
    return this.#operate("submit", () => this.#options.desk.answer(this.sessionId, set, delay > 0 ? { delay } : {}));
  }

  /** Runs an operation that settles the session, or fails. */
  async #operate(action: FormAction, run: () => Promise<SessionView>): Promise<boolean> {
    this.#phase = "sending";
    this.refresh();
    return this.#perform(action, async () => {
      const session = await run();
      this.#arrived = undefined;
      if (session.status === "pending") this.#scheduled = session.scheduled;
      else this.#settledHere = true;
      this.#phase = session.scheduled === undefined ? "editing" : "scheduled";
      return session;
    });
  }

  async #perform(action: FormAction, run: () => Promise<SessionView>): Promise<boolean> {
    this.update({ failure: undefined });
    try {
      const session = await run();
      this.accept(session);
      this.refresh();
      this.#options.onSession?.(session);
      return true;
    } catch (thrown) {
      this.#fail(action, toAskboxError(thrown));
      return false;
    }
  }

  #fail(action: FormAction, error: AskboxError): void {
    if (this.#phase === "sending") this.#phase = this.#scheduled === undefined ? "editing" : "scheduled";
    const standing = this.#arrived ?? standingSession(error);
    this.#arrived = undefined;
    this.update({ failure: failureOf(action, error) });
    if (standing !== undefined) {
      this.accept(standing);
      this.#options.onSession?.(standing);
    }
    this.refresh();
  }

  /** Updates everything that depends on the fields and the phase. */
  protected override refresh(): void {
    const { session, fields } = this.getState();
    this.update({
      phase: this.#phase,
      errors: errorsOf(session, fields, this.touched),
      progress: progressOf(session, fields),
      unsaved: this.#keeper.pending,
      scheduled: this.#scheduled && {
        sendAt: this.#scheduled.sendAt,
        by: this.#scheduled.by,
        declines: this.#scheduled.decline !== undefined,
      },
      settledHere: this.#settledHere,
    });
  }
}

const saidIn = ({ comment, files }: DraftPatch): Pick<FormState, "comment" | "files"> => ({
  comment: comment ?? "",
  files: files?.[0] && files,
});

function initialState(session: SessionView, draft: Draft | undefined, layout: FormLayout): FormState {
  // keys: every question of the session is in it, each by its own id.
  const fields: Record<string, Field> = {};
  for (const { id } of session.questions) fields[id] = fieldOfDraft(own(draft?.fields, id));
  const count = session.questions.length;
  return {
    session,
    phase: "editing",
    mode: session.status === "pending" ? "answer" : "reply",
    fields,
    ...saidIn(draft ?? {}),
    reason: draft?.reason ?? "",
    errors: {},
    layout,
    step: 0,
    steps: count > 1 ? count + 1 : 1,
    progress: progressOf(session, fields),
    unsaved: false,
    failure: undefined,
    scheduled: undefined,
    settledHere: false,
    awaitsFiles: false,
  };
}
