import { describe, expect, test } from "vitest";
import { spend, until } from "../support/until.ts";
import { startAgent, type ToolCall } from "./support/agent.ts";
import { faultHome } from "./support/home.ts";
import { answerOf, pendingSession, textOf } from "./support/questions.ts";
import { rounds, seededChance, timeout } from "./support/rounds.ts";

describe("a call that the client cancels", () => {
  // promise: cancelled-call-question-stays
  test("before its session was opened asks at most once, and the next equal ask is answered", async () => {
    const home = faultHome();
    await home.startHub();
    const { desk } = await home.connect({ role: "desk" });
    const agent = await startAgent(home);
    const first = agent.ask("Too early?");
    agent.cancel(first);
    const second = agent.ask("Too early?");
    const { id } = await pendingSession(desk, "Too early?");
    await until("the second call waits for it", async () => (await desk.get(id)).presence.asker === "attached");
    expect((await desk.list({ statuses: ["pending"] })).items).toHaveLength(1);
    await desk.answer(id, answerOf("no"));
    expect(textOf((await second.reply).result)).toBe("no");
    expect(first.responses()).toBe(0);
  });

  // promise: cancelled-call-question-stays
  test("during its wait leaves the question open; its answer goes to the next equal ask", async () => {
    const home = faultHome();
    await home.startHub();
    const { desk } = await home.connect({ role: "desk" });
    const agent = await startAgent(home);
    const first = agent.ask("Waiting?");
    const { id } = await pendingSession(desk, "Waiting?");
    agent.cancel(first);
    await until("its asker is shown away", async () => (await desk.get(id)).presence.asker === "away");
    await desk.answer(id, answerOf("yes"));
    const { result } = await agent.ask("Waiting?").reply;
    expect(result).toMatchObject({ answered: true, late: true, sessionId: id, answers: [{ values: ["yes"] }] });
    expect(first.responses()).toBe(0);
  });

  // promise: killed-call-answer-held, outcome-once-per-call
  test("at the moment of the answer gets that answer, or a later call does: never none, never both", {
    timeout,
  }, async () => {
    const chance = seededChance("cancelled calls");
    const home = faultHome();
    await home.startHub();
    const { desk } = await home.connect({ role: "desk" });
    const agent = await startAgent(home);
    const received = new Map<string, number>();
    const count = (sessionId: string | undefined) => received.set(String(sessionId), (received.get(String(sessionId)) ?? 0) + 1);
    const cancelled: { id: string; call: ToolCall }[] = [];
    for (let round = 0; round < rounds(20); round += 1) {
      const question = `Round ${round}?`;
      const call = agent.ask(question);
      const { id } = await pendingSession(desk, question);
      const answered = desk.answer(id, answerOf(`answer ${round}`));
      await spend(chance.between(0, 6));
      agent.cancel(call);
      await answered;
      cancelled.push({ id, call });
      void call.reply.then(({ result }) => {
        count(result?.sessionId);
        for (const { sessionId } of result?.earlier ?? []) count(sessionId);
      });
    }
    await until("every answer has reached a call", async () => {
      const { result } = await agent.call("get_answer", {}).reply;
      for (const { sessionId } of result?.earlier ?? []) count(sessionId);
      return cancelled.every(({ id }) => received.has(id));
    });
    expect(cancelled.map(({ id }) => received.get(id))).toEqual(cancelled.map(() => 1));
    expect(Math.max(...cancelled.map(({ call }) => call.responses()))).toBeLessThanOrEqual(1);
    await until("nothing is left to get", async () => (await agent.call("get_answer", {}).reply).error?.includes("Nothing to get"));
  });
});
