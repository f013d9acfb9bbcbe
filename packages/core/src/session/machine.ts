import { assign, createActor, createMachine } from "xstate";
import { defined } from "../objects.ts";
import { type Answer, type AnswerSet, wordsOf } from "./answer.ts";
import type { Actor, Outcome } from "./outcome.ts";
import { type AnswerIssue, checkAnswers, type Question } from "./questions/index.ts";
import type { SessionState } from "./record.ts";
import { hasRoom, type ThreadMessage } from "./thread.ts";

/** What can happen to a session. */
export type SessionEvent =
  | (AnswerSet & { type: "ANSWER"; by: Actor; at: number })
  | { type: "CANCEL"; reason?: string | undefined; by: Actor; at: number }
  | { type: "DEADLINE_PASSED"; at: number }
  | { type: "EXTEND"; deadlineAt: number | null; by: Actor }
  /** A person asks back, or the agent replies. A deadline that is not later than the current one is ignored. */
  | { type: "MESSAGE"; message: ThreadMessage; deadlineAt: number | null };

/** The session machine's context. */
export interface MachineContext {
  questions: readonly Question[];
  /** Wall time; null for no deadline. */
  deadlineAt: number | null;
  outcome?: Outcome | undefined;
  thread: readonly ThreadMessage[];
}

/** A state of the machine with its context, free of any XState type. */
export interface MachineSnapshot {
  state: SessionState;
  context: MachineContext;
}

/** What the machine starts with. */
export interface MachineInput {
  questions: readonly Question[];
  /** Wall time; null for no deadline. */
  deadlineAt: number | null;
}

const isLater = (next: number | null, present: number | null) => present !== null && (next === null || next > present);

/** Answers that the guard accepted, as they are stored. */
function normalized(questions: readonly Question[], answers: readonly Answer[]): Answer[] {
  const checked = checkAnswers(questions, answers);
  return checked.ok ? checked.answers : [];
}

/**
 * The life of one session, as an XState machine. Pure: no clock, no ids, no randomness. The deadline is context and its passing an event, so
 * an actor of it waits for nothing. There are no root-level handlers, since those would still run in a final state. `step` takes the same
 * transitions without an actor.
 *
 * @example
 * ```ts
 * import { sessionMachine } from "@askbox/core/machine";
 * import { createActor } from "xstate";
 *
 * const actor = createActor(sessionMachine, { input: { questions: [], deadlineAt: null } }).start();
 * actor.send({ type: "CANCEL", by: { surface: "cli" }, at: 1 });
 * ```
 */
export const sessionMachine = createMachine({
  // Stryker disable next-line ObjectLiteral: not used at runtime.
  types: {
    context: {} as MachineContext,
    events: {} as SessionEvent,
    input: {} as MachineInput,
  },
  id: "session",
  // Without input for the actor of `scope`, and for XState's own `transition`.
  context: ({ input }: { input: Partial<MachineInput> | undefined }) => ({
    questions: input?.questions ?? [],
    deadlineAt: input?.deadlineAt ?? null,
    thread: [],
  }),
  initial: "pending",
  states: {
    pending: {
      on: {
        ANSWER: {
          guard: ({ context, event }) => checkAnswers(context.questions, event.answers).ok,
          target: "answered",
          actions: assign(({ context, event: { answers, by, at, ...said } }) => ({
            outcome: { kind: "answered" as const, answers: normalized(context.questions, answers), ...wordsOf(said), by, at },
          })),
        },
        CANCEL: {
          target: "cancelled",
          actions: assign(({ event: { reason, by, at } }) => ({
            outcome: { kind: "cancelled" as const, ...defined({ reason }), by, at },
          })),
        },
        DEADLINE_PASSED: {
          guard: ({ context, event }) => context.deadlineAt !== null && event.at >= context.deadlineAt,
          target: "timedOut",
          actions: assign(({ event }) => ({ outcome: { kind: "timedOut" as const, by: { surface: "deadline" as const }, at: event.at } })),
        },
        EXTEND: {
          guard: ({ context, event }) => isLater(event.deadlineAt, context.deadlineAt),
          actions: assign(({ event }) => ({ deadlineAt: event.deadlineAt })),
        },
        MESSAGE: {
          guard: ({ context, event }) => hasRoom(context.thread, event.message),
          actions: assign(({ context, event: { message, deadlineAt } }) => ({
            thread: [...context.thread, message],
            deadlineAt: isLater(deadlineAt, context.deadlineAt) ? deadlineAt : context.deadlineAt,
          })),
        },
      },
    },
    answered: { type: "final" },
    cancelled: { type: "final" },
    timedOut: { type: "final" },
  },
});

const initialState = "pending";

/** The state a session starts in. */
export const openMachine = ({ questions, deadlineAt }: MachineInput): MachineSnapshot => ({
  state: initialState,
  context: { questions, deadlineAt, thread: [] },
});

/**
 * The result of an event: the next state, or what is wrong with its answers. `issues` is empty if this state does not accept such an event.
 */
export type Stepped = { ok: true; after: MachineSnapshot } | { ok: false; issues: readonly AnswerIssue[] };

/** Whether this state accepts the event. */
export const can = (from: MachineSnapshot, event: SessionEvent): boolean => step(from, event).ok;

/** Applies the event, if this state accepts it. Valid answers are stored in normalized form. */
export function step(from: MachineSnapshot, event: SessionEvent): Stepped {
  const before = revive(from);
  if (!before.can(event)) return { ok: false, issues: from.state === initialState ? issuesOf(from, event) : [] };
  scope ??= createScope();
  const after = sessionMachine.transition(before, event, scope);
  // The machine has no nested states, so its value is always the name of one.
  return { ok: true, after: { state: after.value as SessionState, context: after.context } };
}

/** Why the machine's guard refused these answers. */
function issuesOf({ context }: MachineSnapshot, event: SessionEvent): readonly AnswerIssue[] {
  const checked = event.type === "ANSWER" ? checkAnswers(context.questions, event.answers) : undefined;
  return checked?.ok === false ? checked.issues : [];
}

/** What a step needs of an actor. XState's `transition` creates one for each step, which costs more than the step itself. */
let scope: Parameters<typeof sessionMachine.transition>[2] | undefined;

function createScope(): NonNullable<typeof scope> {
  const self = createActor(sessionMachine, { input: undefined });
  const { system, id, sessionId } = self;
  const ignore = () => {};
  return { self, system, id, sessionId, defer: ignore, logger: ignore, stopChild: ignore, emit: ignore, actionExecutor: ignore };
}

function revive({ state, context }: MachineSnapshot) {
  return sessionMachine.resolveState({ value: state, context });
}
