import { ada, anAsk, anAsker, bob, earlierOf, validSet } from "@askbox/core/testing";
import { describe, expect, test } from "vitest";
import { aCluster, asked, text, textOnly } from "./a-cluster.ts";

describe("several brokers sharing a store", () => {
  test("form one inbox: asked at the first, seen at the second, answered at the third, returned at the first", async () => {
    const { a, b, c, clock } = await aCluster();
    const seen: string[] = [];
    await b.broker.desk(bob).watch({}, (event) => {
      if (event.type === "session") seen.push(`${event.session.status} ${event.session.presence.asker}`);
    });
    const { id, wait } = await asked(a);
    await clock.advance(0);
    expect(seen.at(-1)).toBe("pending attached");
    await c.broker.desk(ada).answer(id, text("lathe"));
    expect((await wait).context.outcome).toMatchObject({ kind: "answered", by: ada });
    await expect(b.broker.desk(bob).answer(id, text("mill"))).rejects.toMatchObject({ code: "SESSION_CLOSED" });
    expect(a.broker.peers()).toHaveLength(2);
  });

  test("show who has a session open and what is being typed, at any broker", async () => {
    const { a, b, c, clock } = await aCluster();
    const { id } = await asked(a);
    const drafts: unknown[] = [];
    await c.broker.desk(bob).watch({}, (event) => {
      if (event.type === "draft") drafts.push(event.draft.fields);
    });
    const leave = await b.broker.desk(ada).attend(id);
    await b.broker.desk(ada).saveDraft(id, { fields: { q_text: { values: ["la"] } } });
    await clock.advance(0);
    expect((await c.broker.desk(bob).get(id)).presence.openIn).toEqual([ada]);
    expect(drafts).toEqual([{ q_text: { values: ["la"] } }]);
    leave();
    await clock.advance(0);
    expect((await c.broker.desk(bob).get(id)).presence.openIn).toEqual([]);
  });

  test("know which agents are connected to the others, until they leave", async () => {
    const { a, b, clock } = await aCluster();
    const port = a.broker.asker("agents");
    const info = anAsker({ conversation: "one" });
    const { session } = await port.ask(textOnly(), { asker: info, maxWait: 0 });
    await b.broker.desk(bob).cancel(session.id);
    await clock.advance(3_600_000);
    const states = async () => (await b.broker.desk(bob).conversations()).map(({ state }) => state);
    expect(await states()).toEqual(["working"]);
    port.close();
    await clock.advance(0);
    expect(await states()).toEqual(["gone"]);
  });

  test("tell a new one who is present", async () => {
    const { a, start } = await aCluster();
    const { id } = await asked(a);
    const late = await start();
    expect((await late.broker.desk(bob).get(id)).presence.asker).toBe("attached");
  });

  test("report nothing again to their surfaces when another one joins and each announces itself", async () => {
    const { a, b, clock, start } = await aCluster();
    const { id } = await asked(a);
    await clock.advance(0);
    const told: string[] = [];
    await b.broker.desk(bob).watch({}, ({ type }) => void told.push(type));
    await start();
    await clock.advance(5_000);
    expect(told).toEqual(["snapshot"]);
    const leave = await a.broker.desk(ada).attend(id);
    await clock.advance(0);
    leave();
    await clock.advance(0);
    expect(told.length, "what does change is told").toBeGreaterThan(1);
  });

  test("hold a deadline for a person who types at another", async () => {
    const { a, b, clock, store } = await aCluster();
    const { id } = await asked(a, anAsk({ ...textOnly(), timeout: 10_000 }));
    await clock.advance(9_000);
    await b.broker.desk(ada).saveDraft(id, { fields: { q_text: { values: ["la"] } } });
    await clock.advance(5_000);
    expect((await store.get(id))?.state).toBe("pending");
    await clock.advance(30_000);
    expect((await store.get(id))?.state).toBe("timedOut");
  });

  test("keep a deadline that was moved at another, even if the message is lost", async () => {
    const { a, b, clock, store } = await aCluster();
    const { id } = await asked(a, anAsk({ ...textOnly(), timeout: 10_000 }));
    a.cutOff();
    await b.broker.desk(ada).extend(id, { timeout: 60_000 });
    a.rejoin();
    await clock.advance(15_000);
    expect((await store.get(id))?.state).toBe("pending");
    await clock.advance(50_000);
    expect((await store.get(id))?.state).toBe("timedOut");
  });
});

