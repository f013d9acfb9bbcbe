import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { type Agent, startAgent } from "./support/agent.ts";
import { faultHome } from "./support/home.ts";
import { killProcess, processesOf } from "./support/processes.ts";
import { answerOf, pendingSession, textOf } from "./support/questions.ts";

const endings: { name: string; end(agent: Agent): void }[] = [
  { name: "SIGKILL", end: ({ pid }) => killProcess(pid, "SIGKILL") },
  { name: "SIGTERM", end: ({ pid }) => killProcess(pid, "SIGTERM") },
  { name: "the end of its stdin", end: (agent) => agent.closeStdin() },
];

describe.each(endings)("an agent's server that ends during a question by $name", ({ end }) => {
  // promise: agent-gone-question-stays, held-answer-comes-as-earlier
  test("leaves no process behind and is shown as away; its answers go to the next ask, and to get_answer", async () => {
    const home = faultHome();
    const agent = await startAgent(home);
    const calls = [agent.ask("For the next ask?"), agent.ask("For get_answer?")];
    const { desk } = await home.connect({ role: "desk", start: true });
    const asked = await Promise.all(["For the next ask?", "For get_answer?"].map((question) => pendingSession(desk, question)));
    end(agent);
    await agent.ended;

    const hub = home.hub();
    if (process.platform === "linux") await until("only the hub is left", () => String(processesOf(home.folder)) === String(hub?.pid));
    for (const { id } of asked) {
      await until("its asker is shown away", async () => (await desk.get(id)).presence.asker === "away");
      await desk.answer(id, answerOf(`answer to ${id}`));
    }

    const next = await startAgent(home);
    const { result: late } = await next.ask("For the next ask?").reply;
    expect(late).toMatchObject({ answered: true, late: true, sessionId: asked[0]?.id });
    expect(textOf(late)).toBe(`answer to ${asked[0]?.id}`);
    // It may already have come along with the late answer; otherwise get_answer returns it.
    const alongside = late?.earlier ?? [];
    const { result: waiting } = alongside.length > 0 ? { result: late } : await next.call("get_answer", {}).reply;
    expect(waiting?.earlier?.map(({ sessionId, answers }) => [sessionId, answers[0]?.values[0]])).toEqual([
      [asked[1]?.id, `answer to ${asked[1]?.id}`],
    ]);

    await until("all of it is known to be delivered", async () => {
      const views = await Promise.all(asked.map(({ id }) => desk.get(id)));
      return views.every(({ delivery }) => delivery.deliveredAt !== null);
    });
    expect((await next.call("get_answer", {}).reply).error).toContain("Nothing to get");
    expect(calls.map((call) => call.responses())).toEqual([0, 0]);
  });

  // promise: agent-gone-question-stays
  test("returns answers given in the meantime to get_answer of the next agent", async () => {
    const home = faultHome();
    const agent = await startAgent(home, { client: "some-client" });
    agent.ask("Which colour?");
    const { desk } = await home.connect({ role: "desk", start: true });
    const { id } = await pendingSession(desk, "Which colour?");
    end(agent);
    await agent.ended;
    await desk.answer(id, answerOf("blue"));
    const next = await startAgent(home, { client: "some-client" });
    const { result } = await next.call("get_answer", {}).reply;
    expect(result?.earlier).toMatchObject([{ answered: true, sessionId: id, answers: [{ values: ["blue"] }] }]);
  });
});
