import { describe, test, vi } from "vitest";
import { applicable } from "../requirements/requirement.ts";
import { requirements, travellingRequirements } from "../requirements/requirements.ts";
import { clientKinds } from "./harness/clients.ts";
import { overHttp } from "./harness/http.ts";

// What doesn't depend on the transport is tested with every client in process, and with one here. Some wait for a deadline of 10 s, the
// minimum of the contract, so they run concurrently.
vi.setConfig({ maxConcurrency: 16 });

const ways = [...clientKinds.map((kind) => [kind, "/mcp"] as const), ["SDK v1", "/sse"] as const];

describe.concurrent.each(ways)("over HTTP, with a client on %s at %s", (kind, path) => {
  const isFirst = kind === clientKinds[0] && path === "/mcp";
  for (const { id, sentence, run } of applicable(isFirst ? requirements : travellingRequirements, { fakeTime: false, isFirst })) {
    test(`${sentence} [${id}]`, async () => {
      const harness = overHttp(kind, path);
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
  }
});