describe("an answer delayed at one broker", () => {
  // promise: killed-hubs-lose-no-answer
  test("is sent by another if that one is killed", async () => {
    const { a, b, c, clock } = await aCluster();
    const { id, wait } = await asked(a);
    await b.broker.desk(ada).answer(id, text("lathe"), { delay: 5_000 });
    await clock.advance(0);
    expect((await c.broker.desk(bob).get(id)).scheduled?.by).toEqual(ada);
    b.kill();
    await clock.advance(5_000);
    expect((await wait).context.outcome).toMatchObject({ kind: "answered", by: ada });
  });

  test("can be recalled at another, and is then not sent by the first, even if it was not told", async () => {
    const { a, b, c, clock, store } = await aCluster();
    const { id } = await asked(a);
    await b.broker.desk(ada).answer(id, text("lathe"), { delay: 5_000 });
    await clock.advance(4_999);
    // Its messages arrive too late; its store works.
    const recalled = c.broker.desk(ada).recall(id);
    const sent = clock.advance(1);
    await Promise.all([recalled.catch(() => {}), sent]);
    await clock.advance(10_000);
    const record = await store.get(id);
    const wasRecalled = await recalled.then(
      () => true,
      () => false,
    );
    expect(record?.state, "recalled, or sent, as whoever recalled it was told").toBe(wasRecalled ? "pending" : "answered");
  });

  test("is not lost to the deadline kept by another broker that was not told about it", async () => {
    const { a, b, c, clock, store } = await aCluster();
    const { id } = await asked(a, anAsk({ ...textOnly(), timeout: 10_000 }));
    await clock.advance(9_000);
    for (const deaf of [a, c]) deaf.cutOff();
    await b.broker.desk(ada).answer(id, text("lathe"), { delay: 5_000 });
    for (const deaf of [a, c]) deaf.rejoin();
    await clock.advance(1_500);
    expect((await store.get(id))?.context.outcome).toMatchObject({ kind: "answered", by: ada });
  });
});

