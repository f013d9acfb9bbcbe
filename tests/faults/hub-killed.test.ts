import type { DeskEvent } from "@askbox/core";
import { resumed } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { type Agent, startAgent } from "./support/agent.ts";
import { type FaultHome, faultHome } from "./support/home.ts";
import { killProcess } from "./support/processes.ts";
import { answerOf, asker, oneQuestion, pendingSession, textOf } from "./support/questions.ts";

/** Kills the home's hub and resolves when its clients have started another. */
async function killHub(home: FaultHome): Promise<void> {
  const killed = home.hub();
  killProcess(killed?.pid ?? 0);
  await until("another hub is there", () => {
    const hub = home.hub();
    return hub !== undefined && hub.instance !== killed?.instance;
  });
}

describe("a hub that is killed", () => {
  // promise: draft-saved-when-confirmed, next-hub-found, pending-state-stored
  test("leaves 100 pending sessions, their deadlines and 10 drafts, and each call gets its own answer from the next hub", {
    timeout: 90_000,
  }, async () => {
    const home = faultHome();
    const agents = await Promise.all(["one", "two"].map((name) => startAgent(home, { flags: ["--agent", name] })));
    const wire = await home.connect({ role: "asker", start: true });
    const { desk } = await home.connect({ role: "desk", start: true });

    const calls = new Map<string, Promise<string | undefined>>();
    for (let index = 0; index < 100; index += 1) {
      const question = `Question ${index}?`;
      const agent = agents[index % 10] as Agent | undefined;
      const answer =
        agent === undefined
          ? wire.asker
              .ask(oneQuestion(question, 600_000 + index * 1_000), { asker: asker(`agent-${index}`), maxWait: 0 })
              .then(async ({ session }) => {
                const settled = await resumed(wire.asker, session.id);
                expect(settled.id).toBe(session.id);
                return textOf(settled.context.outcome);
              })
          : agent.ask(question, { timeout: 600_000 + index * 1_000 }).reply.then(({ result }) => textOf(result));
      calls.set(question, answer);
    }
    const pending = () => desk.list({ statuses: ["pending"], order: "oldest", limit: 1_000 }).then(({ items }) => items);
    const waiting = async () => {
      const items = await pending();
      return items.length === 100 && items.every(({ presence }) => presence.asker === "attached") && items;
    };
    const before = await until("100 sessions are pending and waited for", waiting);
    const drafts = before.slice(0, 10);
    await Promise.all(drafts.map(({ id }, index) => desk.saveDraft(id, { fields: { q: { values: [`half of ${index}`] } }, comment: "…" })));

    await killHub(home);
    const after = await until("all are pending and waited for again", waiting, 40_000);
    const facts = (sessions: typeof after) =>
      sessions.map(({ id, questions, deadlineAt, asker: who }) => ({ id, questions, deadlineAt, who }));
    expect(facts(after)).toEqual(facts(before));
    for (const [index, { id }] of drafts.entries()) {
      expect(await desk.getDraft(id)).toMatchObject({ fields: { q: { values: [`half of ${index}`] } }, comment: "…" });
    }

    await Promise.all(after.map(({ id, questions }) => desk.answer(id, answerOf(`Answer to ${questions[0]?.question}`))));
    for (const [question, answer] of calls) expect(await answer).toBe(`Answer to ${question}`);
    expect(await pending()).toEqual([]);
  });

  // promise: next-hub-found
  test("is followed by one that sends a watching surface a fresh snapshot, including what came in between", async () => {
    const home = faultHome();
    const first = await home.startHub();
    const { desk } = await home.connect({ role: "desk" });
    const { asker: port } = await home.connect({ role: "asker" });
    const events: DeskEvent[] = [];
    await desk.watch({}, (event) => events.push(event));
    const { session: before } = await port.ask(oneQuestion("Before?"), { asker: asker("a"), maxWait: 0 });
    await desk.saveDraft(before.id, { fields: { q: { values: ["ha"] } } });
    await first.kill();
    const told = events.length;

    await home.startHub();
    const another = await home.connect({ role: "asker" });
    const { session: between } = await another.asker.ask(oneQuestion("Between?"), { asker: asker("b"), maxWait: 0 });
    const fresh = await until("the watcher has a snapshot of the next hub", () =>
      events.slice(told).find((event) => event.type === "snapshot"),
    );
    expect(fresh.type === "snapshot" && fresh.drafts).toMatchObject([{ sessionId: before.id, fields: { q: { values: ["ha"] } } }]);
    const known = () => new Set(events.slice(told).flatMap((event) => sessionsIn(event)));
    await until("the watcher knows of both sessions", () => known().has(before.id) && known().has(between.id));

    await desk.answer(between.id, answerOf("yes"));
    await until("changes are told live again", () =>
      events
        .slice(told)
        .some((event) => event.type === "session" && event.session.id === between.id && event.session.status === "answered"),
    );
  });

  // promise: answer-on-disk-first
  test("delivers an acknowledged answer to the asker, even if it is killed at that moment", async () => {
    const home = faultHome();
    const agent = await startAgent(home);
    const call = agent.ask("Kept?");
    const { desk } = await home.connect({ role: "desk", start: true });
    const { id } = await pendingSession(desk, "Kept?");
    await desk.answer(id, answerOf("kept"));
    killProcess(home.hub()?.pid ?? 0);
    const { result } = await call.reply;
    expect(textOf(result)).toBe("kept");
    expect(call.responses()).toBe(1);
  });
});

function sessionsIn(event: DeskEvent): string[] {
  if (event.type === "snapshot") return event.sessions.map(({ id }) => id);
  return event.type === "session" ? [event.session.id] : [];
}
