import { createBroker, memoryStore } from "@askbox/core";
import { anAsk, anAsker, resumed, testPlatform, validSet } from "@askbox/core/testing";
import { expect, test } from "vitest";

test("two brokers in one process share nothing that was not passed to both", async () => {
  const [first, second] = await Promise.all([1, 2].map(() => createBroker({ store: memoryStore(), ...testPlatform() })));
  if (first === undefined || second === undefined) throw new Error("There are two.");
  const told: string[] = [];
  await second.desk({ surface: "web" }).watch({}, (event) => void told.push(event.type));
  told.splice(0);
  const asker = first.asker("agents");
  const { session } = await asker.ask(anAsk({}), { asker: anAsker({}), maxWait: 0 });
  await expect(second.desk({ surface: "web" }).get(session.id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  await expect(resumed(second.asker("agents"), session.id)).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
  // The same owner asks the same, but the other broker's session is not joined.
  const other = await second.asker("agents").ask(anAsk({}), { asker: anAsker({}), maxWait: 0 });
  expect(other.joined).toBe(false);
  told.splice(0);
  await first.desk({ surface: "web" }).answer(session.id, validSet());
  await first.close();
  expect([told, second.stats().pending]).toEqual([[], 1]);
  await second.close();
});
