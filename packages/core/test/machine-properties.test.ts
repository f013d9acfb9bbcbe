import { type Answer, checkAnswers } from "@askbox/core";
import { type MachineSnapshot, openMachine, type SessionEvent, step } from "@askbox/core/machine";
import { anAsk } from "@askbox/core/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "./support.ts";

const { questions } = anAsk();
const ids = [...questions.map(({ id }) => id), "q_other"];
const words = ["sqlite", "postgres", "linux", "macos", "windows", "yes", "no", "lathe", "", " "];

const answer: fc.Arbitrary<Answer> = fc
  .record({
    questionId: fc.constantFrom(...ids),
    values: fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { maxLength: 3 }),
    customText: fc.option(fc.constantFrom("Plan 9", "", " "), { nil: undefined }),
  })
  .map(({ customText, ...rest }) => (customText === undefined ? rest : { ...rest, customText }));

/** Mostly one plausible answer per question, so that many sets are valid. */
const plausible = fc
  .tuple(fc.constantFrom("lathe", " "), fc.constantFrom("sqlite", "mysql"), fc.constantFrom("yes", "no", "maybe"))
  .map(([text, choice, confirm]): Answer[] => [
    { questionId: "q_text", values: [text] },
    { questionId: "q_select", values: [choice] },
    { questionId: "q_multi", values: ["linux", "windows"] },
    { questionId: "q_confirm", values: [confirm] },
  ]);
const answers = fc.oneof({ arbitrary: fc.array(answer, { maxLength: 5 }), weight: 1 }, { arbitrary: plausible, weight: 4 });
const by = fc.constantFrom({ surface: "terminal" as const }, { surface: "web" as const, name: "Bob" });
const time = fc.integer({ min: 0, max: 50_000 });
const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({ type: fc.constant("ANSWER" as const), answers, by, at: time }),
  fc.record({ type: fc.constant("CANCEL" as const), by, at: time }),
  fc.record({ type: fc.constant("DEADLINE_PASSED" as const), at: time }),
  fc.record({ type: fc.constant("EXTEND" as const), deadlineAt: fc.option(time), by }),
  fc.record({
    type: fc.constant("MESSAGE" as const),
    message: fc.record({ id: fc.string(), text: fc.string(), by: fc.oneof(by, fc.constant({ surface: "asker" as const })), at: time }),
    deadlineAt: fc.option(time),
  }),
);

const opened = () => openMachine({ questions, deadlineAt: 10_000 });

const stepOrStay = (present: MachineSnapshot, next: SessionEvent): MachineSnapshot => {
  const stepped = step(present, next);
  return stepped.ok ? stepped.after : present;
};

describe("any sequence of events", () => {
  // promise: one-outcome
  test("results in at most one outcome, and nothing changes after it", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let present: MachineSnapshot = opened();
        let outcome: string | undefined;
        for (const next of events) {
          const before = JSON.stringify(present);
          const stepped = step(present, next);
          const after = stepped.ok ? stepped.after : undefined;
          expect(JSON.stringify(present), "a step changes nothing in place").toBe(before);
          if (outcome !== undefined) expect(after, "a settled session takes no event").toBeUndefined();
          present = after ?? present;
          if (present.context.outcome !== undefined) outcome ??= JSON.stringify(present.context.outcome);
          expect(present.context.outcome === undefined ? undefined : JSON.stringify(present.context.outcome)).toBe(outcome);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test("results in valid answers for every question, if it is answered", () => {
    let answered = 0;
    fc.assert(
      fc.property(fc.array(event, { maxLength: 10 }), (events) => {
        const end = events.reduce<MachineSnapshot>(stepOrStay, opened());
        const { outcome } = end.context;
        if (outcome?.kind !== "answered") return;
        answered += 1;
        expect(checkAnswers(questions, outcome.answers).ok).toBe(true);
        expect(outcome.answers.map(({ questionId }) => questionId)).toEqual(questions.map(({ id }) => id));
      }),
      { numRuns: runs(1_000), seed: 6 },
    );
    expect(answered, "the generator makes valid answers").toBeGreaterThan(runs(1_000) / 20);
  });

  test("has the same result however often it is replayed", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 20 }), (events) => {
        const run = () => events.reduce<MachineSnapshot>(stepOrStay, opened());
        expect(run()).toEqual(run());
      }),
    );
  });
});
