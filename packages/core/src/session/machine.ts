import { createActor } from "xstate";
import type { MachineInput, MachineSnapshot, SessionEvent } from "./machine-types.ts";
import { type AnswerIssue, checkAnswers } from "./questions/index.ts";
import type { SessionState } from "./record.ts";
import { sessionMachine } from "./session-machine.ts";

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
