import type { Answerer, AnswerIssue, AnswerSet, AskboxError, DraftPatch, ErrorCode, Question, SessionView } from "@askbox/core";
import type { AnswerFile, AnswerProblem } from "@askbox/core/questions";
import { isAskboxError } from "@askbox/core/transport";
import type { Store, WritableStore } from "../store.ts";
import { answerOf, draftOfField, emptyField, errorOf, type Field, fieldOfAnswer, isAnswered, sameField } from "./field.ts";
import { type FieldEdit, fieldAfter, withTidyText } from "./field-edits.ts";

/** One question at a time with a review at the end, or all on one page. */
export type FormLayout = "steps" | "page";

/**
 * - `editing`: the form takes input;
 * - `sending`: an answer, reply or cancellation is on its way to the hub;
 * - `scheduled`: the hub has an answer or a decline and holds it back, so that it can be recalled;
 * - `settled`: nothing can be changed. A session that timed out is `editing` until it has a reply.
 */
export type FormPhase = "editing" | "sending" | "scheduled" | "settled";

/** What the form would send: an answer, or after the deadline a reply that is delivered with the asker's next result. */
export type FormMode = "answer" | "reply";

/** What a person can do with a form. */
export type FormAction = "submit" | "cancel" | "extend" | "recall";

/** Why the hub rejected an action in a form. */
export interface FormFailure {
  action: FormAction;
  code: ErrorCode;
  /** The hub's own English sentence. */
  message: string;
  /** For `INVALID_ANSWER`: the hub's message for each question. */
  issues: readonly AnswerIssue[];
}

/** How many questions of a form are answered. */
export interface FormProgress {
  total: number;
  answered: number;
  /** Questions that prevent sending. */
  missing: number;
}

/** The state of a form for rendering. */
export interface FormState {
  session: SessionView;
  phase: FormPhase;
  mode: FormMode;
  /** By question id. */
  fields: Readonly<Record<string, Field>>;
  comment: string;
  /** Why the person is about to decline or deny, as far as typed; the surface gives it to `cancel`. */
  reason: string;
  /** Those with the comment; never empty. */
  files: AnswerFile[] | undefined;
  /**
   * Visible errors, by question id: of fields that were left or that prevented sending. `checkAnswer` from `@askbox/core/questions` words
   * them in English.
   */
  errors: Readonly<Record<string, AnswerProblem>>;
  layout: FormLayout;
  /** 0 to the number of questions; the last is the review, which a form with a single question does not have. */
  step: number;
  /** How many steps there are, the review included. */
  steps: number;
  progress: FormProgress;
  /** Whether there is unsaved input. */
  unsaved: boolean;
  failure: FormFailure | undefined;
  /** While `scheduled`: when the answer is sent (wall time), whose it is, and whether it declines the questions. */
  scheduled: { sendAt: number; by: Answerer; declines: boolean } | undefined;
  /** Once `settled`: whether this form did it. */
  settledHere: boolean;
  /** Whether the answer is sent as soon as its files are uploaded. */
  awaitsFiles: boolean;
}

export function failureOf(action: FormAction, error: AskboxError): FormFailure {
  const issues = error.details?.["issues"];
  return { action, code: error.code, message: error.message, issues: Array.isArray(issues) ? issues : [] };
}

/** The settled session in the hub's error. */
export function standingSession(error: AskboxError): SessionView | undefined {
  const session = error.details?.["session"] as SessionView | undefined;
  return isAskboxError(error, "SESSION_CLOSED") && session?.status ? session : undefined;
}

type Fields = Readonly<Record<string, Field>>;

/** The errors of the questions in `touched`. */
export function errorsOf({ questions }: SessionView, fields: Fields, touched: ReadonlySet<string>): Record<string, AnswerProblem> {
  // Without a prototype: an agent may name a question "constructor", which must not be found if there is no error.
  const errors = Object.create(null) as Record<string, AnswerProblem>;
  for (const question of questions) {
    const error = touched.has(question.id) ? errorOf(question, fields[question.id] ?? emptyField) : undefined;
    if (error !== undefined) errors[question.id] = error;
  }
  return errors;
}

/** The index of the first question that prevents sending; -1 if none does. */
export const firstErrorOf = ({ questions }: SessionView, fields: Fields): number =>
  questions.findIndex((question) => errorOf(question, fields[question.id] ?? emptyField) !== undefined);

export function progressOf({ questions }: SessionView, fields: Fields): FormProgress {
  const count = (holds: (question: Question, field: Field) => boolean) =>
    questions.filter((question) => holds(question, fields[question.id] ?? emptyField)).length;
  return {
    total: questions.length,
    answered: count(isAnswered),
    missing: count((question, field) => errorOf(question, field) !== undefined),
  };
}

/** The element with the focus, if it is one of the form's own parts. */
export type FormPart = { questionId: string } | "comment";

/** The part of a form that a person edits: fields, comment, focus and steps. */
export abstract class EditableForm implements Store<FormState> {
  readonly #store: WritableStore<FormState>;
  /** Questions whose errors are to be shown. */
  protected readonly touched = new Set<string>();
  protected focused: FormPart | undefined;

  constructor(store: WritableStore<FormState>) {
    this.#store = store;
  }

  /** Saves the changes. */
  protected abstract save(patch: DraftPatch): void;
  /** Applies changes from other devices. */
  protected abstract mergeDraft(): void;
  /** Updates everything that depends on the fields. */
  protected abstract refresh(): void;
  protected abstract takesInput(): boolean;

