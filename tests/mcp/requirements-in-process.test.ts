import { afterEach, describe, test } from "vitest";
import { requirements } from "../requirements/requirements.ts";
import { clientKinds } from "./harness/clients.ts";
import { inProcess } from "./harness/in-process.ts";

describe.each(clientKinds)("in process, with a client on %s", (kind) => {
  const harness = { current: inProcess(kind) };
  afterEach(async () => {
    await harness.current.close();
    harness.current = inProcess(kind);
  });

  for (const { id, sentence, run } of requirements) test(`${sentence} [${id}]`, () => run(harness.current));
});
