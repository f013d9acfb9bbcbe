import { randomBytes } from "node:crypto";
import type { Outcome, SessionView } from "@askbox/core";

/** What came of a test of one way to a person. */
export interface TestResult {
  /** The way, without secrets. */
  way: string;
  /** Why it was not sent. */
  trouble?: string;
  /** Milliseconds until its button was pressed; null if it was not. Absent where there is no button. */
  pressedAfter?: number | null;
}

/** The label of a test's only button. */
export const testLabel = "It works";
const answers = [{ questionId: "q_1", values: [testLabel] }];

/** A question that is in no store. */
export function testSession(now: number, timeout: number): SessionView {
  return {
    id: `test-${randomBytes(12).toString("hex")}`,
    revision: 1,
    status: "pending",
    title: "A test of askbox",
    asker: { client: { name: "askbox doctor" } },
    questions: [
      {
        id: "q_1",
        type: "select",
        question: "Does this reach you?",
        required: true,
        allowOther: false,
        options: [{ value: testLabel, label: testLabel }],
      },
    ],
    createdAt: now,
    deadlineAt: now + timeout,
    closedAt: null,
    delivery: { deliveredAt: null },
    presence: { asker: "attached", openIn: [] },
  };
}

export function settledTest(session: SessionView, isPressed: boolean, at: number, name: string | undefined): SessionView {
  const by = { surface: "api" as const, ...(name !== undefined && { name }) };
  const outcome: Outcome = isPressed ? { kind: "answered", answers, by, at } : { kind: "timedOut", by: { surface: "deadline" }, at };
  return { ...session, status: isPressed ? "answered" : "timed_out", closedAt: at, outcome };
}
