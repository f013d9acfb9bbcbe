import { anAsk, anAsker, anOutcome, aRecord, earlierOf, settled } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aHub, aSwitch, text, textOnly } from "./support.ts";

const minutes = 60_000;
const confirmOnly = () => anAsk({ questions: anAsk().questions.slice(3) });

describe("an ask with a key", () => {
  test("then counts as waiting, so that no ask without a key joins", async () => {
    const { asker, broker, desk, opened } = await aHub();
    const { session } = await opened(textOnly(), { key: "k" });
    asker.close();
    expect((await desk.get(session.id)).presence.asker).toBe("away");
    await broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), key: "k", maxWait: 0, earlier: false });
    expect((await desk.get(session.id)).presence.asker).toBe("attached");
  });

  test("is not joined by an ask without a key, even if its asker has gone", async () => {
    const { asker, broker, opened } = await aHub();
    const { session } = await opened(textOnly(), { key: "k" });
    asker.close();
    const again = await broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect([again.joined, again.session.id === session.id]).toEqual([false, false]);
  });
});

describe("an equal ask", () => {
  test("joins the oldest session whose asker left", async () => {
    const { broker, clock, opened, store, asker } = await aHub();
    const { session } = await opened();
    const { scope, digest } = session;
    await store.insert(aRecord({ id: "older", createdAt: 1, scope, digest, request: textOnly(), context: { deadlineAt: null } }));
    await clock.advance(0);
    asker.close();
    expect((await broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).session.id).toBe("older");
  });

  test("does not read the pending ones that are waited for, which may be many and large", async () => {
    const read: number[] = [];
    const { broker, opened } = await aHub((store) => ({
      async list(query) {
        const page = await store.list(query);
        if (query.digest !== undefined && query.states?.includes("pending")) read.push(page.sessions.length);
        return page;
      },
    }));
    await opened();
    const next = await broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect([next.joined, read]).toEqual([false, [0]]);
  });

  test("gets the newest answer of the last 15 minutes", async () => {
    const { clock, opened, store } = await aHub();
    const { scope, digest } = (await opened()).session;
    const answered = async (id: string, ago: number) => {
      const record = aRecord({ id, createdAt: clock.now() - ago - 1, scope, digest, request: textOnly() });
      await store.insert(settled(record, anOutcome({ at: clock.now() - ago })));
    };
    await answered("too old", 15 * minutes + 1);
    await answered("old", 15 * minutes);
    await answered("new", 5 * minutes);
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      const { session, late } = await opened();
      ids.push(late ? session.id : "a new one");
    }
    expect(ids).toEqual(["new", "old", "a new one"]);
  });

  test("does not get an answer that was delivered before it looked again", async () => {
    const { asker, broker, opened } = await aHub((store) => ({
      async get(id) {
        const record = await store.get(id);
        // Settled between listing the sessions and reading this one.
        return isLate && record !== undefined ? settled(record) : record;
      },
    }));
    let isLate = false;
    const { session } = await opened();
    asker.close();
    isLate = true;
    const next = broker.asker("owner-1");
    const again = await next.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect([again.joined, again.session.id === session.id]).toEqual([false, false]);
    isLate = false;
    const third = broker.asker("owner-1");
    expect(
      (await third.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).session.id,
      "nobody is about to wait for it",
    ).toBe(session.id);
  });

  test("leaves a session it could not read unchanged", async () => {
    const broken = aSwitch();
    const { asker, broker, desk, opened } = await aHub((store) => ({ get: (id) => broken.orElse(() => store.get(id)) }));
    const { session } = await opened();
    asker.close();
    broken.turnOn();
    const next = broker.asker("owner-1");
    await expect(next.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).rejects.toThrow("disk full");
    broken.turnOff();
    expect((await desk.get(session.id)).presence.asker).toBe("away");
    expect((await next.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).session.id).toBe(session.id);
  });

  test("leaves an answer it could not read to the next ask", async () => {
    const broken = aSwitch();
    const { asker, broker, desk, opened } = await aHub((store) => ({ get: (id) => broken.orElse(() => store.get(id)) }));
    const { session } = await opened();
    asker.close();
    await desk.answer(session.id, text());
    broken.turnOn();
    const next = broker.asker("owner-1");
    await expect(next.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).rejects.toThrow("disk full");
    broken.turnOff();
    expect(await next.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).toMatchObject({
      late: true,
      session: { id: session.id },
    });
  });

  test("does not count as about to wait if it joins but cannot move the deadline", async () => {
    const full = aSwitch();
    const { asker, broker, clock, desk, opened } = await aHub((store) => ({
      replace: (...args) => full.orElse(() => store.replace(...args)),
    }));
    const { session } = await opened();
    asker.close();
    await clock.advance(1_000);
    full.turnOn();
    await expect(broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).rejects.toThrow("disk full");
    expect((await desk.get(session.id)).presence.asker).toBe("away");
  });
});

