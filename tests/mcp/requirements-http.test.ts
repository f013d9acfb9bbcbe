import { describe, test } from "vitest";
import { requirements } from "../requirements/requirements.ts";
import { clientKinds } from "./harness/clients.ts";
import { overHttp } from "./harness/http.ts";

describe.concurrent.each(clientKinds)("over HTTP, with a client on %s", (kind) => {
  for (const { id, sentence, run } of requirements.filter(({ needsFakeTime }) => needsFakeTime !== true)) {
    test(`${sentence} [${id}]`, async () => {
      const harness = overHttp(kind);
      try {
        await run(harness);
      } finally {
        await harness.close();
      }
    });
  }
});
