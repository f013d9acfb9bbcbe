import { describe, test } from "vitest";
import { applicable } from "../requirements/requirement.ts";
import { travellingRequirements } from "../requirements/requirements.ts";
import type { ClientKind } from "./harness/clients.ts";
import { overStdio } from "./harness/stdio.ts";

// Each starts a process. What doesn't depend on stdio is tested in process and over HTTP; v2's 2025 era is v1's protocol.
describe.concurrent.each<ClientKind>(["SDK v1", "SDK v2, 2026 era"])("over stdio, with a client on %s", (kind) => {
  for (const { id, sentence, run } of applicable(travellingRequirements, { fakeTime: false, isFirst: kind === "SDK v1" })) {
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
