import { readFileSync } from "node:fs";
import { can, openMachine, type SessionEvent, sessionStates, step } from "@askbox/core/machine";
import { expect, test } from "vitest";
import { pages, withDiagram } from "../../examples/machine-alone/diagram.ts";
import { invalid, sessionActor, valid, ways } from "../../examples/machine-alone/tools.ts";
import { walk } from "../../examples/machine-alone/walk.ts";

test("the walk reaches every state, and does not leave settled ones", () => {
  const steps = walk();
  expect(new Set(steps.map(({ from }) => from))).toEqual(new Set(sessionStates));
  expect(steps.filter(({ from, to }) => from !== "pending" && to !== undefined)).toEqual([]);
  expect(steps.filter(({ from, to }) => from === "pending" && to === undefined).map(({ event }) => event)).toEqual([
    "ANSWER that is not",
    "DEADLINE_PASSED too early",
    "EXTEND to sooner",
    "MESSAGE of an agent that nobody asked",
  ]);
});

test.each(pages.map((page) => [page.pathname.split("/").at(-1), page] as const))(
  "the diagram in %s matches the machine; if not, run pnpm machine:diagram",
  (_, place) => {
    const page = readFileSync(place, "utf8");
    expect(withDiagram(page)).toBe(page);
  },
);

test("an actor refuses an invalid answer, takes a valid one, and is done", () => {
  const actor = sessionActor();
  expect(actor.getSnapshot().can(invalid)).toBe(false);
  actor.send(invalid);
  expect(actor.getSnapshot()).toMatchObject({ value: "pending", status: "active" });
  actor.send(valid);
  expect(actor.getSnapshot()).toMatchObject({ value: "answered", status: "done" });
});

test("an actor and a step come to the same state", () => {
  const actor = sessionActor();
  const start = openMachine({ questions: actor.getSnapshot().context.questions, deadlineAt: 10_000 });
  expect(can(start, invalid)).toBe(false);
  actor.send(valid);
  const { value, context } = actor.getSnapshot();
  expect(step(start, valid)).toEqual({ ok: true, after: { state: value, context } });
});

test("an answer is stored in its normalized form, by an actor too", () => {
  const actor = sessionActor();
  const note: SessionEvent = {
    type: "ANSWER",
    answers: [{ questionId: "go", values: ["yes"], note: "  " }],
    by: { surface: "cli" },
    at: 2,
  };
  const stepped = step(openMachine({ questions: actor.getSnapshot().context.questions, deadlineAt: null }), note);
  actor.send(note);
  expect(actor.getSnapshot().context.outcome).toEqual(stepped.ok && stepped.after.context.outcome);
  expect(actor.getSnapshot().context.outcome).toMatchObject({ answers: [{ questionId: "go", values: ["yes"] }] });
});

test("an inspector sees each event and the state after it", () => {
  const seen: [string, unknown][] = [];
  const actor = sessionActor((event) => {
    if (event.type === "@xstate.snapshot") seen.push([event.event.type, (event.snapshot as { value?: unknown }).value]);
  });
  actor.send(invalid);
  actor.send(valid);
  expect(seen.slice(-2)).toEqual([
    ["ANSWER", "pending"],
    ["ANSWER", "answered"],
  ]);
});

test("the graph has a shortest way to every state", () => {
  expect(ways()).toEqual(
    new Map([
      ["pending", []],
      ["answered", ["ANSWER"]],
      ["cancelled", ["CANCEL"]],
      ["timedOut", ["DEADLINE_PASSED"]],
    ]),
  );
});
