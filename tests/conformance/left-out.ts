import type { Run } from "./runs.ts";

/** The parts of the conformance suite that the transport does not pass, and why. */
export interface LeftOut {
  suite: Run["suite"];
  scenario: string;
  /** One check of the scenario; without it, the whole scenario. */
  check?: string;
  reason: string;
}

const noSkills = "The Skills extension (SEP-2640): askbox has tools alone, and no skills to publish.";

/**
 * Each of these is still run, and must be removed here once it passes. The suite's scenarios for clients and for
 * authorization servers are not run, since askbox is neither.
 */
export const leftOut: readonly LeftOut[] = [
  {
    suite: "release",
    scenario: "server-sse-polling",
    reason:
      "It calls as revision 2025-03-26, whose clients cannot read the event without data that says where to resume and when. That event is sent since 2025-11-25, as the pre-release finds, which calls as that.",
  },
  {
    suite: "prerelease",
    scenario: "tasks-status-notifications",
    reason:
      "The suite skips it: it has not been written for `subscriptions/listen` yet. Telling of tasks unasked is optional; clients poll.",
  },
  { suite: "prerelease", scenario: "sep-2640-skills-directory", reason: noSkills },
  { suite: "prerelease", scenario: "sep-2640-skills-enumeration", reason: noSkills },
  { suite: "prerelease", scenario: "sep-2640-skills-manifest", reason: noSkills },
];