describe("equal asks at several brokers", () => {
  test("at the same time each have a session", async () => {
    const { a, b, c } = await aCluster();
    const opened = await Promise.all([a, b, c].map((member) => asked(member)));
    expect(new Set(opened.map(({ id }) => id)).size).toBe(3);
  });

  test("join a session left at another, at most one of them", async () => {
    const { a, b, c, clock } = await aCluster();
    const { asker, id } = await asked(a);
    asker.close();
    await clock.advance(0);
    const again = await Promise.all(
      [b, c, b].map(({ broker }) => broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })),
    );
    expect(again.filter(({ session }) => session.id === id)).toHaveLength(1);
  });

  test("do not join a session whose asker waits at a broker that is slow to announce it", async () => {
    const { a, b } = await aCluster();
    const asker = a.broker.asker("owner-1");
    const [first, second] = await Promise.all([
      asker.ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false }),
      b.broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false }),
    ]);
    expect(first.session.id).not.toBe(second.session.id);
  });

  test("get an earlier answer once, at whichever broker they arrive", async () => {
    const { a, b, c, clock } = await aCluster();
    const { asker, id } = await asked(a);
    asker.close();
    await clock.advance(0);
    await b.broker.desk(ada).answer(id, text("lathe"));
    const again = await Promise.all(
      [a, b, c, a].map(({ broker }) => broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })),
    );
    expect(again.filter(({ late }) => late)).toHaveLength(1);
    const earlier = await Promise.all([a, b, c].map(({ broker }) => earlierOf(broker.asker("owner-1"), anAsker())));
    expect(earlier.flat(), "while it is under way").toEqual([]);
  });

  // promise: killed-hubs-lose-no-answer
  test("get an earlier outcome once, at whichever broker they ask, and never after it was delivered", async () => {
    const { a, b, c, clock } = await aCluster();
    const { asker, id } = await asked(a);
    asker.close();
    await clock.advance(0);
    await b.broker.desk(ada).answer(id, text("lathe"));
    const askers = [a, b, c].map(({ broker }) => broker.asker("owner-1"));
    const told = await Promise.all([...askers, ...askers].map((each) => earlierOf(each, anAsker())));
    expect(told.flat().map((session) => session.id)).toEqual([id]);
    const [holder] = told.flatMap((sessions, index) => (sessions.length > 0 ? [askers[index % 3]] : []));
    await holder?.acknowledge([{ sessionId: id, withOutcome: true, withReply: false, messages: 0 }]);
    expect((await Promise.all(askers.map((each) => earlierOf(each, anAsker())))).flat()).toEqual([]);
    await clock.advance(10_000);
    expect((await Promise.all(askers.map((each) => earlierOf(each, anAsker())))).flat()).toEqual([]);
  });

  test("do not get an outcome that is being delivered at another broker", async () => {
    const { a, b, c, clock } = await aCluster();
    const { asker, id, wait } = await asked(a);
    await b.broker.desk(ada).answer(id, text("lathe"));
    await wait;
    expect(await earlierOf(c.broker.asker("owner-1"), anAsker())).toEqual([]);
    await asker.release([{ sessionId: id, withOutcome: true, withReply: false, messages: 0 }]);
    await clock.advance(0);
    expect(await earlierOf(c.broker.asker("owner-1"), anAsker()), "once it was given back").toHaveLength(1);
  });
});

describe("a killed broker", () => {
  test("leaves sessions that another can withdraw, once nobody waits for them at any", async () => {
    const { a, b, c, clock, store } = await aCluster();
    const { id } = await asked(a);
    const elsewhere = await asked(c, anAsk({ questions: anAsk().questions.slice(1, 2) }));
    expect(await b.broker.withdrawLost(id, "Lost.")).toBe(false);
    expect(await a.broker.withdrawLost(id, "Lost.")).toBe(false);
    a.kill();
    expect(await b.broker.withdrawLost(id, "Lost.")).toBe(false);
    await clock.advance(10_000);
    const tried = await Promise.all([b, c].map(({ broker }) => broker.withdrawLost(id, "Lost.")));
    expect(tried.filter((isWithdrawn) => isWithdrawn)).toHaveLength(1);
    expect((await store.get(id))?.context.outcome).toMatchObject({ kind: "cancelled", reason: "Lost.", by: { surface: "asker" } });
    expect(await b.broker.withdrawLost(id, "Lost.")).toBe(false);
    expect(await b.broker.withdrawLost("none", "Lost.")).toBe(false);
    expect(await b.broker.withdrawLost(elsewhere.id, "Lost.")).toBe(false);
  });

  test("shows nobody as present for longer than 10 s", async () => {
    const { a, b, clock } = await aCluster();
    const { id } = await asked(a);
    await a.broker.desk(ada).attend(id);
    await clock.advance(0);
    const desk = b.broker.desk(bob);
    expect((await desk.get(id)).presence).toMatchObject({ asker: "attached", openIn: [ada] });
    a.kill();
    await clock.advance(10_000);
    expect((await desk.get(id)).presence).toMatchObject({ asker: "away", openIn: [] });
    expect(b.broker.peers()).toHaveLength(1);
  });

  test("releases outcomes it was delivering within 8 s", async () => {
    const { a, b, c, clock } = await aCluster();
    const { id, wait } = await asked(a);
    await b.broker.desk(ada).answer(id, text("lathe"));
    await wait;
    a.kill();
    const earlier = () => earlierOf(c.broker.asker("owner-1"), anAsker());
    expect(await earlier()).toEqual([]);
    await clock.advance(8_000);
    expect((await earlier()).map((session) => session.id)).toEqual([id]);
  });

  test("leaves its sessions and outcomes to equal asks at other brokers", async () => {
    const { a, b, c, clock } = await aCluster();
    const open = await asked(a);
    const request = anAsk({ questions: anAsk().questions.slice(1, 2) });
    const handed = await asked(a, request);
    const [question] = request.questions;
    const values = question !== undefined && "options" in question ? [question.options[0]?.value ?? ""] : [];
    await b.broker.desk(ada).answer(handed.id, { answers: [{ questionId: question?.id ?? "", values }] });
    await handed.wait;
    a.kill();
    await clock.advance(10_000);
    const again = await c.broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect([again.joined, again.session.id]).toEqual([true, open.id]);
    expect((await earlierOf(b.broker.asker("owner-1"), anAsker())).map(({ id }) => id)).toEqual([handed.id]);
  });
});

