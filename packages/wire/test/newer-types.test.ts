import type { DeskEvent } from "@askbox/core";
import { ada, anAsk, anAsker, aRecord, resumed } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { askerHello, deskHello, drive, pairClient, testHub } from "./support.ts";

const hologram = { id: "q_hologram", type: "hologram", question: "How good is it?", required: true, stars: 5 };

test("a desk that does not know a newer hub's question type still sees the session, and the others", async () => {
  const hub = await testHub();
  const asker = hub.broker().asker("owner-1");
  const session = aRecord({ request: anAsk({ questions: [hologram as never] }), context: { deadlineAt: null } });
  await hub.store.insert(session);
  await asker.ask(anAsk(), { asker: anAsker({ agentId: "agent-2" }), maxWait: 0 });
  const { desk } = pairClient(hub, deskHello(ada));
  const events: DeskEvent[] = [];
  await drive(
    hub.clock,
    desk.watch({}, (event) => events.push(event)),
  );
  const [snapshot] = events;
  if (snapshot?.type !== "snapshot") throw new Error("The first event is no snapshot.");
  expect(snapshot.sessions).toHaveLength(2);
  expect(snapshot.sessions.find(({ id }) => id === session.id)?.questions).toEqual([
    { id: "q_hologram", type: "unknown", question: "How good is it?", required: true, original: hologram },
  ]);
  await drive(hub.clock, desk.cancel(session.id, {}));
  const waiting = pairClient(hub, askerHello("owner-1"));
  expect((await drive(hub.clock, resumed(waiting.asker, session.id))).state).toBe("cancelled");
});
