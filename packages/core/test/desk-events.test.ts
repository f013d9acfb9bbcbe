import { createBroker, type DeskEvent, deskEvents, memoryStore, parseAsk } from "@askbox/core";
import { anAsker, testPlatform } from "@askbox/core/testing";
import { expect, test } from "vitest";

const questions = [{ id: "sure", question: "Sure?", type: "confirm" }];

/** A desk whose events come from the test. */
function scripted() {
  const listeners = new Set<(event: DeskEvent) => void>();
  const desk = {
    watch: async (_filter: object, listener: (event: DeskEvent) => void) => {
      listeners.add(listener);
      listener({ type: "snapshot", sessions: [], drafts: [] });
      return { close: () => void listeners.delete(listener) };
    },
  };
  const say = (sessionId: string) => {
    for (const listener of listeners) listener({ type: "removed", sessionId });
  };
  return { desk, listeners, say };
}

test("a desk's events can be read in a loop: a snapshot, then each change", async () => {
  const platform = testPlatform();
  await using broker = await createBroker({ store: memoryStore(), ...platform });
  const desk = broker.desk({ surface: "api" });
  const seen: string[] = [];
  for await (const event of deskEvents(desk)) {
    if (event.type === "snapshot")
      void broker
        .asker("token")
        .ask(parseAsk({ questions }, platform), { asker: anAsker() })
        .catch(() => {});
    if (event.type !== "session") continue;
    seen.push(event.session.status);
    if (event.session.status !== "pending") break;
    await desk.answer(event.session.id, { answers: [{ questionId: "sure", values: ["yes"] }] });
  }
  expect(seen[0]).toBe("pending");
  expect(seen.at(-1)).toBe("answered");
});

test("leaving the loop or aborting its signal stops watching", async () => {
  const { desk, listeners, say } = scripted();
  for await (const _event of deskEvents(desk)) break;
  expect(listeners.size).toBe(0);
  const stop = new AbortController();
  const seen: string[] = [];
  for await (const event of deskEvents(desk, {}, { signal: stop.signal })) {
    seen.push(event.type);
    if (event.type === "snapshot") say("a");
    else stop.abort();
  }
  expect([seen, listeners.size]).toEqual([["snapshot", "removed"], 0]);
});

test("a slow reader gets a new snapshot, and the buffer is bounded", async () => {
  const { desk, listeners, say } = scripted();
  const seen: string[] = [];
  for await (const event of deskEvents(desk)) {
    seen.push(event.type);
    if (seen.length === 1) for (let count = 0; count < 5_000; count += 1) say(String(count));
    if (seen.length === 2) break;
  }
  expect(seen).toEqual(["snapshot", "snapshot"]);
  expect(listeners.size).toBe(0);
});
