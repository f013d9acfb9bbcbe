import type { AnswerSet, DraftPatch, Question } from "@askbox/core";
import type { AnswerFile } from "@askbox/core/questions";
import type { Store, WritableStore } from "../store.ts";
import { answerOf, draftOfField, emptyField, type Field, fieldOfAnswer, sameField } from "./field.ts";
import { type FieldEdit, fieldAfter, withTidyText } from "./field-edits.ts";
import type { FormLayout, FormState } from "./form-state.ts";

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
