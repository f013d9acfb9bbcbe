import { isAskboxError, type SessionView } from "@askbox/core";
import { resumed } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { startAgent } from "./support/agent.ts";
import { faultHome } from "./support/home.ts";
import { answerOf, asker, oneQuestion, textOf } from "./support/questions.ts";

const sessions = 1_000;
/** The number of sessions that are contested at the same time. */
const atOnce = 50;

describe("the first answer wins", () => {
  // promise: second-answer-informed
  test("of two answers at the same instant, a thousand times: one winner, and the loser learns who it was and where", async () => {
    const home = faultHome();
    await home.startHub();
    const { asker: port } = await home.connect({ role: "asker" });
    const people = [
      { surface: "web", name: "ada", desk: (await home.connect({ role: "desk", surface: "web", name: "ada" })).desk },
      { surface: "terminal", name: "bob", desk: (await home.connect({ role: "desk", surface: "terminal", name: "bob" })).desk },
    ] as const;
    const wins = { ada: 0, bob: 0 };

    const fight = async (index: number) => {
      const { session } = await port.ask(oneQuestion(`Which ${index}?`), { asker: asker("a"), maxWait: 0 });
      const wait = resumed(port, session.id);
      const order = index % 2 === 0 ? people : people.toReversed();
      const results = await Promise.allSettled(order.map(({ name, desk }) => desk.answer(session.id, answerOf(`${name} ${index}`))));
      const [winner] = order.filter((_, place) => results[place]?.status === "fulfilled");
      if (winner === undefined) throw new Error(`Nobody won session ${index}.`);
      const lost = results.filter((result) => result.status === "rejected");
      expect(lost).toHaveLength(1);
      const error: unknown = lost[0]?.reason;
      if (!isAskboxError(error, "SESSION_CLOSED")) throw error;
      expect(error.message).toBe(`This session was already answered in ${winner.surface} by ${winner.name}; nothing was changed.`);
      const standing = error.details?.["session"] as SessionView;
      expect(standing.outcome).toMatchObject({ by: { surface: winner.surface, name: winner.name } });
      expect(textOf(standing.outcome)).toBe(`${winner.name} ${index}`);
      expect(textOf((await wait).context.outcome)).toBe(`${winner.name} ${index}`);
      wins[winner.name] += 1;
    };
    for (let first = 0; first < sessions; first += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, offset) => fight(first + offset)));
    }
    expect(wins.ada + wins.bob).toBe(sessions);
    // Both win sometimes, which proves that they were concurrent.
    expect(Math.min(wins.ada, wins.bob)).toBeGreaterThan(0);
  });

  // promise: equal-asks-separate
  test("two agents in one folder that ask the same at once each have their own session and answer", async () => {
    const home = faultHome();
    await home.startHub();
    const { desk } = await home.connect({ role: "desk" });
    const agents = await Promise.all([startAgent(home), startAgent(home)]);
    const calls = agents.map((agent) => agent.ask("Shall I go on?"));
    const pending = await until("there are two sessions, both waited for", async () => {
      const { items } = await desk.list({ statuses: ["pending"] });
      return items.length === 2 && items.every(({ presence }) => presence.asker === "attached") && items;
    });
    await Promise.all(pending.map(({ id }) => desk.answer(id, answerOf(`answer to ${id}`))));
    const results = await Promise.all(calls.map(async ({ reply }) => (await reply).result));
    for (const result of results) expect(textOf(result)).toBe(`answer to ${result?.sessionId}`);
    expect(new Set(results.map((result) => result?.sessionId)).size).toBe(2);
    expect(results.flatMap((result) => result?.earlier ?? [])).toEqual([]);
  });
});
