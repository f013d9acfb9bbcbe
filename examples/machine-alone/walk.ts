/** The session machine on its own, without broker, store or clock: every state, and the transitions between them. */
import { parseAsk, type SessionState, standardPlatform } from "@askbox/core";
import { type MachineSnapshot, openMachine, type SessionEvent, step } from "@askbox/core/machine";

export interface Step {
  from: SessionState;
  event: string;
  /** Undefined if the machine rejects the event. */
  to: SessionState | undefined;
}

const { questions } = parseAsk({ questions: [{ id: "go", question: "Go?", type: "confirm" }] }, { ids: standardPlatform(globalThis).ids });
const deadlineAt = 10_000;
const by = { surface: "terminal" } as const;
const answers = [{ questionId: "go", values: ["yes"] }];

/** One event for each branch of its guard. */
const events: readonly (readonly [name: string, event: SessionEvent])[] = [
  ["ANSWER that is valid", { type: "ANSWER", answers, by, at: 1 }],
  ["ANSWER that is not", { type: "ANSWER", answers: [], by, at: 1 }],
  ["CANCEL", { type: "CANCEL", by, at: 1 }],
  ["DEADLINE_PASSED at the deadline", { type: "DEADLINE_PASSED", at: deadlineAt }],
  ["DEADLINE_PASSED too early", { type: "DEADLINE_PASSED", at: deadlineAt - 1 }],
  ["EXTEND to later", { type: "EXTEND", deadlineAt: deadlineAt * 2, by }],
  ["EXTEND to sooner", { type: "EXTEND", deadlineAt: deadlineAt / 2, by }],
  ["MESSAGE of a person", { type: "MESSAGE", message: { id: "1", text: "Why?", by, at: 1 }, deadlineAt }],
  [
    "MESSAGE of an agent that nobody asked",
    { type: "MESSAGE", message: { id: "2", text: "So.", by: { surface: "asker" }, at: 1 }, deadlineAt },
  ],
];

/** Tries every event in every reachable state, each state once. */
export function walk(): Step[] {
  const start = openMachine({ questions, deadlineAt });
  const found = new Map<SessionState, MachineSnapshot>([[start.state, start]]);
  const steps: Step[] = [];
  // Newly found states are visited as well.
  for (const [from, snapshot] of found) {
    for (const [event, sent] of events) {
      const stepped = step(snapshot, sent);
      const next = stepped.ok ? stepped.after : undefined;
      if (next !== undefined && !found.has(next.state)) found.set(next.state, next);
      steps.push({ from, event, to: next?.state });
    }
  }
  return steps;
}

/** The transitions, as a Mermaid state diagram. A state without transitions is final. */
export function diagram(steps: readonly Step[]): string {
  const taken = steps.filter(({ to }) => to !== undefined);
  const states = [...new Set(steps.map(({ from }) => from))];
  const ends = states.filter((state) => !taken.some(({ from }) => from === state));
  return [
    "stateDiagram-v2",
    `  [*] --> ${states[0]}`,
    ...taken.map(({ from, event, to }) => `  ${from} --> ${to}: ${event}`),
    ...ends.map((state) => `  ${state} --> [*]`),
  ].join("\n");
}

if (import.meta.main) {
  for (const { from, event, to } of walk()) console.log(`${from}, ${event}: ${to ?? "refused"}`);
}
