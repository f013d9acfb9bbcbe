import type { Actor } from "@askbox/core";
import { can, type MachineSnapshot, openMachine, type SessionEvent, sessionMachine, step } from "@askbox/core/machine";
import { anAsk, anOutcome } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";

const by = { surface: "terminal", name: "Ada" } as const;
const opened = (deadlineAt: number | null = 10_000) => openMachine({ questions: anAsk().questions, deadlineAt });
const answer: SessionEvent = { type: "ANSWER", answers: anOutcome().answers, by, at: 5_000 };
const extend = (deadlineAt: number | null): SessionEvent => ({ type: "EXTEND", deadlineAt, by });
const agent = { surface: "asker" } as const;
const message = (text: string, deadlineAt: number | null, who: Actor = by): SessionEvent => ({
  type: "MESSAGE",
  message: { id: "m-1", text, by: who, at: 5_000 },
  deadlineAt,
});
/** The state after an accepted event. */
function stateAfter(from: MachineSnapshot, event: SessionEvent): MachineSnapshot | undefined {
  const stepped = step(from, event);
  return stepped.ok ? stepped.after : undefined;
}

describe("a session", () => {
  test("starts pending, with its questions and deadline and no outcome", () => {
    expect(opened()).toStrictEqual({ state: "pending", context: { questions: anAsk().questions, deadlineAt: 10_000, thread: [] } });
  });

  test("that is answered keeps the answers, who gave them and when, and a comment only if there is one", () => {
    const outcome = { kind: "answered", answers: anOutcome().answers, by, at: 5_000 };
    expect(stateAfter(opened(), answer)).toMatchObject({ state: "answered" });
    expect(stateAfter(opened(), answer)?.context.outcome).toStrictEqual(outcome);
    expect(stateAfter(opened(), { ...answer, comment: "Be quick." })?.context.outcome).toStrictEqual({ ...outcome, comment: "Be quick." });
  });

  test("rejects invalid answers, with an error code for each", () => {
    const { issues } = { issues: [], ...step(opened(), { ...answer, answers: [] }) };
    expect(issues).toContainEqual({ questionId: "q_text", code: "required", message: "An answer is required." });
    const settled = stateAfter(opened(), answer);
    expect(settled && step(settled, { ...answer, answers: [] })).toEqual({ ok: false, issues: [] });
  });

  test("that is cancelled keeps who did it and when, and a reason only if there is one", () => {
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
  test("times out at its deadline, without an actor", () => {
    const end = stateAfter(opened(), { type: "DEADLINE_PASSED", at: 10_000 });
    expect(end).toMatchObject({ state: "timedOut" });
    expect(end?.context.outcome).toStrictEqual({ kind: "timedOut", by: { surface: "deadline" }, at: 10_000 });
    expect(step(opened(null), { type: "DEADLINE_PASSED", at: Number.MAX_VALUE })).toEqual({ ok: false, issues: [] });
  });

  test("accepts a later deadline or none, never the same or an earlier one, and keeps having none", () => {
    expect(stateAfter(opened(), extend(10_001))).toMatchObject({ state: "pending", context: { deadlineAt: 10_001 } });
    expect(stateAfter(opened(), extend(null))).toMatchObject({ context: { deadlineAt: null } });
    expect(step(opened(), extend(10_000))).toEqual({ ok: false, issues: [] });
    expect(step(opened(), extend(9_999))).toEqual({ ok: false, issues: [] });
    expect(step(opened(null), extend(20_000))).toEqual({ ok: false, issues: [] });
  });

  test("accepts a message without changing state, only moves the deadline later, and keeps the author and time", () => {
    const asked = stateAfter(opened(), message("Why?", 20_000));
    expect(asked).toMatchObject({ state: "pending", context: { deadlineAt: 20_000, thread: [{ text: "Why?", by }] } });
    const replied = asked && stateAfter(asked, message("Because.", 15_000, agent));
    expect(replied).toMatchObject({ context: { deadlineAt: 20_000, thread: [{ text: "Why?" }, { text: "Because.", by: agent }] } });
    expect(replied && stateAfter(replied, answer)?.context.thread).toHaveLength(2);
    expect(stateAfter(opened(null), message("Why?", 20_000))).toMatchObject({ context: { deadlineAt: null } });
  });

  test("accepts 20 messages from each side, and none from an agent that was not asked", () => {
    expect(can(opened(), message("Because.", 20_000, agent))).toBe(false);
    let present = opened();
    for (let round = 0; round < 20; round += 1) {
      for (const side of [by, agent]) present = stateAfter(present, message("…", 20_000, side)) as MachineSnapshot;
    }
    expect(present.context.thread).toHaveLength(40);
    expect([by, agent].map((side) => can(present, message("…", 20_000, side)))).toEqual([false, false]);
    expect(can(present, answer)).toBe(true);
  });

  test("reports in advance whether an event would be accepted", () => {
    expect(can(opened(), answer)).toBe(true);
    expect(can(opened(), { ...answer, answers: [] })).toBe(false);
    expect(can(opened(), extend(10_000))).toBe(false);
  });

  test("is drawn as a session with three states in which it has ended", () => {
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