describe("a hub of another version or with a wrong clock", () => {
  test("ignores unknown messages of a newer version, and continues", async () => {
    const { a, b, clock, memory } = await aCluster();
    const { id } = await asked(a);
    const newer = memory.open();
    for (const body of [{ type: "weather", of: id }, { type: "alive", now: "noon" }, "?"]) {
      await newer.publish("hubs", JSON.stringify({ from: "newer", seq: 1, body }));
    }
    await newer.publish("hubs", "no JSON");
    await clock.advance(3_000);
    expect((await b.broker.desk(bob).get(id)).presence.asker).toBe("attached");
    expect(b.broker.peers().map((peer) => peer.id)).not.toContain("newer");
  });

  test("is known if clocks differ by more than 2 s, and logged once", async () => {
    const { a, clock, memory, logged } = await aCluster(1);
    const other = memory.open();
    let seq = 0;
    const alive = async (ahead: number) => {
      seq += 1;
      const body = { type: "alive", about: {}, now: clock.now() + ahead };
      await other.publish("hubs", JSON.stringify({ from: "other", seq, body }));
      await clock.advance(0);
    };
    const warnings = () => logged.filter((message) => message.startsWith("The wall clocks of two hubs differ"));
    await alive(2_000);
    expect(warnings()).toEqual([]);
    await alive(2_001);
    await alive(2_001);
    expect(warnings()).toHaveLength(1);
    expect(a.broker.peers()).toMatchObject([{ id: "other", clockAhead: 2_001 }]);
  });
});

describe("a closing broker", () => {
  test("is forgotten at once, and its waiting sessions can be joined at once", async () => {
    const { a, b, clock } = await aCluster();
    const { id } = await asked(a);
    await a.broker.close();
    await clock.advance(0);
    expect((await b.broker.desk(bob).get(id)).presence.asker).toBe("away");
    expect((await b.broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).session.id).toBe(id);
  });
});

describe("a broker that was disconnected from the others", () => {
  test("is known again afterwards, with everybody who waits there", async () => {
    const { a, b, clock, logged } = await aCluster();
    const { id, wait } = await asked(a);
    await clock.advance(0);
    a.cutOff();
    await clock.advance(20_000);
    expect((await b.broker.desk(bob).get(id)).presence.asker).toBe("away");
    a.rejoin();
    await clock.advance(5_000);
    expect((await b.broker.desk(bob).get(id)).presence.asker).toBe("attached");
    const equal = await b.broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false });
    expect(equal.session.id, "it waits there again").not.toBe(id);
    await b.broker.desk(ada).answer(id, text("lathe"));
    expect((await wait).state).toBe("answered");
    expect(logged.filter((message) => message.includes("cannot be reached"))).toHaveLength(1);
  });

  test("reports writes that fail", async () => {
    const { a, b } = await aCluster();
    const { id } = await asked(b);
    a.cutOff();
    await expect(a.broker.desk(ada).answer(id, validSet())).rejects.toThrow("away");
    await expect(a.broker.asker("owner-1").ask(textOnly(), { asker: anAsker(), maxWait: 0, earlier: false })).rejects.toThrow("away");
  });
});
