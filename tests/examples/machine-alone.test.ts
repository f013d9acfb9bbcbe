import { readFileSync } from "node:fs";
import { sessionStates } from "@askbox/core/machine";
import { expect, test } from "vitest";
import { pages, withDiagram } from "../../examples/machine-alone/diagram.ts";
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
