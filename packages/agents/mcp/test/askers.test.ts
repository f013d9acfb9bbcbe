import { createBroker, memoryStore } from "@askbox/core";
import { anAsk, anAsker, testPlatform } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { createAskers } from "../src/http/askers.ts";

test("an asker over HTTP is closed two minutes after its last call, and never while one runs", async () => {
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  let open = 0;
  const askers = createAskers(({ owner }) => {
    const port = broker.asker(owner);
    open += 1;
    return Object.assign(port, {
      close(how?: { returns?: boolean }) {
        open -= 1;
        Object.getPrototypeOf(port).close.call(port, how);
      },
    });
  }, platform.clock);
  for (let agent = 0; agent < 500; agent += 1) await askers.of({ owner: "one", agentId: `${agent}` }).collect(anAsker());
  const waiting = askers.of({ owner: "one" }, "thread").ask(anAsk(), { asker: anAsker({ conversation: "thread" }) });
  await askers.of({ owner: "one" }, "thread").collect(anAsker({ conversation: "thread" }));
  await platform.clock.advance(119_000);
  expect(open).toBe(501);
  await platform.clock.advance(1_000);
  expect([open, broker.stats().waiting]).toEqual([1, 1]);
  expect(askers.of({ owner: "one" }, "thread"), "one for each conversation").toBe(askers.of({ owner: "one" }, "thread"));
  expect(askers.of({ owner: "one" }, "other")).not.toBe(askers.of({ owner: "one" }, "thread"));
  askers.end("one");
  await expect(waiting).rejects.toMatchObject({ code: "ABORTED" });
  expect(open).toBe(0);
  await broker.close();
});
