import { ada, anAsk, anAsker, bob } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aCluster, asked, type Member, text } from "./a-cluster.ts";

describe("of several who settle one session at several brokers, the first wins", () => {
  const late = { most: 40, seed: 1 };
  const delayed = async () => {
    const cluster = await aCluster(3, late);
    const { id } = await asked(cluster.a);
    await cluster.clock.advance(1_000);
    const scheduled = await cluster.a.broker.desk(ada).answer(id, text("lathe"), { delay: 5_000 });
    expect(scheduled.scheduled?.by).toEqual(ada);
    return { ...cluster, id };
  };
  const isOnItsWay = { code: "CONFLICT", details: { scheduled: { by: ada } } };

  // promise: second-answer-informed
  test("whatever the second does before it hears of an answer that can still be undone", async () => {
    const { b, clock, id, store } = await delayed();
    const desk = b.broker.desk(bob);
    await expect(desk.answer(id, text("mill"))).rejects.toMatchObject(isOnItsWay);
    await expect(desk.answer(id, text("mill"), { delay: 1_000 })).rejects.toMatchObject(isOnItsWay);
    await expect(desk.cancel(id)).rejects.toMatchObject(isOnItsWay);
    await clock.advance(6_000);
    expect((await store.get(id))?.context.outcome).toMatchObject({ kind: "answered", by: ada });
  });

  test("over an asker that withdraws or replaces its question before its broker hears of the answer", async () => {
    for (const settle of [
      ({ b }: Awaited<ReturnType<typeof delayed>>, id: string) => b.broker.asker("owner-1").withdraw(id, { asker: anAsker() }),
      async ({ b }: Awaited<ReturnType<typeof delayed>>, id: string) => {
        await b.broker.asker("owner-1").ask(anAsk(), { asker: anAsker(), maxWait: 0, replaces: id });
      },
    ]) {
      const cluster = await delayed();
      await settle(cluster, cluster.id).catch(() => {});
      await cluster.clock.advance(6_000);
      expect((await cluster.store.get(cluster.id))?.context.outcome).toMatchObject({ kind: "answered", by: ada });
      expect((await cluster.store.list({ states: ["pending"] })).sessions).toEqual([]);
    }
  });

  test("and an answer that was undone is in nobody's way, even before they hear of it", async () => {
    const { a, b, clock, id, store } = await delayed();
    await clock.advance(1_000);
    await a.broker.desk(ada).recall(id);
    await expect(b.broker.desk(ada).recall(id)).rejects.toMatchObject({ code: "CONFLICT" });
    await b.broker.desk(bob).answer(id, text("mill"));
    await clock.advance(6_000);
    expect((await store.get(id))?.context.outcome).toMatchObject({ kind: "answered", by: bob });
  });

  // promise: second-answer-informed
  test("in any order of answering, undoing, declining and withdrawing, with messages late, out of order and twice", async () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { a, b, c, clock, store } = await aCluster(3, { most: 40, seed });
      const { asker, id } = await asked(a);
      await clock.advance(seed % 3 === 0 ? 1_000 : 0);
      /** What was accepted and not undone, by who did it. */
      const accepted = new Map<string, string>();
      const act = async (member: Member, name: string, step: number) => {
        const desk = member.broker.desk({ surface: "web", name });
        const attempt = `${name} ${step}`;
        const kept = () => void accepted.set(name, attempt);
        const choice = Math.imul(seed * 31 + step, 0x9e3779b1) >>> 16;
        const done = [
          () => desk.answer(id, text(attempt)).then(kept),
          () => desk.cancel(id, { reason: attempt }).then(kept),
          () => desk.recall(id).then(() => accepted.clear()),
          () => desk.recall(id).then(() => accepted.clear()),
          () => asker.withdraw(id, { reason: attempt }).then(kept),
        ][choice % 12];
        const delay = 20 + (choice % 400);
        await (done?.() ?? desk.answer(id, text(attempt), { delay }).then(kept)).catch((error: unknown) =>
          expect(error).toMatchObject({ code: expect.stringMatching(/^(CONFLICT|SESSION_CLOSED)$/) }),
        );
      };
      for (let step = 0; step < 6; step += 1) {
        await Promise.all([a, b, c].map((member, index) => act(member, ["Ada", "Bob", "Eve"][index] ?? "", step * 3 + index)));
        await clock.advance((seed * 7 + step * 13) % 60);
      }
      await clock.advance(1_000);
      const outcome = (await store.get(id))?.context.outcome;
      const stands =
        outcome?.kind === "answered" ? outcome.answers[0]?.values?.[0] : outcome?.kind === "cancelled" ? outcome.reason : undefined;
      expect([...new Set(accepted.values())], `seed ${seed}`).toEqual(stands === undefined ? [] : [stands]);
    }
  });
});
