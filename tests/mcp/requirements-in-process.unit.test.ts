import { afterEach, describe, test } from "vitest";
import { applicable } from "../requirements/requirement.ts";
import { requirements } from "../requirements/requirements.ts";
import { clientKinds } from "./harness/clients.ts";
import { inProcess } from "./harness/in-process.ts";

describe.each(clientKinds)("in process, with a client on %s", (kind) => {
  const harness = { current: inProcess(kind) };
  afterEach(async () => {
    await harness.current.close();
    harness.current = inProcess(kind);
  });

  for (const { id, sentence, run } of applicable(requirements, { fakeTime: true, isFirst: kind === clientKinds[0] }))
    test(`${sentence} [${id}]`, () => run(harness.current));
});
