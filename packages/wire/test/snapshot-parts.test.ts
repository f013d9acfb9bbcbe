import { ada, anAsk, anAsker } from "@askbox/core/testing";
import type { Channel } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { deskHello, drive, pairClient, type TestHub, testHub, welcomedPeer } from "./support.ts";

type Part = { type: string; sessions?: { id: string; title: string; revision: number }[]; drafts?: object[]; more?: true };

/** This many sessions of about 1,000 bytes. */
async function fill(hub: TestHub, count: number): Promise<string[]> {
  const asker = hub.broker().asker("owner-1");
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { session } = await asker.ask(anAsk({ title: `Title ${index}` }), { asker: anAsker(), maxWait: 0 });
    ids.push(session.id);
    // Lists are ordered by creation.
    await hub.clock.advance(1);
  }
  return ids;
}

/** A desk on a connection that accepts a frame only when the test lets it. */
async function pacedPeer(hub: TestHub) {
  const connection = { unsent: 0, perFrame: 0 };
  const wrap = (channel: Channel): Channel => ({
    send(text) {
      connection.unsent += connection.perFrame;
      channel.send(text);
    },
    onMessage: (listener) => channel.onMessage(listener),
    onClose: (listener) => channel.onClose(listener),
    close: (code, reason) => channel.close(code, reason),
    get bufferedAmount() {
      return connection.unsent;
    },
  });
  const peer = await welcomedPeer(hub, deskHello(), wrap);
  const told = () => peer.frames.flatMap((frame) => ("watch" in frame ? [frame["event"] as Part] : []));
  return { peer, connection, told };
}

describe("a large snapshot", () => {
  // promise: large-inbox-served
  test("is sent in parts of limited size, each when there is room, and the reply after the last", async () => {
    const hub = await testHub({ maxBufferedBytes: 40_000 });
    const ids = await fill(hub, 60);
    const { peer, connection, told } = await pacedPeer(hub);
    connection.perFrame = 20_001;
    peer.send({ id: 1, method: "watch", params: {} });
    for (let round = 0; round < 40; round += 1) {
      await hub.clock.advance(10);
      expect(connection.unsent).toBeLessThanOrEqual(40_002);
      connection.unsent = 0;
    }
    const parts = told();
    expect(parts.length).toBeGreaterThan(3);
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(15_000);
    expect(parts.map(({ more }) => more)).toEqual([...parts.slice(1).map(() => true), undefined]);
    expect(parts.flatMap(({ sessions }) => sessions?.map(({ id }) => id))).toEqual(ids);
    expect(peer.frames.at(-1)).toMatchObject({ id: 1, result: null });
  });

  test("is updated while it is sent", async () => {
    const hub = await testHub({ maxBufferedBytes: 40_000 });
    const ids = await fill(hub, 60);
    const [first = "", last = "", beforeLast = ""] = [ids[0], ids.at(-1), ids.at(-2)];
    const { peer, connection, told } = await pacedPeer(hub);
    connection.perFrame = 20_001;
    peer.send({ id: 1, method: "watch", params: {} });
    await hub.clock.advance(0);
    expect(told()).toHaveLength(1);
    connection.perFrame = 0;
    const desk = hub.broker().desk(ada);
    await desk.extend(last, { timeout: null });
    await desk.saveDraft(last, { comment: "half" });
    await desk.cancel(beforeLast);
    await desk.cancel(first);
    connection.unsent = 0;
    await hub.clock.advance(10);
    const parts = told().filter(({ type }) => type === "snapshot");
    const sent = parts.flatMap(({ sessions = [] }) => sessions);
    expect(sent.map(({ id }) => id)).toEqual(ids.filter((id) => id !== beforeLast));
    expect(sent.at(-1)).toMatchObject({ id: last, deadlineAt: null });
    expect(parts.flatMap(({ drafts = [] }) => drafts)).toMatchObject([{ sessionId: last, comment: "half" }]);
    const changes = told().filter(({ type }) => type === "session") as unknown as { session: { id: string; status: string } }[];
    expect(changes.map(({ session }) => [session.id, session.status])).toEqual([
      [beforeLast, "cancelled"],
      [first, "cancelled"],
    ]);
  });

  test("ends with its connection", async () => {
    const hub = await testHub({ maxBufferedBytes: 40_000 });
    await fill(hub, 60);
    const before = hub.clock.pendingTimers();
    const { peer, connection } = await pacedPeer(hub);
    connection.perFrame = 20_001;
    peer.send({ id: 1, method: "watch", params: {} });
    await hub.clock.advance(0);
    peer.close();
    await peer.connection.closed;
    await hub.clock.advance(100);
    expect(hub.clock.pendingTimers()).toBeLessThanOrEqual(before + 1);
    expect(hub.broker().stats().watching).toBe(0);
  });

  test("is one event for a client's listener, followed by what came in between", async () => {
    const hub = await testHub({ maxBufferedBytes: 8_000 });
    const ids = await fill(hub, 60);
    const client = pairClient(hub, deskHello());
    const events: Part[] = [];
    await drive(
      hub.clock,
      client.desk.watch({}, (event) => void events.push(event as Part)),
    );
    expect(events).toMatchObject([{ type: "snapshot", sessions: ids.map((id) => ({ id })), drafts: [] }]);
    expect(events[0]).not.toHaveProperty("more");
    client.close();
  });

  test("that cannot be read makes the watch fail", async () => {
    const hub = await testHub();
    hub.store.list = () => Promise.reject(new Error("disk"));
    const peer = await welcomedPeer(hub, deskHello());
    peer.send({ id: 1, method: "watch", params: {} });
    await hub.clock.advance(0);
    expect(peer.frames.at(-1)).toMatchObject({ id: 1, error: { code: "INTERNAL" } });
    expect(hub.broker().stats().watching).toBe(0);
  });
});
