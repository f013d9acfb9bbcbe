import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startConformanceServer } from "./fixture/server.ts";
import { type LeftOut, leftOut } from "./left-out.ts";
import { type Check, runSuite, runs, scenariosOf } from "./runs.ts";

/** Statuses of a check that found no problem. */
const fine = ["SUCCESS", "INFO"];

const planned = await Promise.all(runs.map(async (run) => ({ ...run, scenarios: await scenariosOf(run) })));

let server: Awaited<ReturnType<typeof startConformanceServer>>;
beforeAll(async () => {
  server = await startConformanceServer();
});
afterAll(() => server.close());

// Without a revision, a run has the scenarios of all of them, each at its own.
for (const run of planned)
  describe(`the conformance suite (${run.suite}, revision ${run.revision})`, {
    tags: run.revision === undefined ? [] : ["nightly"],
  }, () => {
    let found: Map<string, Check[]>;
    beforeAll(async () => {
      found = await runSuite(run, server.url);
    }, 300_000);

    test("has scenarios", () => expect(run.scenarios.length).toBeGreaterThan(0));

    test.each(run.scenarios)("%s", (scenario) => {
      const checks = found.get(scenario);
      const excused = leftOut.filter((entry) => entry.suite === run.suite && entry.scenario === scenario);
      if (checks === undefined) return expect(excused, "the scenario was not run, and is not listed").not.toEqual([]);
      const failed = checks.filter(({ status }) => !fine.includes(status));
      if (excused.some(({ check }) => check === undefined)) return expect(failed, "it passes by now: strike it out").not.toEqual([]);
      expect(
        excused.filter(({ check }) => !failed.some(({ id }) => id === check)),
        "they pass by now: strike them out",
      ).toEqual([]);
      expect(failed.filter(({ id }) => !excused.some(({ check }) => check === id))).toEqual([]);
      expect(checks.map(({ status }) => status)).toContain("SUCCESS");
    });
  });

test("each excluded scenario exists in the suite", () => {
  const isKnown = ({ suite, scenario }: LeftOut) => planned.some((run) => run.suite === suite && run.scenarios.includes(scenario));
  expect(leftOut.filter((entry) => !isKnown(entry))).toEqual([]);
});
