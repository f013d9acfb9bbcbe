import { assign, createMachine } from "xstate";
import { defined } from "../defined.ts";
import { type Answer, wordsOf } from "./answer.ts";
import type { MachineContext, MachineInput, SessionEvent } from "./machine-types.ts";
import { checkAnswers, type Question } from "./questions/index.ts";
import { hasRoom } from "./thread.ts";

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
