import { describe, test } from "vitest";
import { applicable } from "../requirements/requirement.ts";
import { smoke } from "../requirements/requirements.ts";
import { clientKinds } from "./harness/clients.ts";
import { overHttp } from "./harness/http.ts";
import { overStdio } from "./harness/stdio.ts";

// What doesn't depend on the transport is tested in process. Over stdio each starts a process, and v2's 2025 era is v1's protocol.
const ways = [
  ...clientKinds.map((kind) => [`HTTP at /mcp, ${kind}`, () => overHttp(kind)] as const),
  ["HTTP at /sse, SDK v1", () => overHttp("SDK v1", "/sse")],
  ["stdio, SDK v1", () => overStdio("SDK v1")],
  ["stdio, SDK v2, 2026 era", () => overStdio("SDK v2, 2026 era")],
] as const;

describe.concurrent.each(ways)("over %s", (_way, open) => {
  for (const { id, sentence, run } of applicable(smoke, { fakeTime: false, isFirst: true })) {
    test(`${sentence} [${id}]`, async () => {
      const harness = open();
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
  }
});
