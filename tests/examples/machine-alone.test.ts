import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { sessionStates } from "@askbox/core";
import { expect, test } from "vitest";
import { withDiagram } from "../../examples/machine-alone/diagram.ts";
import { walk } from "../../examples/machine-alone/walk.ts";

test("the walk reaches every state, and leaves none that is settled", () => {
  const steps = walk();
  expect(new Set(steps.map(({ from }) => from))).toEqual(new Set(sessionStates));
  expect(steps.filter(({ from, to }) => from !== "pending" && to !== undefined)).toEqual([]);
  expect(steps.filter(({ from, to }) => from === "pending" && to === undefined).map(({ event }) => event)).toEqual([
    "ANSWER that is not",
    "DEADLINE_PASSED too early",
    "EXTEND to sooner",
  ]);
});

test("the diagram in docs/architecture.md is the machine as it is; if not, run pnpm machine:diagram", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/architecture.md"), "utf8");
  expect(withDiagram(page)).toBe(page);
});
