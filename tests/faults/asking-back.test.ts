import { isAskboxError } from "@askbox/core";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { startAgent } from "./support/agent.ts";
import { type FaultHome, faultHome } from "./support/home.ts";
import { killProcess } from "./support/processes.ts";
import { answerOf, asker, oneQuestion, pendingSession, textOf } from "./support/questions.ts";

/** An agent over stdio that waits for the answer to one question, and a person's desk. */
async function waiting(question: string) {
  const home = faultHome();
  const agent = await startAgent(home);
  const call = agent.ask(question);
  const { desk } = await home.connect({ role: "desk", start: true });
  const { id } = await pendingSession(desk, question);
  return { home, agent, call, desk, id };
}

const killHub = (home: FaultHome) => killProcess(home.hub()?.pid ?? 0);
const nothingYet = { answered: false, cancelled: false, timedOut: false, answers: [], pending: true };

describe("what a person asks back", () => {
  // promise: answer-on-disk-first
  test("reaches the waiting agent even if the hub is killed at that moment, and is not an answer", async () => {
    const { home, agent, call, desk, id } = await waiting("Kept?");
    await desk.askBack(id, { text: "Why?" });
    killHub(home);
    const { result } = await call.reply;
    expect(result).toMatchObject({ ...nothingYet, sessionId: id, askedBack: [{ text: "Why?" }] });
    expect(call.responses()).toBe(1);
    const next = agent.call("get_answer", { sessionId: id, reply: "So." });
    await until("the reply is in the thread", async () => (await desk.get(id)).thread?.length === 2);
    expect((await desk.get(id)).thread).toMatchObject([
      { text: "Why?", deliveredAt: expect.any(Number) },
      { text: "So.", by: { surface: "asker" } },
    ]);
    await desk.answer(id, answerOf("kept"));
    expect(textOf((await next.reply).result)).toBe("kept");
  });

  test("waits for the next call of an agent that is gone, and the person sees that it is gone", async () => {
    const { home, agent, desk, id } = await waiting("Gone?");
    killProcess(agent.pid);
    await agent.ended;
    await until("its asker is shown away", async () => (await desk.get(id)).presence.asker === "away");
    const { thread, status } = await desk.askBack(id, { text: "Why?" });
    expect([thread?.length, status, thread?.[0]?.deliveredAt]).toEqual([1, "pending", undefined]);
    killHub(home);
    const next = await startAgent(home);
    const { result } = await next.call("get_answer", {}).reply;
    expect(result?.earlier).toMatchObject([{ ...nothingYet, sessionId: id, askedBack: [{ text: "Why?" }] }]);
    await until("it is known to be given", async () => (await desk.get(id)).thread?.[0]?.deliveredAt !== undefined);
  });

  // promise: agent-gone-question-stays, held-answer-comes-as-earlier
  test("leaves the question open for an answer if the agent is killed before it replies", async () => {
    const { home, agent, call, desk, id } = await waiting("Still open?");
    await desk.askBack(id, { text: "Why?" });
    expect((await call.reply).result?.askedBack).toMatchObject([{ text: "Why?" }]);
    killProcess(agent.pid);
    await agent.ended;
    expect(await desk.get(id)).toMatchObject({ status: "pending", thread: [{ text: "Why?" }] });
    await desk.answer(id, answerOf("yes"));
    const next = await startAgent(home);
    const { result } = await next.call("get_answer", {}).reply;
    expect(result?.earlier).toMatchObject([{ answered: true, sessionId: id, answers: [{ values: ["yes"] }] }]);
  });
});

