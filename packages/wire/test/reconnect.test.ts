import type { DeskEvent, SessionView } from "@askbox/core";
import { ada, anAsk, anAsker, validSet } from "@askbox/core/testing";
import { type Channel, channelPair, type WireState } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { askerHello, deskHello, drive, pairClient, relay, testHub } from "./support.ts";

/** A `through` whose connections can all be cut, and of which the frames can be swallowed. */
function fragile() {
  const cuts = new Set<() => void>();
  let made = 0;
  const state = { isMute: false };
  return {
    state,
    made: () => made,
    cutAll() {
      for (const cut of [...cuts]) cut();
      cuts.clear();
    },
    through(channel: Channel) {
      made += 1;
      const { near, cut } = relay(channel, () => !state.isMute);
      cuts.add(cut);
      return near;
    },
  };
}

const question = (text: string) => anAsk({ questions: [{ id: "q", type: "text", question: text, required: true }] });
const answerOf = (text: string) => ({ answers: [{ questionId: "q", values: [text] }] });

describe("after a loss", () => {
  test("two hundred waits on one connection are attached again, and each gets its own outcome", async () => {
    const hub = await testHub();
    const net = fragile();
    const asker = pairClient(hub, askerHello(), { through: net.through });
    const desk = pairClient(hub, deskHello(ada));
    const opened = await Promise.all(
      Array.from({ length: 200 }, (_, index) => asker.asker.open(question(`Question ${index}?`), { asker: anAsker() })),
    );
    const waits = opened.map(({ session }) => asker.asker.wait(session.id));
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

    net.cutAll();
    const { session } = await local.open(question("While away?"), { asker: anAsker() });
    await hub.clock.advance(5_000);
    expect(events.slice(1)).toMatchObject([{ type: "snapshot", sessions: [{ id: session.id, revision: 1 }] }]);

    await hub.broker().desk(ada).extend(session.id, { timeout: 900_000 });
    await hub.broker().desk(ada).answer(session.id, answerOf("yes"));
    await hub.clock.advance(0);
    const revisions = events.slice(2).flatMap((event) => (event.type === "session" ? [event.session.revision] : []));
    expect(revisions).toEqual([...revisions].sort((a, b) => a - b));
    expect(revisions.at(-1)).toBe(3);
  });

  test("a watch that was closed meanwhile is not begun again", async () => {
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

  test("whoever had a session open has it open again", async () => {
    const hub = await testHub();
    const net = fragile();
    const { session } = await hub.broker().asker("owner-1").open(question("Seen?"), { asker: anAsker() });
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
    const { session } = await asker.asker.open(anAsk(), { asker: anAsker() });
    const wait = asker.asker.wait(session.id, { ticketAfter: 60_000 });
    await hub.clock.advance(50_000);
    net.cutAll();
    await hub.clock.advance(9_999);
    expect((await hub.broker().desk(ada).get(session.id)).presence.asker).toBe("attached");
    await hub.clock.advance(1);
    expect(await wait).toMatchObject({ id: session.id, state: "pending" });
    expect((await hub.broker().desk(ada).get(session.id)).presence.asker).toBe("will_ask_again");
  });

  test("a late reply of the old connection is of no account", async () => {
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
    const { session } = await asker.asker.open(anAsk(), { asker: anAsker() });
    const given = new AbortController();
    const wait = asker.asker.wait(session.id, { signal: given.signal });
    given.abort();
    await expect(wait).rejects.toMatchObject({ code: "ABORTED" });
    far[0]?.send(JSON.stringify({ id: 2, result: session }));
    far[0]?.send(JSON.stringify({ id: 99, error: { code: "INTERNAL", message: "?" } }));
    far[0]?.send("what?");
    const again = asker.asker.wait(session.id);
    await hub.clock.advance(0);
    await desk.desk.answer(session.id, validSet());
    expect(await again).toMatchObject({ state: "answered" });
  });

  test("a hub that stops answering is noticed within thirty seconds, from either side", async () => {
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

  test("a client without anything to do rests until it is asked for something", async () => {
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

  test("attempts come less and less often, up to every five seconds", async () => {
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

describe("patience", () => {
  const nowhere = () => Promise.reject(new Error("connect ECONNREFUSED"));

  test("of none means one attempt", async () => {
    const hub = await testHub();
    let attempts = 0;
    const client = pairClient(hub, askerHello(), {
      patience: 0,
      connect() {
        attempts += 1;
        return nowhere();
      },
    });
    await expect(drive(hub.clock, client.ready())).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(attempts).toBe(1);
  });

  test("of none suffices for a hub that is there", async () => {
    const hub = await testHub();
    const client = pairClient(hub, deskHello(), { patience: 0 });
    expect(await drive(hub.clock, client.desk.list())).toEqual({ items: [] });
  });

  test("ends a request a minute after the loss, and not before", async () => {
    const hub = await testHub();
    const net = fragile();
    let isThere = true;
    const client = pairClient(hub, askerHello(), {
      connect() {
        if (!isThere) return nowhere();
        const [near, far] = channelPair();
        hub.serve(far);
        return Promise.resolve(net.through(near));
      },
    });
    const { session } = await client.asker.open(anAsk(), { asker: anAsker() });
    let rejected: unknown;
    client.asker.wait(session.id).catch((error: unknown) => {
      rejected = error;
    });
    await hub.clock.advance(120_000);
    isThere = false;
    net.cutAll();
    await hub.clock.advance(59_999);
    expect(rejected).toBeUndefined();
    await hub.clock.advance(1);
    expect(rejected).toMatchObject({ code: "HUB_UNREACHABLE" });
    isThere = true;
    expect(await drive(hub.clock, client.asker.earlier(anAsker()))).toEqual([]);
  });

  test("also bounds an attempt that hangs", async () => {
    const hub = await testHub();
    const late = Promise.withResolvers<Channel>();
    const client = pairClient(hub, askerHello(), { patience: 0, connect: () => late.promise });
    const ready = client.ready();
    ready.catch(() => {});
    await hub.clock.advance(10_000);
    await expect(ready).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    const [near, far] = channelPair();
    let isClosed = false;
    far.onClose(() => {
      isClosed = true;
    });
    late.resolve(near);
    await hub.clock.advance(0);
    expect(isClosed).toBe(true);
  });
});

describe("a hub that says it is closing", () => {
  test("finishes what it has begun, and its clients come back at once", async () => {
    const hub = await testHub();
    const released = Promise.withResolvers<void>();
    const realDesk = hub.options.desk;
    hub.options = {
      ...hub.options,
      desk(by) {
        const desk = realDesk(by);
        return {
          list: (query) => desk.list(query),
          get: (id) => desk.get(id),
          watch: (filter, listener) => desk.watch(filter, listener),
          async answer(id, set, options) {
            await released.promise;
            return desk.answer(id, set, options);
          },
          recall: (id) => desk.recall(id),
          cancel: (id, options) => desk.cancel(id, options),
          extend: (id, options) => desk.extend(id, options),
          getDraft: (id) => desk.getDraft(id),
          saveDraft: (id, patch) => desk.saveDraft(id, patch),
          reply: (id, set) => desk.reply(id, set),
          attend: (id) => desk.attend(id),
        };
      },
    };
    const { session } = await hub.broker().asker("owner-1").open(anAsk(), { asker: anAsker() });
    const net = fragile();
    const desk = pairClient(hub, deskHello(ada), { through: net.through });
    let answered: SessionView | undefined;
    const answer = desk.desk.answer(session.id, validSet());
    answer.then(
      (view) => {
        answered = view;
      },
      () => {},
    );
    await hub.clock.advance(0);
    const [connection] = hub.connections;
    const bye = connection?.bye("restarting");
    await hub.clock.advance(0);
    const list = desk.desk.list();
    await hub.clock.advance(1_000);
    expect([answered, net.made()]).toEqual([undefined, 1]);
    released.resolve();
    await bye;
    expect(await answer).toMatchObject({ status: "answered" });
    await hub.clock.advance(100);
    expect((await list).items).toMatchObject([{ id: session.id, status: "answered" }]);
    expect(net.made()).toBe(2);
  });

  test("has stopped when it was told to and hung up", async () => {
    const hub = await testHub();
    hub.options = {
      ...hub.options,
      control: {
        status: async () => ({ pending: 3 }),
        async stop() {
          for (const connection of hub.connections) void connection.bye("stopping");
          await new Promise(() => {});
        },
      },
    };
    const desk = pairClient(hub, deskHello());
    expect(await drive(hub.clock, desk.control.status())).toEqual({ pending: 3 });
    await drive(hub.clock, desk.control.stop());
    expect(desk.state()).toBe("lost");
  });
});

describe("closing a client", () => {
  test("rejects what is under way with ABORTED, and all that follows", async () => {
    const hub = await testHub();
    const asker = pairClient(hub, askerHello());
    const { session } = await asker.asker.open(anAsk(), { asker: anAsker() });
    const states: [WireState, unknown][] = [];
    asker.onState((...told) => states.push([told[0], told[1]]));
    const wait = asker.asker.wait(session.id);
    asker.close();
    asker.close();
    await expect(wait).rejects.toMatchObject({ code: "ABORTED" });
    await expect(asker.asker.wait(session.id)).rejects.toMatchObject({ code: "ABORTED" });
    await expect(asker.ready()).rejects.toMatchObject({ code: "ABORTED" });
    expect(states).toEqual([["closed", undefined]]);
    await hub.clock.advance(0);
    expect(hub.connections.size).toBe(0);
    expect(hub.broker().stats().waiting).toBe(0);
  });

  test("leaves no timer behind", async () => {
    const hub = await testHub();
    const client = pairClient(hub, deskHello());
    const before = hub.clock.pendingTimers();
    await client.desk.watch({}, () => {});
    client.close();
    await hub.clock.advance(0);
    expect(hub.clock.pendingTimers()).toBe(before);
  });

  test("gives up an attempt that is under way", async () => {
    const hub = await testHub();
    const before = hub.clock.pendingTimers();
    const client = pairClient(hub, deskHello(), { connect: () => new Promise(() => {}) });
    const ready = client.ready();
    client.close();
    await expect(ready).rejects.toMatchObject({ code: "ABORTED" });
    expect(hub.clock.pendingTimers()).toBe(before);
  });
});

describe("two desks", () => {
  test("that answer at once have one winner, and the other learns what stands", async () => {
    const hub = await testHub();
    const { session } = await hub.broker().asker("owner-1").open(anAsk(), { asker: anAsker() });
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
