import type { SessionView } from "@askbox/core";
import { ada, anAsk, anAsker, earlierOf, resumed, validSet } from "@askbox/core/testing";
import { byeReasons, type Channel, type Circumstances, channelPair, type WireState } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { askerHello, deskHello, drive, fragile, pairClient, testHub } from "./support.ts";

describe("a hub that says it is closing", () => {
  test("finishes what it has begun, and its clients reconnect at once", async () => {
    const hub = await testHub();
    const released = Promise.withResolvers<void>();
    const realDesk = hub.options.desk;
    hub.options = {
      ...hub.options,
      desk(by) {
        const desk = realDesk(by);
        const answer = desk.answer.bind(desk);
        desk.answer = async (...args) => {
          await released.promise;
          return answer(...args);
        };
        return desk;
      },
    };
    const { session } = await hub.broker().asker("owner-1").ask(anAsk(), { asker: anAsker(), maxWait: 0 });
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

  test("has stopped once it was told to and has disconnected", async () => {
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

describe("a hub that was stopped on purpose", () => {
  /** A client that starts a hub if there is none, unless it should not. */
  async function stoppable() {
    const hub = await testHub();
    const attempts: Circumstances[] = [];
    let runs = true;
    const client = pairClient(hub, askerHello(), {
      async connect(circumstances): Promise<Channel> {
        attempts.push(circumstances);
        if (!runs && circumstances.wasStopped) throw new Error("no hub runs");
        runs = true;
        const [near, far] = channelPair();
        hub.serve(far);
        return near;
      },
    });
    const stop = async (reason: string) => {
      runs = false;
      await Promise.all([...hub.connections].map((connection) => connection.bye(reason)));
    };
    return { hub, client, attempts, stop, start: () => (runs = true), isRunning: () => runs };
  }

  test("is not started by a waiting client, which fails if nobody else has started it within its timeout", async () => {
    const { hub, client, attempts, stop, isRunning } = await stoppable();
    const { session } = await client.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const wait = resumed(client.asker, session.id);
    await hub.clock.advance(0);
    await stop(byeReasons.stopped);
    expect(client.failure()?.details).toEqual({ bye: "stopped" });
    await expect(drive(hub.clock, wait)).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    expect(attempts.length).toBeGreaterThan(5);
    expect(attempts.map(({ wasStopped }) => wasStopped)).toEqual([false, ...Array(attempts.length - 1).fill(true)]);
    expect(isRunning()).toBe(false);
    // A new question is a new reason.
    await drive(hub.clock, earlierOf(client.asker, anAsker()));
    expect(isRunning()).toBe(true);
  });

  test("that was for a demonstration is not started either", async () => {
    const { hub, client, stop, isRunning } = await stoppable();
    const { session } = await client.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const wait = resumed(client.asker, session.id);
    await hub.clock.advance(0);
    await stop(byeReasons.ended);
    expect(client.failure()?.details).toEqual({ bye: "ended" });
    await expect(drive(hub.clock, wait)).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    expect(isRunning()).toBe(false);
  });

  test("is used again when somebody else starts it", async () => {
    const { hub, client, attempts, stop, start } = await stoppable();
    const { session } = await client.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const wait = resumed(client.asker, session.id);
    await hub.clock.advance(0);
    await stop(byeReasons.stopped);
    await hub.clock.advance(30_000);
    start();
    await hub.clock.advance(6_000);
    await hub.broker().desk(ada).answer(session.id, validSet());
    expect(await wait).toMatchObject({ state: "answered" });
    await stop("restarting");
    await drive(hub.clock, earlierOf(client.asker, anAsker()));
    expect(attempts.at(-1)).toEqual({ wasStopped: false });
  });
});

describe("closing a client", () => {
  test("rejects requests in progress with ABORTED, and all later ones", async () => {
    const hub = await testHub();
    const asker = pairClient(hub, askerHello());
    const { session } = await asker.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const states: [WireState, unknown][] = [];
    asker.onState((...told) => states.push([told[0], told[1]]));
    const wait = resumed(asker.asker, session.id);
    asker.close();
    asker.close();
    await expect(wait).rejects.toMatchObject({ code: "ABORTED" });
    await expect(resumed(asker.asker, session.id)).rejects.toMatchObject({ code: "ABORTED" });
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

  test("aborts an attempt in progress", async () => {
    const hub = await testHub();
    const before = hub.clock.pendingTimers();
    const client = pairClient(hub, deskHello(), { connect: () => new Promise(() => {}) });
    const ready = client.ready();
    client.close();
    await expect(ready).rejects.toMatchObject({ code: "ABORTED" });
    expect(hub.clock.pendingTimers()).toBe(before);
  });
});
