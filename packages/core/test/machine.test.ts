import { anAsk, anOutcome } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { can, type MachineSnapshot, openMachine, type SessionEvent, sessionMachine, step } from "../src/session/machine.ts";

const by = { surface: "terminal", name: "Ada" } as const;
const opened = (deadlineAt: number | null = 10_000) => openMachine({ questions: anAsk().questions, deadlineAt });
const answer: SessionEvent = { type: "ANSWER", answers: anOutcome().answers, by, at: 5_000 };
const extend = (deadlineAt: number | null): SessionEvent => ({ type: "EXTEND", deadlineAt, by });
/** The state after an event that is taken. */
function stateAfter(from: MachineSnapshot, event: SessionEvent): MachineSnapshot | undefined {
  const stepped = step(from, event);
  return stepped.ok ? stepped.after : undefined;
}

describe("a session", () => {
  test("opens pending, with its questions and its deadline and no outcome", () => {
    expect(opened()).toStrictEqual({ state: "pending", context: { questions: anAsk().questions, deadlineAt: 10_000 } });
  });

  test("that is answered keeps the answers, who gave them and when, and a comment only where there is one", () => {
    const outcome = { kind: "answered", answers: anOutcome().answers, by, at: 5_000 };
    expect(stateAfter(opened(), answer)).toMatchObject({ state: "answered" });
    expect(stateAfter(opened(), answer)?.context.outcome).toStrictEqual(outcome);
    expect(stateAfter(opened(), { ...answer, comment: "Be quick." })?.context.outcome).toStrictEqual({ ...outcome, comment: "Be quick." });
  });

  test("is not answered by answers that are not valid, and says by a code what is wrong with each", () => {
    const { issues } = { issues: [], ...step(opened(), { ...answer, answers: [] }) };
    expect(issues).toContainEqual({ questionId: "q_text", code: "required", message: "An answer is required." });
    const settled = stateAfter(opened(), answer);
    expect(settled && step(settled, { ...answer, answers: [] })).toEqual({ ok: false, issues: [] });
  });

  test("that is cancelled keeps who did it and when, and a reason only where there is one", () => {
    const cancel = { type: "CANCEL", by, at: 5_000 } as const;
    expect(stateAfter(opened(), cancel)?.context.outcome).toStrictEqual({ kind: "cancelled", by, at: 5_000 });
    expect(stateAfter(opened(), { ...cancel, reason: "no" })?.context.outcome).toStrictEqual({
      kind: "cancelled",
      reason: "no",
      by,
      at: 5_000,
    });
  });

  // promise: answer-is-a-persons
  test("times out by its deadline and by nobody", () => {
    const end = stateAfter(opened(), { type: "DEADLINE_PASSED", at: 10_000 });
    expect(end).toMatchObject({ state: "timedOut" });
    expect(end?.context.outcome).toStrictEqual({ kind: "timedOut", by: { surface: "deadline" }, at: 10_000 });
    expect(step(opened(null), { type: "DEADLINE_PASSED", at: Number.MAX_VALUE })).toEqual({ ok: false, issues: [] });
  });

  test("takes a later deadline or none, never the same one or an earlier one, and none for good", () => {
    expect(stateAfter(opened(), extend(10_001))).toMatchObject({ state: "pending", context: { deadlineAt: 10_001 } });
    expect(stateAfter(opened(), extend(null))).toMatchObject({ context: { deadlineAt: null } });
    expect(step(opened(), extend(10_000))).toEqual({ ok: false, issues: [] });
    expect(step(opened(), extend(9_999))).toEqual({ ok: false, issues: [] });
    expect(step(opened(null), extend(20_000))).toEqual({ ok: false, issues: [] });
  });

  test("says beforehand what it would take", () => {
    expect(can(opened(), answer)).toBe(true);
    expect(can(opened(), { ...answer, answers: [] })).toBe(false);
    expect(can(opened(), extend(10_000))).toBe(false);
  });

  test("is drawn as what it is: a session, with three states in which it has ended", () => {
    expect(sessionMachine.id).toBe("session");
    const kinds = Object.values(sessionMachine.states).map(({ key, type }) => [key, type]);
    expect(kinds).toEqual([
      ["pending", "atomic"],
      ["answered", "final"],
      ["cancelled", "final"],
      ["timedOut", "final"],
    ]);
  });
});
