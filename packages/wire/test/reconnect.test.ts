import type { DeskEvent } from "@askbox/core";
import { ada, anAsk, anAsker, resumed, validSet } from "@askbox/core/testing";
import { type Channel, channelPair, type WireState } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { askerHello, deskHello, drive, fragile, pairClient, testHub } from "./support.ts";

const question = (text: string) => anAsk({ questions: [{ id: "q", type: "text", question: text, required: true }] });
const answerOf = (text: string) => ({ answers: [{ questionId: "q", values: [text] }] });

describe("after a loss", () => {
  test("two hundred waits on one connection are attached again, and each gets its own outcome", async () => {
    const hub = await testHub();
    const net = fragile();
    const asker = pairClient(hub, askerHello(), { through: net.through });
    const desk = pairClient(hub, deskHello(ada));
    const opened = await Promise.all(
      Array.from({ length: 200 }, (_, index) => asker.asker.ask(question(`Question ${index}?`), { asker: anAsker(), maxWait: 0 })),
    );
    const waits = opened.map(({ session }) => resumed(asker.asker, session.id));
    await hub.clock.advance(0);
    expect(hub.broker().stats().waiting).toBe(200);

    net.cutAll();
    await hub.clock.advance(0);
    expect(hub.broker().stats().waiting).toBe(0);
    await desk.desk.answer(opened[7]?.session.id ?? "", answerOf("Answer 7"));
    await hub.clock.advance(5_000);
    expect(hub.broker().stats().waiting).toBe(199);

    for (const [index, { session }] of [...opened.entries()].reverse()) {
      if (index !== 7) await desk.desk.answer(session.id, answerOf(`Answer ${index}`));
    }
    const settled = await drive(hub.clock, Promise.all(waits));
    for (const [index, { id, context }] of settled.entries()) {
      expect(id).toBe(opened[index]?.session.id);
      expect(context.outcome).toMatchObject({ kind: "answered", answers: [{ values: [`Answer ${index}`] }] });
    }
  });

  test("a watch gets a fresh snapshot, then changes in order", async () => {
    const hub = await testHub();
    const net = fragile();
    const local = hub.broker().asker("owner-1");
    const desk = pairClient(hub, deskHello(), { through: net.through });
    const events: DeskEvent[] = [];
    await desk.desk.watch({}, (event) => events.push(event));
    expect(events).toEqual([{ type: "snapshot", sessions: [], drafts: [] }]);

    const states: unknown[] = [];
    desk.onState((state) => states.push([state, desk.failure()?.code]));
    net.cutAll();
    const { session } = await local.ask(question("While away?"), { asker: anAsker(), maxWait: 0 });
    await hub.clock.advance(5_000);
    expect(states).toEqual([
      ["lost", "HUB_UNREACHABLE"],
      ["open", undefined],
    ]);
    expect(events.slice(1)).toMatchObject([{ type: "snapshot", sessions: [{ id: session.id, revision: 1 }] }]);

    await hub.broker().desk(ada).extend(session.id, { timeout: 900_000 });
    await hub.broker().desk(ada).answer(session.id, answerOf("yes"));
    await hub.clock.advance(0);
    const revisions = events.slice(2).flatMap((event) => (event.type === "session" ? [event.session.revision] : []));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(revisions.at(-1)).toBe(3);
  });

  test("a watch that was closed in the meantime is not restarted", async () => {
    const hub = await testHub();
    const net = fragile();
    const desk = pairClient(hub, deskHello(), { through: net.through });
    const watch = await desk.desk.watch({}, () => {});
    expect(hub.broker().stats().watching).toBe(1);
    net.cutAll();
    await hub.clock.advance(0);
    watch.close();
    await hub.clock.advance(10_000);
    expect(hub.broker().stats().watching).toBe(0);
  });

  test("a watch that is closed ends on the hub too", async () => {
    const hub = await testHub();
    const desk = pairClient(hub, deskHello());
    const watch = await desk.desk.watch({}, () => {});
    watch.close();
    watch.close();
    await hub.clock.advance(0);
    expect(hub.broker().stats().watching).toBe(0);
    expect(desk.state()).toBe("open");
  });

  test("a desk that had a session open has it open again", async () => {
    const hub = await testHub();
    const net = fragile();
    const { session } = await hub.broker().asker("owner-1").ask(question("Seen?"), { asker: anAsker(), maxWait: 0 });
    const desk = pairClient(hub, deskHello(ada), { through: net.through });
    const leave = await desk.desk.attend(session.id);
    const openIn = async () => (await hub.broker().desk(ada).get(session.id)).presence.openIn;
    expect(await openIn()).toEqual([ada]);
    net.cutAll();
    await hub.clock.advance(0);
    expect(await openIn()).toEqual([]);
    await hub.clock.advance(5_000);
    expect(await openIn()).toEqual([ada]);
    leave();
    await hub.clock.advance(0);
    expect(await openIn()).toEqual([]);
  });

  test("a wait that asked for a ticket waits only for the rest of its time", async () => {
    const hub = await testHub();
    const net = fragile();
    const asker = pairClient(hub, askerHello(), { through: net.through });
    const { session } = await asker.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const wait = resumed(asker.asker, session.id, { maxWait: 60_000 });
    await hub.clock.advance(50_000);
    net.cutAll();
    await hub.clock.advance(9_999);
    expect((await hub.broker().desk(ada).get(session.id)).presence.asker).toBe("attached");
    await hub.clock.advance(1);
    expect(await wait).toMatchObject({ id: session.id, state: "pending" });
    expect((await hub.broker().desk(ada).get(session.id)).presence.asker).toBe("will_ask_again");
  });

  test("a late reply of the old connection is ignored", async () => {
    const hub = await testHub();
    const desk = pairClient(hub, deskHello());
    const far: Channel[] = [];
    const asker = pairClient(hub, askerHello(), {
      async connect() {
        const [near, end] = channelPair();
        far.push(end);
        hub.serve(end);
        return near;
      },
    });
    const { session } = await asker.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const stop = new AbortController();
    const wait = resumed(asker.asker, session.id, { signal: stop.signal });
    stop.abort();
    await expect(wait).rejects.toMatchObject({ code: "ABORTED" });
    far[0]?.send(JSON.stringify({ id: 2, result: session }));
    far[0]?.send(JSON.stringify({ id: 99, error: { code: "INTERNAL", message: "?" } }));
    far[0]?.send("what?");
    const again = resumed(asker.asker, session.id);
    await hub.clock.advance(0);
    await desk.desk.answer(session.id, validSet());
    expect(await again).toMatchObject({ state: "answered" });
  });

  test("a hub that stops responding is noticed within thirty seconds, from either side", async () => {
    const hub = await testHub();
    const net = fragile();
    const asker = pairClient(hub, askerHello(), { through: net.through });
    await asker.ready();
    const states: WireState[] = [];
    asker.onState((state) => states.push(state));
    await hub.clock.advance(100_000);
    expect(states).toEqual([]);
    net.state.isMute = true;
    await hub.clock.advance(40_000);
    expect(states).toEqual(["lost"]);
    expect(hub.connections.size).toBe(0);
  });

  test("an idle client stays disconnected until it is used", async () => {
    const hub = await testHub();
    const net = fragile();
    const desk = pairClient(hub, deskHello(), { through: net.through });
    await desk.ready();
    net.cutAll();
    await hub.clock.advance(60_000);
    expect(net.made()).toBe(1);
    expect(await drive(hub.clock, desk.desk.list())).toEqual({ items: [] });
    expect(net.made()).toBe(2);
  });

  test("attempts become less frequent, up to every five seconds", async () => {
    const hub = await testHub();
    const attempts: number[] = [];
    const desk = pairClient(hub, deskHello(), {
      random: () => 1,
      async connect() {
        attempts.push(hub.clock.monotonic());
        throw new Error("refused");
      },
    });
    const list = desk.desk.list();
    list.catch(() => {});
    await hub.clock.advance(25_000);
    expect(attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });
});

describe("two desks", () => {
  test("that answer at once have one winner, and the other gets the outcome", async () => {
    const hub = await testHub();
    const { session } = await hub.broker().asker("owner-1").ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const one = pairClient(hub, deskHello({ surface: "terminal", name: "Ada" }));
    const other = pairClient(hub, deskHello({ surface: "web", name: "Bob" }));
    await Promise.all([one.ready(), other.ready()]);
    const results = await Promise.allSettled(
      [one, other].map(({ desk }, index) => desk.answer(session.id, validSet({ comment: `${index}` }))),
    );
    const winner = results.findIndex(({ status }) => status === "fulfilled");
    const loser = results[1 - winner];
    expect(results.filter(({ status }) => status === "fulfilled").length).toBe(1);
    expect(loser).toMatchObject({ reason: { code: "SESSION_CLOSED", details: { session: { outcome: { comment: `${winner}` } } } } });
  });
});
