import { describe, test, vi } from "vitest";
import { applicable } from "../requirements/requirement.ts";
import { requirements } from "../requirements/requirements.ts";
import { clientKinds } from "./harness/clients.ts";
import { overHttp } from "./harness/http.ts";

// Twelve of these wait for a deadline of 10 s, the minimum of the contract, so they run concurrently.
vi.setConfig({ maxConcurrency: 16 });

const ways = [...clientKinds.map((kind) => [kind, "/mcp"] as const), ["SDK v1", "/sse"] as const];

describe.concurrent.each(ways)("over HTTP, with a client on %s at %s", (kind, path) => {
  for (const { id, sentence, run } of applicable(requirements, { fakeTime: false, isFirst: kind === clientKinds[0] && path === "/mcp" })) {
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
