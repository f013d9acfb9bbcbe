import { ada, anAsk, anAsker } from "@askbox/core/testing";
import { type Channel, closeCodes } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { deskHello, type TestHub, testHub, welcomedPeer } from "./support.ts";

/** A peer on a connection that reports as many unsent bytes as the test says. */
async function slowPeer(hub: TestHub) {
  const connection = { unsent: 0 };
  const wrap = (channel: Channel): Channel => ({
    send: (text) => channel.send(text),
    onMessage: (listener) => channel.onMessage(listener),
    onClose: (listener) => channel.onClose(listener),
    close: (code, reason) => channel.close(code, reason),
    get bufferedAmount() {
      return connection.unsent;
    },
  });
  const peer = await welcomedPeer(hub, deskHello(), wrap);
  peer.send({ id: 1, method: "watch", params: {} });
  await hub.clock.advance(0);
  const kinds = () =>
    peer.frames.flatMap((frame) => ("watch" in frame ? [(frame["event"] as { type: string; sessions?: unknown[] }).type] : []));
  return { peer, connection, kinds };
}

describe("a watcher that reads too slowly", () => {
  // promise: slow-readers-bounded
  test("gets nothing while too much is unsent, and a fresh snapshot once there is room", async () => {
    const hub = await testHub({ maxBufferedBytes: 100_000 });
    const asker = hub.broker().asker("owner-1");
    const { peer, connection, kinds } = await slowPeer(hub);
    expect(kinds()).toEqual(["snapshot"]);

    await asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    await hub.clock.advance(0);
    const told = kinds().length;
    expect(told).toBeGreaterThan(1);

    connection.unsent = 900_000;
    await asker.ask(anAsk({ title: "second" }), { asker: anAsker(), maxWait: 0 });
    const { session } = await asker.ask(anAsk({ title: "third" }), { asker: anAsker(), maxWait: 0 });
    await hub.broker().desk(ada).cancel(session.id);
    await hub.clock.advance(2_000);
    expect(kinds().length).toBe(told);
    expect(hub.broker().stats().watching).toBe(0);

    connection.unsent = 0;
    await hub.clock.advance(500);
    expect(kinds().slice(told)).toEqual(["snapshot"]);
    const { event } = peer.frames.at(-1) as { event: { sessions: { title: string }[] } };
    expect(event.sessions.map(({ title }) => title).sort()).toEqual(["A new module", "second"]);

    await asker.ask(anAsk({ title: "fourth" }), { asker: anAsker(), maxWait: 0 });
    await hub.clock.advance(0);
    expect(kinds().slice(told + 1)).toContain("session");
  });

  test("costs nothing once it has disconnected", async () => {
    const hub = await testHub({ maxBufferedBytes: 100_000 });
    const before = hub.clock.pendingTimers();
    const { peer, connection } = await slowPeer(hub);
    connection.unsent = 900_000;
    await hub.broker().asker("owner-1").ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    await hub.clock.advance(0);
    peer.close();
    await peer.connection.closed;
    await hub.clock.advance(20_000);
    expect(hub.clock.pendingTimers()).toBeLessThanOrEqual(before + 1);
    expect(hub.broker().stats().watching).toBe(0);
  });

  test("is resumed even if the inbox cannot be read at first", async () => {
    const hub = await testHub({ maxBufferedBytes: 100_000 });
    const list = hub.store.list.bind(hub.store);
    const { connection, kinds } = await slowPeer(hub);
    connection.unsent = 900_000;
    await hub.broker().asker("owner-1").ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    connection.unsent = 0;
    hub.store.list = () => Promise.reject(new Error("disk"));
    await hub.clock.advance(500);
    expect(kinds()).toEqual(["snapshot"]);
    hub.store.list = list;
    await hub.clock.advance(500);
    expect(kinds()).toEqual(["snapshot", "snapshot"]);
  });

  // promise: slow-readers-bounded
  test("that keeps sending requests and never reads is disconnected", async () => {
    const hub = await testHub({ maxBufferedBytes: 100_000 });
    const { peer, connection } = await slowPeer(hub);
    connection.unsent = 1_600_001;
    peer.send({ id: 2, method: "list" });
    await hub.clock.advance(0);
    expect(peer.end()?.code).toBe(closeCodes.unresponsive);
  });

  // promise: slow-readers-bounded
  test("that reads nothing for a minute is disconnected, with a reason", async () => {
    const hub = await testHub({ maxBufferedBytes: 100_000 });
    const { peer, connection } = await slowPeer(hub);
    connection.unsent = 900_000;
    await hub.broker().asker("owner-1").ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    // It answers pings, so its connection counts as alive.
    for (let second = 0; second < 70; second += 1) {
      peer.send({ pong: second });
      await hub.clock.advance(1_000);
    }
    expect(peer.end()).toEqual({ code: closeCodes.unresponsive, reason: "Too much of what was sent is not being read." });
  });

  // promise: slow-readers-bounded
  test("gets errors instead of large replies while too many are unread, and the replies once it has read", async () => {
    const hub = await testHub({ maxBufferedBytes: 100_000 });
    const asker = hub.broker().asker("owner-1");
    for (let count = 0; count < 20; count += 1) {
      await asker.ask(anAsk({ title: `Title ${count} ${"x".repeat(1_000)}` }), { asker: anAsker(), maxWait: 0 });
    }
    const { peer, connection } = await slowPeer(hub);
    const list = hub.store.list.bind(hub.store);
    hub.store.list = (query) => {
      connection.unsent = 1_600_001;
      return list(query);
    };
    peer.send({ id: 2, method: "list" });
    await hub.clock.advance(0);
    hub.store.list = list;
    expect(peer.frames.at(-1)).toMatchObject({ id: 2, error: { code: "RATE_LIMITED" } });
    connection.unsent = 0;
    peer.send({ id: 3, method: "list" });
    await hub.clock.advance(0);
    expect(peer.frames.at(-1)).toMatchObject({ id: 3, result: { items: { length: 20 } } });
  });
});
