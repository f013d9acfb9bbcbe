/** The session machine with XState's own tools: an actor, an inspector, and the paths of its graph. */
import { parseAsk, standardPlatform } from "@askbox/core";
import { type SessionEvent, sessionMachine } from "@askbox/core/machine";
import { createActor, type InspectionEvent } from "xstate";
import { getShortestPaths } from "xstate/graph";

const { questions } = parseAsk({ questions: [{ id: "go", question: "Go?", type: "confirm" }] }, { ids: standardPlatform(globalThis).ids });
const input = { questions, deadlineAt: 10_000 };
const by = { surface: "terminal" } as const;

export const invalid: SessionEvent = { type: "ANSWER", answers: [{ questionId: "go", values: ["perhaps"] }], by, at: 1 };
export const valid: SessionEvent = { type: "ANSWER", answers: [{ questionId: "go", values: ["yes"] }], by, at: 2 };

/** A started actor. `inspect` sees every event and snapshot. */
export const sessionActor = (inspect: (event: InspectionEvent) => void = () => {}) =>
  createActor(sessionMachine, { input, inspect }).start();

/** The shortest way to each state, as the types of its events. */
export function ways(): Map<string, string[]> {
  const events: SessionEvent[] = [invalid, valid, { type: "CANCEL", by, at: 3 }, { type: "DEADLINE_PASSED", at: 10_000 }];
  const paths = getShortestPaths(sessionMachine, { input, events });
  // A path begins with XState's own event that starts the machine.
  return new Map(paths.map(({ state, steps }) => [String(state.value), steps.slice(1).map(({ event }) => event.type)]));
}

if (import.meta.main) {
  const actor = sessionActor((event) => {
    if (event.type === "@xstate.snapshot") console.log(event.event.type, (event.snapshot as { value?: unknown }).value);
  });
  actor.send(invalid);
  actor.send(valid);
  for (const [state, events] of ways()) console.log(`${state}: ${events.join(", ") || "the start"}`);
}
