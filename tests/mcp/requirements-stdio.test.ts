import { describe, test } from "vitest";
import { applicable } from "../requirements/requirement.ts";
import { endedCallRequirements, travellingRequirements } from "../requirements/requirements.ts";
import { overStdio } from "./harness/stdio.ts";

// Each starts a process. What doesn't depend on stdio is tested in process and over HTTP; v2's 2025 era is v1's protocol.
const ways = [
  ["SDK v1", travellingRequirements],
  ["SDK v2, 2026 era", endedCallRequirements],
] as const;

describe.concurrent.each(ways)("over stdio, with a client on %s", (kind, requirements) => {
  for (const { id, sentence, run } of applicable(requirements, { fakeTime: false, isFirst: kind === "SDK v1" })) {
    test(`${sentence} [${id}]`, async () => {
      const harness = overStdio(kind);
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
  }
});
