import { memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { eventsClient } from "./events-client.ts";
import { type HubParts, type McpHub, startMcpHub } from "./hub.ts";

const yes = { answers: [{ questionId: "a", values: ["yes"] }] };
const start = (parts: HubParts = {}) => startMcpHub({}, { ...parts, mcp: { events: true, ...parts.mcp } });

const answered = async (hub: McpHub, sessionId: string) => void (await hub.desk.answer(sessionId, yes));

test("a hub that does not serve events has no such methods, and does not say that it had", async () => {
  const client = eventsClient(await startMcpHub());
  expect((await client.request("events/list")).error?.code).toBe(-32_601);
  const { result } = await client.request("server/discover");
  expect(result.capabilities).not.toHaveProperty("events");
  expect(result.capabilities.extensions).toEqual({ "io.modelcontextprotocol/tasks": {} });
});

test("a hub that serves events says so beside its tasks, and lists one type that can be polled", async () => {
  const client = eventsClient(await start());
  const { result: found } = await client.request("server/discover");
  expect(found.capabilities.extensions).toEqual({ "io.modelcontextprotocol/tasks": {}, "io.modelcontextprotocol/events": {} });
  const { result } = await client.request("events/list");
  expect(result).toEqual({
    resultType: "complete",
    events: [
      {
        name: "question.changed",
        description: expect.stringContaining("get_answer"),
        delivery: ["poll"],
        inputSchema: expect.objectContaining({ type: "object" }),
        payloadSchema: expect.objectContaining({ required: ["sessionId", "status"] }),
      },
    ],
    _meta: expect.anything(),
  });
});

test("a client that polls starts from now, and then gets each event once, with the ticket and the status only", async () => {
  const hub = await start();
  const client = eventsClient(hub);
  await answered(hub, await client.ask("Before?"));
  await hub.clock.advance(1);
  const { result: first } = await client.poll(null);
  expect(first).toMatchObject({ resultType: "complete", events: [], truncated: false, hasMore: false, nextPollMs: 5_000 });
  const sessionId = await client.ask();
  expect((await client.poll(first.cursor)).result.events).toEqual([]);
  await answered(hub, sessionId);
  const { result } = await client.poll(first.cursor);
  expect(result.events).toEqual([
    {
      eventId: `${sessionId}_ended`,
      name: "question.changed",
      timestamp: new Date(hub.clock.now()).toISOString(),
      data: { sessionId, status: "answered" },
    },
  ]);
  expect((await client.poll(result.cursor)).result).toMatchObject({ events: [], truncated: false });
  // Sent again with the same cursor, as after a lost response.
  expect((await client.poll(first.cursor)).result.events).toEqual(result.events);
});

test("what the agent was given is no event any more", async () => {
  const hub = await start();
  const client = eventsClient(hub);
  const { result: first } = await client.poll(null);
  const sessionId = await client.ask();
  await answered(hub, sessionId);
  expect((await client.poll(first.cursor)).result.events).toHaveLength(1);
  await client.request("tools/call", { name: "get_answer", arguments: { sessionId } });
  await expect.poll(async () => (await client.poll(first.cursor)).result.events).toEqual([]);
});

test("each way to end has its status, and what a person asks back is an event as well", async () => {
  const hub = await start();
  const client = eventsClient(hub);
  const { result: first } = await client.poll(null);
  const [cancelled, late, asked] = [await client.ask("One?"), await client.ask("Two?"), await client.ask("Three?")];
  await hub.desk.cancel(cancelled);
  await hub.desk.askBack(asked, { text: "Which one?" });
  await hub.clock.advance(1_000);
  const { result } = await client.poll(first.cursor);
  const toldOf = (events: { data: unknown }[]) => events.map(({ data }) => data);
  expect(toldOf(result.events)).toHaveLength(2);
  expect(toldOf(result.events)).toEqual(
    expect.arrayContaining([
      { sessionId: cancelled, status: "cancelled" },
      { sessionId: asked, status: "askedBack" },
    ]),
  );
  await hub.clock.advance(1_800_000);
  const { result: next } = await client.poll(result.cursor);
  expect(toldOf(next.events)).toContainEqual({ sessionId: late, status: "timedOut" });
});

test("another token, another client and another agent of the token get none of it", async () => {
  const hub = await start();
  const client = eventsClient(hub);
  const others = [
    eventsClient(hub, { as: "otherAsker" }),
    eventsClient(hub, { clientName: "another-client" }),
    eventsClient(hub, { path: "/mcp?agent=other" }),
  ];
  const mine = eventsClient(hub, { path: "/mcp?agent=mine" });
  const { result: first } = await client.poll(null);
  await answered(hub, await mine.ask());
  for (const other of others) expect((await other.poll(first.cursor)).result.events).toEqual([]);
  expect((await mine.poll(first.cursor)).result.events).toHaveLength(1);
  expect((await eventsClient(hub, { as: "desk" }).poll(first.cursor)).result).toBeUndefined();
});

test("a cursor outlives the hub: what happened before, between and after is there, once", async () => {
  const parts = {
    platform: testPlatform(),
    store: memoryStore(),
    tokens: { asker: "a".repeat(40), otherAsker: "b".repeat(40), desk: "c".repeat(40) },
  };
  const hub = await start(parts);
  const client = eventsClient(hub);
  const { result: first } = await client.poll(null);
  const sessionId = await client.ask();
  const { result: before } = await client.poll(first.cursor);
  await answered(hub, sessionId);
  await hub.close();
  const next = await start({ ...parts, store: parts.store });
  const { result } = await eventsClient(next).poll(before.cursor);
  expect(result.events.map(({ eventId }: { eventId: string }) => eventId)).toEqual([`${sessionId}_ended`]);
});

test("a backlog comes in pages, of 50 events or as many as were asked for, but never more than 100", async () => {
  const hub = await start();
  const client = eventsClient(hub);
  const { result: first } = await client.poll(null);
  const ids = [];
  for (let number = 0; number < 260; number += 1) {
    if (number % 90 === 0) await hub.clock.advance(60_000);
    ids.push(await client.ask(`Number ${number}?`));
  }
  // All in the same millisecond.
  for (const id of ids) await answered(hub, id);
  expect((await client.poll(first.cursor)).result).toMatchObject({ hasMore: true, events: { length: 50 } });
  const got: string[] = [];
  let { cursor } = first;
  for (let more = true; more; ) {
    const { result } = await client.poll(cursor, { maxEvents: 1_000_000 });
    expect(result.events.length).toBeLessThanOrEqual(100);
    expect(result.cursor.length).toBeLessThan(4_000);
    got.push(...result.events.map(({ data }: { data: { sessionId: string } }) => data.sessionId));
    cursor = result.cursor;
    more = result.hasMore;
  }
  expect(got.toSorted()).toEqual(ids.toSorted());
  expect((await client.poll(cursor)).result.events).toEqual([]);
});

test("an event that becomes visible late, or after the clock was set back, is not lost", async () => {
  const store = memoryStore();
  const platform = testPlatform();
  const hub = await start({ store, platform });
  const client = eventsClient(hub);
  const { result: first } = await client.poll(null);
  const [one, other] = [await client.ask("One?"), await client.ask("Other?")];
  await hub.clock.advance(60_000);
  await answered(hub, one);
  const { result: second } = await client.poll(first.cursor);
  expect(second.events).toHaveLength(1);
  // Another hub whose clock is 30 s behind.
  await answered(hub, other);
  const record = await store.get(other);
  if (record === undefined) throw new Error("It is gone.");
  await store.replace({ ...record, closedAt: hub.clock.now() - 30_000, revision: record.revision + 1 }, record.revision);
  const { result: third } = await client.poll(second.cursor);
  expect(third.events.map(({ data }: { data: { sessionId: string } }) => data.sessionId)).toEqual([other]);
  expect((await client.poll(third.cursor)).result.events).toEqual([]);
  const last = await client.ask("Last?");
  hub.clock.jumpWall(-3_600_000);
  await answered(hub, last);
  const { result: fourth } = await client.poll(third.cursor);
  expect(fourth.events.map(({ data }: { data: { sessionId: string } }) => data.sessionId)).toEqual([last]);
});

test("with maxAgeMs, or after a week, older events are skipped, and the result says so once", async () => {
  const hub = await start();
  const client = eventsClient(hub);
  const { result: first } = await client.poll(null);
  const [old, fresh] = [await client.ask("Old?"), await client.ask("Fresh?")];
  await answered(hub, old);
  await hub.clock.advance(200_000);
  await answered(hub, fresh);
  const { result } = await client.poll(first.cursor, { maxAgeMs: 100_000 });
  expect(result).toMatchObject({ truncated: true, events: [{ data: { sessionId: fresh } }] });
  expect((await client.poll(result.cursor, { maxAgeMs: 100_000 })).result).toMatchObject({ truncated: false, events: [] });
  expect((await client.poll(first.cursor)).result).toMatchObject({ truncated: false, events: { length: 2 } });
  await hub.clock.advance(8 * 86_400_000);
  expect((await client.poll(first.cursor)).result).toMatchObject({ truncated: true, events: [] });
});

test.each([
  ["", "bad"],
  ["bad", "x"],
  ["a number in place of a cursor's", Buffer.from("17").toString("base64url")],
  ["one of another version", Buffer.from('{"at":"now"}').toString("base64url")],
])(
  "a cursor that is no cursor (%s) is not an error: the client goes on from now, and knows that it may have missed something",
  async (_, cursor) => {
    const hub = await start();
    const client = eventsClient(hub);
    const { result } = await client.poll(cursor);
    expect(result).toMatchObject({ events: [], truncated: true, hasMore: false });
    await answered(hub, await client.ask());
    expect((await client.poll(result.cursor)).result.events).toHaveLength(1);
  },
);

test("a cursor that somebody made up gives nothing but the caller's own events", async () => {
  const hub = await start();
  const client = eventsClient(hub);
  await answered(hub, await eventsClient(hub, { as: "otherAsker" }).ask());
  const own = await client.ask();
  await answered(hub, own);
  const made = (position: object) => Buffer.from(JSON.stringify(position)).toString("base64url");
  for (const at of [-1e300, 0, 1e300]) {
    const { result } = await client.poll(made({ at, from: { at, id: "" }, named: ["x".repeat(1_000)] }));
    expect(result.events.map(({ data }: { data: { sessionId: string } }) => data.sessionId)).toEqual([own]);
  }
});

test.each([
  ["an unknown type", { name: "question.asked" }, -32_023],
  ["arguments that it does not have", { arguments: { sessionId: "x" } }, -32_602],
  ["huge arguments", { arguments: { x: "x".repeat(200_000) } }, -32_602],
  ["a cursor that is too long", { cursor: "x".repeat(4_001) }, -32_602],
  ["a negative age", { maxAgeMs: -1 }, -32_602],
  ["half an event", { maxEvents: 0.5 }, -32_602],
])("%s is refused with the code of the extension, and a short sentence", async (_, params, code) => {
  const client = eventsClient(await start());
  const { error } = await client.request("events/poll", { name: "question.changed", ...params });
  expect(error?.code).toBe(code);
  expect(error?.message.length).toBeLessThan(300);
});

test("what is not offered is refused as such: a stream, a webhook, and a second page of the list", async () => {
  const client = eventsClient(await start());
  expect((await client.request("events/list", { cursor: "2" })).error?.code).toBe(-32_602);
  const { error } = await client.request("events/stream", { name: "question.changed" });
  expect(error).toMatchObject({ code: -32_026, data: { feature: "deliveryMode", value: "push" } });
  const { error: refused } = await client.request("events/subscribe", { name: "question.changed" });
  expect(refused).toMatchObject({ code: -32_026, data: { feature: "deliveryMode", value: "webhook" } });
});