describe("joining", () => {
  async function left(timeout: number) {
    const hub = await aHub();
    const { session } = await hub.opened(textOnly({ timeout }));
    hub.asker.close();
    const next = hub.broker.asker("owner-1");
    return {
      ...hub,
      session,
      again: async (ms: number) => (await next.ask(textOnly({ timeout: ms }), { asker: anAsker(), maxWait: 0, earlier: false })).session,
    };
  }

  test("moves the deadline if the new ask has a later one, but never earlier", async () => {
    const { again, clock, desk, session } = await left(60_000);
    await clock.advance(10_000);
    const sooner = await again(50_000);
    expect(sooner).toEqual(session);
    await clock.advance(49_999);
    expect((await desk.get(session.id)).status).toBe("pending");
    await clock.advance(1);
    expect((await desk.get(session.id)).status).toBe("timed_out");
    const second = await left(60_000);
    await second.clock.advance(10_000);
    expect((await second.again(50_001)).context.deadlineAt).toBe(second.session.createdAt + 60_001);
  });

  test("keeps a session without a deadline as it is", async () => {
    const { again, clock, desk, session } = await left(60_000);
    await desk.extend(session.id, { timeout: null });
    expect(await again(20_000)).toMatchObject({ revision: 2, context: { deadlineAt: null } });
    await clock.advance(1_000_000);
    expect((await desk.get(session.id)).status).toBe("pending");
  });

  test("extends the stored deadline even if the wall clock was set back", async () => {
    const { again, clock, desk, session } = await left(60_000);
    clock.jumpWall(-3_600_000);
    expect((await again(60_001)).context.deadlineAt).toBe(session.createdAt + 60_001);
    await clock.advance(60_000);
    expect((await desk.get(session.id)).status).toBe("pending");
    await clock.advance(1);
    expect((await desk.get(session.id)).status).toBe("timed_out");
  });
});

describe("asking for yes or no again", () => {
  /** A confirmation that was answered while nobody waited. */
  async function answeredBefore(comment?: string) {
    const hub = await aHub();
    const { session } = await hub.opened(confirmOnly());
    hub.asker.close();
    const set = { answers: [{ questionId: "q_confirm", values: ["yes"] }], comment };
    await hub.desk.answer(session.id, set);
    const next = hub.broker.asker("owner-1");
    return {
      ...hub,
      session,
      next,
      again: async (request = confirmOnly()) => next.ask(request, { asker: anAsker(), maxWait: 0, earlier: false }),
    };
  }

  test("asks again, and shows the earlier answer under the current ids", async () => {
    const { again, clock, session } = await answeredBefore();
    const [question] = confirmOnly().questions;
    const renamed = anAsk({ questions: question === undefined ? [] : [{ ...question, id: "q_abc123" }] });
    expect((await again(renamed)).session).not.toHaveProperty("earlierAnswer");
    const { session: reopened, joined, late } = await again();
    expect([joined, late]).toEqual([false, false]);
    expect(reopened.earlierAnswer).toStrictEqual({
      sessionId: session.id,
      answers: [{ questionId: "q_confirm", values: ["yes"] }],
      by: { surface: "terminal", name: "Ada" },
      at: clock.now(),
    });
  });

  test("shows the earlier comment too, and still reports the old answer", async () => {
    const { again, next, session } = await answeredBefore("Be quick.");
    expect((await again()).session.earlierAnswer?.comment).toBe("Be quick.");
    expect((await earlierOf(next, anAsker())).map(({ id }) => id)).toEqual([session.id]);
  });

  test("maps earlier answers to new ids if the agent omitted them", async () => {
    const hub = await aHub();
    const [question] = confirmOnly().questions;
    const withId = (id: string) => anAsk({ questions: question === undefined ? [] : [{ ...question, id }] });
    const { session } = await hub.opened(withId("q_aaaaaa"));
    hub.asker.close();
    await hub.desk.answer(session.id, { answers: [{ questionId: "q_aaaaaa", values: ["no"] }] });
    const again = await hub.broker.asker("owner-1").ask(withId("q_bbbbbb"), { asker: anAsker(), maxWait: 0, earlier: false });
    expect(again.session.earlierAnswer?.answers).toEqual([{ questionId: "q_bbbbbb", values: ["no"] }]);
  });
});
