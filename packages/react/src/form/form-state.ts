import type { Answerer, AnswerIssue, ErrorCode, SessionView } from "@askbox/core";
import type { AnswerFile, AnswerProblem } from "@askbox/core/questions";
import type { Field } from "./field.ts";

/** One question at a time with a review at the end, or all on one page. */
export type FormLayout = "steps" | "page";

/**
 * - `editing`: the form takes input;
 * - `sending`: an answer, reply or cancellation is on its way to the hub;
 * - `scheduled`: the hub has an answer and holds it back, so that it can be recalled;
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
  /** While `scheduled`: when the answer is sent (wall time), and whose it is. */
  scheduled: { sendAt: number; by: Answerer } | undefined;
  /** Once `settled`: whether this form did it. */
  settledHere: boolean;
  /** Whether the answer is sent as soon as its files are uploaded. */
  awaitsFiles: boolean;
}