describe("a reply of the agent", () => {
  test("is in the thread once if the hub is killed while the call with it waits, and if the agent sends it again", async () => {
    const { home, agent, call, desk, id } = await waiting("Once?");
    await desk.askBack(id, { text: "Why?" });
    await call.reply;
    const reply = agent.call("get_answer", { sessionId: id, reply: "So." });
    await until("the reply is in the thread", async () => (await desk.get(id)).thread?.length === 2);
    killHub(home);
    const again = agent.call("get_answer", { sessionId: id, reply: "So." });
    await until("its asker waits again", async () => (await desk.get(id)).presence.asker === "attached");
    // The next request is handled after everything sent before it.
    await desk.askBack(id, { text: "And then?" });
    const results = await Promise.race([reply.reply, again.reply]);
    expect(results.result).toMatchObject({ ...nothingYet, askedBack: [{ text: "And then?" }] });
    expect((await desk.get(id)).thread?.map(({ text }) => text)).toEqual(["Why?", "So.", "And then?"]);
    await desk.answer(id, answerOf("once"));
  });
});

describe("asking back and answering at the same moment", () => {
  const sessions = 60;

  // promise: one-outcome
  test("ends with the answer, keeps the message in the thread, and gives the agent both", async () => {
    const home = faultHome();
    await home.startHub();
    const { asker: port } = await home.connect({ role: "asker" });
    const { desk: ada } = await home.connect({ role: "desk", name: "ada" });
    const { desk: bob } = await home.connect({ role: "desk", surface: "terminal", name: "bob" });
    const kept = { whole: 0, afterwards: 0 };

    const race = async (index: number) => {
      const who = asker(`agent-${index}`);
      const { session } = await port.ask(oneQuestion(`Which ${index}?`), { asker: who, maxWait: 0 });
      const answering = () => ada.answer(session.id, answerOf(`answer ${index}`));
      const asking = () => bob.askBack(session.id, { text: `Why ${index}?` });
      const [answered, asked] = await (index % 2 === 0
        ? Promise.allSettled([answering(), asking()])
        : Promise.allSettled([asking(), answering()]).then((both) => both.toReversed()));
      expect(answered?.status).toBe("fulfilled");
      if (asked?.status === "rejected") {
        kept.afterwards += 1;
        if (!isAskboxError(asked.reason, "SESSION_CLOSED")) throw asked.reason;
        expect(asked.reason.message).toContain("your message is kept in its thread");
      } else kept.whole += 1;
      expect(await ada.get(session.id)).toMatchObject({ status: "answered", thread: [{ text: `Why ${index}?`, by: { name: "bob" } }] });
      // The continued call has the answer and the message, whichever was first.
      const handover = await port.resume(session.id, { asker: who });
      expect(textOf(handover.session.context.outcome ?? undefined)).toBe(`answer ${index}`);
      expect(handover.session.thread).toMatchObject([{ text: `Why ${index}?` }]);
      await handover.ack();
    };
    await Promise.all(Array.from({ length: sessions }, (_, index) => race(index)));
    expect(kept.whole + kept.afterwards).toBe(sessions);
    expect(kept.afterwards).toBeGreaterThan(0);
  });
});

describe("questions that replace others", () => {
  test("have the thread and the drafts of equal questions even if the hub is killed during the replacement", async () => {
    const { home, agent, call, desk, id } = await waiting("Which colour?");
    await desk.saveDraft(id, { fields: { q: { values: ["bl"] } } });
    await desk.askBack(id, { text: "Of what?" });
    await call.reply;
    const questions = [
      { id: "colour", question: "Which colour?" },
      { id: "thing", question: "Of what?" },
    ];
    const better = agent.call("ask_user", { questions, replaces: id });
    const fresh = await until("the new questions are there", async () =>
      (await desk.list({ statuses: ["pending"] })).items.find((session) => session.questions.length === 2),
    );
    killHub(home);
    await until("the old ones are replaced", async () => (await desk.get(id)).replacedBy === fresh.id);
    expect((await desk.get(fresh.id)).thread).toMatchObject([{ text: "Of what?" }]);
    expect((await desk.getDraft(fresh.id))?.fields).toMatchObject({ colour: { values: ["bl"] } });
    expect((await desk.list({ statuses: ["pending"] })).items).toHaveLength(1);
    const answers = [
      { questionId: "colour", values: ["blue"] },
      { questionId: "thing", values: ["the door"] },
    ];
    await desk.answer(fresh.id, { answers });
    expect((await better.reply).result).toMatchObject({ answered: true, sessionId: fresh.id, answers });
  });
});