  getState = (): FormState => this.#store.getState();
  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** Changes one question's field, while the form accepts input. */
  edit(questionId: string, edit: FieldEdit): void {
    this.#change(questionId, (field, question) => fieldAfter(question, field, edit));
  }

  setText(questionId: string, text: string): void {
    this.edit(questionId, { kind: "text", text });
  }

  choose(questionId: string, value: string): void {
    this.edit(questionId, { kind: "choose", value });
  }

  /** Puts an option at an index of the person's order. */
  place(questionId: string, value: string, index: number): void {
    this.edit(questionId, { kind: "place", value, index });
  }

  setOther(questionId: string, other: boolean): void {
    this.edit(questionId, { kind: "other", other });
  }

  setOtherText(questionId: string, text: string): void {
    this.edit(questionId, { kind: "otherText", text });
  }

  setNote(questionId: string, text: string): void {
    this.edit(questionId, { kind: "note", text });
  }

  setFiles(questionId: string, files: readonly AnswerFile[]): void {
    this.edit(questionId, { kind: "files", files });
  }

  setSkipped(questionId: string, skipped: boolean): void {
    this.edit(questionId, { kind: "skip", skipped });
  }

  /** Skips an optional question, and goes on to the next step. */
  skip(questionId: string): void {
    this.setSkipped(questionId, true);
    const { layout, step, session } = this.getState();
    if (layout === "steps" && session.questions[step]?.id === questionId) this.goTo(step + 1);
  }

  /** Sets the comment on all answers, and the files with it. */
  setComment(comment: string, files = this.getState().files): void {
    const present = this.getState();
    if (!this.takesInput() || (comment === present.comment && files === present.files)) return;
    this.update({ comment, files: files?.[0] && files, failure: undefined });
    this.save({ comment: comment || null, files: files ?? null });
  }

  /** Keeps why the person is about to decline or deny, until that is sent. */
  setReason(reason: string): void {
    if (!this.takesInput() || reason === this.getState().reason) return;
    this.update({ reason });
    this.save({ reason: reason || null });
  }

  /** Only ever because the person requested it. */
  pickRecommended(questionId: string): void {
    this.edit(questionId, { kind: "recommended" });
  }

  /** Fills in the earlier answer to the same question; only ever because the person requested it. */
  applyEarlierAnswer(): void {
    const { earlierAnswer } = this.getState().session;
    if (earlierAnswer === undefined) return;
    for (const answer of earlierAnswer.answers) this.#change(answer.questionId, () => fieldOfAnswer(answer));
    if (earlierAnswer.comment !== undefined) this.setComment(earlierAnswer.comment);
  }

  /**
   * Sets the focus: changes from other devices are not applied to it until it is left. Leaving a field shows its error, or its normalized
   * text.
   */
  focus(part: FormPart | undefined): void {
    const left = this.focused;
    this.focused = part;
    if (left === undefined || (typeof left === "object" && typeof part === "object" && left.questionId === part.questionId)) return;
    this.mergeDraft();
    if (left !== "comment" && !sameField(this.#field(left.questionId), emptyField)) {
      if (this.#isBegun(left.questionId) || this.#field(left.questionId).other) this.touched.add(left.questionId);
      this.#change(left.questionId, (field, question) => withTidyText(question, field));
    }
    this.refresh();
  }

  setLayout(layout: FormLayout): void {
    this.update({ layout });
  }

  goTo(step: number): void {
    const { steps } = this.getState();
    this.update({ step: Math.min(steps - 1, Math.max(0, step)) });
  }

  /**
   * Moves to the next step, and returns whether it did: an invalid answer stays, and its error is shown. A missing one does not, since it
   * may be given later.
   */
  next(): boolean {
    const { session, step } = this.getState();
    const question = session.questions[step];
    if (question !== undefined && !this.check() && this.#isBegun(question.id)) return false;
    this.goTo(step + 1);
    return true;
  }

  /** Whether there is an answer, valid or not; a note or comments alone are none. */
  #isBegun(questionId: string): boolean {
    const { values, otherText } = this.#field(questionId);
    return values.length > 0 || otherText !== "";
  }

  /** Shows the error of the current step; returns whether its answer can be sent. */
  check(): boolean {
    const { session, step } = this.getState();
    const question = session.questions[step];
    if (question === undefined) return true;
    this.touched.add(question.id);
    this.refresh();
    return this.getState().errors[question.id] === undefined;
  }

  back(): void {
    this.goTo(this.getState().step - 1);
  }

  toAnswerSet(): AnswerSet {
    const { session, fields, comment, files } = this.getState();
    const answers = session.questions.map((question) => answerOf(question, fields[question.id] ?? emptyField));
    return { answers, ...(comment.trim() && { comment }), ...(files && { files }) };
  }

  protected update(change: Partial<FormState>): void {
    this.#store.setState({ ...this.getState(), ...change });
  }

  #field(questionId: string): Field {
    return this.getState().fields[questionId] ?? emptyField;
  }

  #change(questionId: string, change: (field: Field, question: Question) => Field): void {
    const { session, fields } = this.getState();
    const question = session.questions.find(({ id }) => id === questionId);
    if (question === undefined || !this.takesInput()) return;
    const present = this.#field(questionId);
    const next = change(present, question);
    if (sameField(present, next)) return;
    this.update({ fields: { ...fields, [questionId]: next }, failure: undefined });
    this.save({ fields: { [questionId]: draftOfField(next) } });
    this.refresh();
  }
}
