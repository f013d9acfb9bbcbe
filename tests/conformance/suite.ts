import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startConformanceServer } from "./fixture/server.ts";
import { leftOut } from "./left-out.ts";
import { type Check, type Run, runSuite, scenariosOf } from "./runs.ts";

/** Statuses of a check that found no problem. */
const fine = ["SUCCESS", "INFO"];

/** A run with the names of its scenarios. */
export type Planned = Run & { scenarios: string[] };

export const plan = (runs: readonly Run[]): Promise<Planned[]> =>
  Promise.all(runs.map(async (run) => ({ ...run, scenarios: await scenariosOf(run) })));

/** A test for each scenario of these runs, against one server. */
export function describeRuns(planned: readonly Planned[]): void {
  let server: Awaited<ReturnType<typeof startConformanceServer>>;
  beforeAll(async () => {
    server = await startConformanceServer();
  });
  afterAll(() => server.close());

  // Without a revision, a run has the scenarios of all of them, each at its own.
  describe.each(planned)("the conformance suite ($suite, revision $revision)", (run) => {
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
}
