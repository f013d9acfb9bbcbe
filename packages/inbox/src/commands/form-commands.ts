import type { Question, SessionView } from "@askbox/core";
import { isTyped, offeredOptions, traitsOf } from "@askbox/core/questions";
import type { FormState } from "../form/editable-form.ts";
import { emptyField, type Field } from "../form/field.ts";
import { takesFiles } from "../form/field-edits.ts";
import type { KeyActionName } from "./keymap.ts";

/**
 * What can be done in an open form now, for every inbox: when a command applies, and in a word or two what it does then.
 *
 * Key handlers look here whether a command applies, and hints and the help list what does. The keys are in the keymap; the effect is the
 * surface's. What only a surface has (a cursor, a field that is typed in, pictures that can be shown) stands there.
 */

/** The words of a command where it applies; undefined where it doesn't. `question` is the one on screen; undefined in the review. */
type Applies = (state: FormState, question: Question | undefined) => string | false | undefined;

const commands = {
  undo: ({ phase }) => phase === "scheduled" && "undo",
  no: (_, question) => decides(question, "no"),
  allow: (_, question) => decides(question, "allow"),
  always: (_, question) => question !== undefined && "action" in question && !!(question.grants ?? question.agentOptions) && "allow always",
  recommended: ({ fields }, question) => question !== undefined && proposal(question, fields[question.id]),
  earlier: ({ session, step }) => session.earlierAnswer !== undefined && step === 0 && "as before",
  skip: ({ fields }, question) => question?.required === false && (fields[question.id]?.skipped ? "don't skip" : "skip"),
  note: (_, question) => question && "note",
  comment: () => "comment",
  attach: ({ session }, question) => (question ? takesFiles(question) : session.questions.some(takesFiles)) && "file",
  cancel: ({ session, mode }) => mode === "answer" && (isDecision(session) ? `${decliningWords(session)}, with a reason` : "decline"),
  askBack: ({ session, mode }) => mode === "answer" && !isAboutActions(session) && "ask first",
  moreTime: ({ mode }) => mode === "answer" && "more time",
  snooze: ({ mode }) => mode === "answer" && "snooze",
} satisfies Partial<Record<KeyActionName, Applies>>;

/** A command of an open form. */
export type FormCommand = keyof typeof commands;
/** All of them, the most useful first. */
export const formCommands = Object.keys(commands) as FormCommand[];

/** What a command does now, such as `don't skip`; undefined if it doesn't apply. */
export const formCommand = (name: FormCommand, state: FormState, question: Question | undefined): string | undefined =>
  commands[name](state, question) || undefined;

/** Whether all it asks is to allow an action, so that declining it denies that. */
export const isDecision = (session: SessionView | undefined): boolean =>
  session?.questions.length === 1 && session.questions.every((question) => traitsOf(question).picks === "decision");

/** Whether an action is to be allowed or denied, which leaves nothing to ask back. */
export const isAboutActions = ({ questions }: SessionView): boolean =>
  questions.some((question) => traitsOf(question).picks === "decision");

/** What declining a session is called: of an action, what its denial is. */
export function decliningWords(session: SessionView | undefined): string {
  const [question] = isDecision(session) ? (session?.questions ?? []) : [];
  return decides(question, "no") ?? "decline";
}

function decides(question: Question | undefined, shortcut: "no" | "allow"): string | undefined {
  if (question === undefined || traitsOf(question).picks !== "decision") return undefined;
  return offeredOptions(question)
    .find((option) => option.shortcut === shortcut)
    ?.label.toLowerCase();
}

/** What is taken over from the agent. */
function proposal(question: Question, field: Field = emptyField): string | undefined {
  if (isTyped(question)) return question.suggestion === undefined ? undefined : "suggestion";
  if (traitsOf(question).picks === "order") return field.values.length === 0 ? "keep this order" : undefined;
  return offeredOptions(question).some((option) => option.recommended) ? "recommended" : undefined;
}
