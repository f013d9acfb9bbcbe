import { describe, test } from "vitest";
import { applicable } from "../requirements/requirement.ts";
import { requirements } from "../requirements/requirements.ts";
import type { ClientKind } from "./harness/clients.ts";
import { overStdio } from "./harness/stdio.ts";

// v2's 2025 era is v1's protocol; in process it is run as well.
describe.concurrent.each<ClientKind>(["SDK v1", "SDK v2, 2026 era"])("over stdio, with a client on %s", (kind) => {
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
