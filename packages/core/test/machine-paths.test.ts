import { type MachineSnapshot, type SessionEvent, sessionMachine, step } from "@askbox/core/machine";
import { anAsk, anOutcome } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { getAdjacencyMap, getSimplePaths } from "xstate/graph";

const by = { surface: "terminal", name: "Ada" } as const;
const { questions } = anAsk();
const input = { questions, deadlineAt: 10_000 };

const events: SessionEvent[] = [
  { type: "ANSWER", answers: anOutcome().answers, by, at: 5_000 },
  { type: "ANSWER", answers: [], by, at: 5_000 },
  { type: "CANCEL", by, at: 5_000 },
  { type: "CANCEL", reason: "not now", by, at: 5_000 },
  { type: "DEADLINE_PASSED", at: 9_999 },
  { type: "DEADLINE_PASSED", at: 10_000 },
  { type: "DEADLINE_PASSED", at: 20_000 },
  { type: "EXTEND", deadlineAt: 5_000, by },
  { type: "EXTEND", deadlineAt: 20_000, by },
  { type: "EXTEND", deadlineAt: null, by },
  { type: "MESSAGE", message: { id: "m-1", text: "Why?", by, at: 5_000 }, deadlineAt: 15_000 },
];
const options = {
  input,
  // The contents of a thread only matter for whether there is room for more.
  stopWhen: ({ context }: { context: { thread: readonly unknown[] } }) => context.thread.length > 1,
  events,
  serializeState: (snapshot: { value: unknown; context: unknown }) => JSON.stringify([snapshot.value, snapshot.context]),
};

describe("the session machine, walked along every path", () => {
  // Walked within each test, since a mutation run does not attribute work at load time to a test.
  const paths = () => getSimplePaths(sessionMachine, options);

  test("reaches each of its four states", () => {
    expect(new Set(paths().map((path) => path.state.value))).toEqual(new Set(["pending", "answered", "cancelled", "timedOut"]));
    expect(paths().length).toBeGreaterThan(10);
  });

  test("has an outcome of its own kind in every settled state, and none while pending", () => {
    for (const { state } of paths()) {
      expect(state.context.outcome?.kind).toBe(state.value === "pending" ? undefined : state.value);
    }
  });

  // promise: one-outcome
  test("accepts no event once it is settled", () => {
    const settled = Object.values(getAdjacencyMap(sessionMachine, options)).filter(({ state }) => state.value !== "pending");
    expect(settled.length).toBeGreaterThan(3);
    for (const { state } of settled) {
      for (const event of events) {
        expect(state.can(event)).toBe(false);
        expect(step({ state: state.value, context: state.context } as MachineSnapshot, event)).toEqual({ ok: false, issues: [] });
      }
    }
  });

  test("never moves the deadline earlier", () => {
    for (const path of paths()) {
      let present: number | null = input.deadlineAt;
      for (const { state } of path.steps) {
        const next = state.context.deadlineAt;
        expect(present === null ? next === null : next === null || next >= present).toBe(true);
        present = next;
      }
    }
  });

  test("times out only at or after the current deadline", () => {
    for (const { state } of paths()) {
      const { outcome, deadlineAt } = state.context;
      if (outcome?.kind === "timedOut") expect(outcome.at).toBeGreaterThanOrEqual(deadlineAt ?? Number.POSITIVE_INFINITY);
    }
  });
});
