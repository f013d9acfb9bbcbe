import type { SessionView } from "@askbox/core";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { startAgent } from "./support/agent.ts";
import { faultHome } from "./support/home.ts";
import { killProcess } from "./support/processes.ts";
import { pendingSession } from "./support/questions.ts";

const replying = ({ questions }: SessionView, text: string) => ({
  answers: questions.map(({ id }) => ({ questionId: id, values: [text] })),
});

// promise: next-hub-found
test("a call of ask_human keeps waiting behind an earlier one when the hub is killed, and each gets its own reply", async () => {
  const home = faultHome();
  const agent = await startAgent(home, { flags: ["--tools", "ask_human"] });
  const first = agent.call("ask_human", { question: "First?", agent_id: "builder" });
  const { desk } = await home.connect({ role: "desk", start: true });
  const session = await pendingSession(desk, "First?");
  const second = agent.call("ask_human", { question: "Second?", agent_id: "builder" });
  const before = home.hub();
  killProcess(before?.pid ?? 0);
  await until("another hub is there", () => home.hub() !== undefined && home.hub()?.instance !== before?.instance);
  const waiting = await desk.list({ statuses: ["pending"] });
  expect(waiting.items.map(({ id }) => id)).toEqual([session.id]);
  await desk.answer(session.id, replying(session, "one"));
  expect(await first.text).toBe("one");
  const next = await pendingSession(desk, "Second?");
  await desk.answer(next.id, replying(next, "two"));
  expect(await second.text).toBe("two");
});
