import { createBroker, memoryStore } from "@askbox/core";
import type { News } from "@askbox/core/hubs";
import { sharedMemory } from "@askbox/core/stores";
import { testPlatform } from "@askbox/core/testing";
import { type CallbackAnswer, createHttpHandler, EventSubscriptions } from "@askbox/mcp/http";
import { mountMcp } from "@askbox/mcp-http";
import { expect, onTestFinished, test } from "vitest";
import { eventsClient } from "./events-client.ts";
import { startMcpHub } from "./hub.ts";

const yes = { answers: [{ questionId: "a", values: ["yes"] }] };
const [secret, otherSecret] = ["A", "B"].map((letter) => `whsec_${letter.repeat(32)}`);
const url = "https://hooks.example/mcp";

interface Posted {
  url: string;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it was.
  body: any;
}
type Receive = (posted: Posted) => CallbackAnswer | Promise<CallbackAnswer>;

/** A receiver that wants everything. */
const willing: Receive = ({ body }) => ({
  status: 200,
  text: body.type === "verification" ? JSON.stringify({ challenge: body.challenge }) : "",
});

/** The parts that outlive a hub. */
const parts = () => {
  const platform = testPlatform();
  const tokens = { asker: "a".repeat(40), otherAsker: "b".repeat(40), desk: "c".repeat(40) };
  return { platform, store: memoryStore(), tokens, kept: sharedMemory(platform.clock).open() };
};

/** A hub whose subscriptions post to `receive`; what is posted, without challenges, is in `posted`. Owners in `gone` have no token any more. */
async function start(receive: Receive = willing, { platform, store, tokens, kept } = parts(), several?: string) {
  const gone = new Set<string>();
  const posted: Posted[] = [];
  const challenges: Posted[] = [];
  let subscriptions: EventSubscriptions | undefined;
  const hub = await startMcpHub(
    {
      mounts: [
        (context) => {
          subscriptions = new EventSubscriptions({
            platform,
            // It outlives each hub.
            kept: { ...kept, close: async () => {} },
            hub: several,
            problem: ({ url: to }) => (to.startsWith("https:") ? undefined : "delivery.url is not https."),
            async post(to, { headers, body }) {
              const one = { url: to, headers, body: JSON.parse(body) };
              (one.body.type === "verification" ? challenges : posted).push(one);
              return receive(one);
            },
            sign: (key, signed) => `v1,${key.slice(6, 9)}${signed.length}`,
            asker: (owner) => context.broker.asker(owner),
            wasRevoked: async (owner) => gone.has(owner),
            log: () => {},
          });
          return { paths: ["/none"], fetch: async () => new Response(), close: async () => {} };
        },
        // biome-ignore lint/style/noNonNullAssertion: the mount before it has made them.
        (context) => mcpOf(() => subscriptions!)(context),
      ],
    },
    { platform, store, tokens },
  );
  const there = subscriptions as unknown as EventSubscriptions;
  const stop = store.subscribe(({ record }) => void there.changed(record?.owner));
  const close = async () => {
    stop();
    await there.close();
    await hub.close();
  };
  onTestFinished(close);
  return { hub, posted, challenges, gone, subscriptions: there, client: eventsClient(hub), close };
}

const mcpOf = (subscriptions: () => EventSubscriptions) =>
  mountMcp({ version: "1.2.3", defaultTimeout: 300_000, events: async () => subscriptions() });

type Client = ReturnType<typeof eventsClient>;
const subscribe = (client: Client, more: Record<string, unknown> = {}, delivery: Record<string, unknown> = {}) =>
  client.request("events/subscribe", {
    name: "question.changed",
    arguments: {},
    delivery: { mode: "webhook", url, secret, ...delivery },
    ...more,
  });

/** Enough turns of the event loop for whatever can happen without a clock. */
const settle = async () => {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

test("a client subscribes once its receiver has sent the challenge back, and then gets each event, signed, with the position after it", async () => {
  const { hub, client, posted, challenges } = await start();
  expect((await client.request("events/list")).result.events[0].delivery).toEqual(["poll", "webhook"]);
  const { result } = await subscribe(client, { ttlMs: 600_000 });
  const until = new Date(hub.clock.now() + 600_000).toISOString();
  expect(result).toMatchObject({
    resultType: "complete",
    id: expect.stringMatching(/^sub_[0-9a-f]{32}$/),
    refreshBefore: until,
    truncated: false,
  });
  expect(challenges).toMatchObject([
    { url, headers: { "x-mcp-subscription-id": result.id, "webhook-id": expect.stringMatching(/^msg_verification_/) } },
  ]);
  const sessionId = await client.ask();
  await hub.desk.answer(sessionId, yes);
  await settle();
  const [{ headers, body } = { headers: {}, body: {} }] = posted;
  expect(posted).toHaveLength(1);
  const timestamp = String(Math.floor(hub.clock.now() / 1_000));
  const text = `${sessionId}_ended.${timestamp}.${JSON.stringify(body)}`;
  expect(headers).toMatchObject({
    "webhook-id": `${sessionId}_ended`,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,AAA${text.length}`,
    "x-mcp-subscription-id": result.id,
  });
  expect(body).toEqual({
    eventId: `${sessionId}_ended`,
    name: "question.changed",
    timestamp: expect.any(String),
    data: { sessionId, status: "answered" },
    cursor: expect.any(String),
  });
  // The client may go on by polling.
  expect((await client.poll(body.cursor)).result.events).toEqual([]);
  expect((await client.poll(result.cursor)).result.events).toHaveLength(1);
});

// promise: events-wanted
test.each<[string, Receive, string]>([
  ["does not want it", () => ({ status: 200, text: "{}" }), "challenge_failed"],
  ["answers anything", () => ({ status: 200, text: "x".repeat(4_096) }), "challenge_failed"],
  ["redirects", () => ({ status: 302, text: "" }), "http_4xx"],
  ["does not know it", () => ({ status: 404, text: "the secret of the inner server" }), "http_4xx"],
  ["fails", () => ({ status: 502, text: "the secret of the inner server" }), "http_5xx"],
  ["is not there", () => "connection_refused", "connection_refused"],
])("nothing is kept for a receiver that %s, and the client learns no more than its category", async (_, receive, reason) => {
  const { hub, client, posted } = await start(receive);
  expect(await subscribe(client)).toMatchObject({ error: { code: -32_027, message: "CallbackEndpointError", data: { reason } } });
  await hub.desk.cancel(await client.ask());
  await settle();
  expect(posted).toEqual([]);
  const { error } = await client.request("events/unsubscribe", { name: "question.changed", delivery: { url } });
  expect(error).toMatchObject({ code: -32_023, data: { kind: "subscription" } });
});

test("a subscription outlives its hub: what happened in between is sent by the next one, and what was taken is not sent again", async () => {
  const all = parts();
  const { hub, client, close } = await start(willing, all);
  await subscribe(client);
  const [one, other] = [await client.ask("One?"), await client.ask("Other?")];
  await hub.desk.cancel(one);
  await settle();
  await close();
  const { hub: next, posted, challenges, subscriptions } = await start(willing, all);
  await next.desk.cancel(other);
  await subscriptions.changed();
  await settle();
  expect(posted.map(({ body }) => body.eventId)).toEqual([`${other}_ended`]);
  expect(challenges).toEqual([]);
});

test("an event that is not taken is sent again with the same id, later each time, and after five times waits until the client subscribes again", async () => {
  let status = 500;
  const { hub, client, posted } = await start((one) => (one.body.type ? willing(one) : { status, text: "" }));
  await subscribe(client, { ttlMs: 86_400_000 });
  const [one, other] = [await client.ask("One?"), await client.ask("Other?")];
  await hub.desk.cancel(one);
  await hub.desk.cancel(other);
  const sent: number[] = [];
  for (const pause of [0, 5_000, 30_000, 120_000, 300_000, 3_600_000]) {
    await hub.clock.advance(pause);
    await settle();
    sent.push(posted.length);
  }
  expect(sent).toEqual([1, 2, 3, 4, 5, 5]);
  expect(new Set(posted.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(new Set(posted.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(5);
  status = 204;
  const { result } = await subscribe(client);
  expect(result.deliveryStatus).toMatchObject({
    active: false,
    lastError: "http_5xx",
    lastDeliveryAt: null,
  });
  await settle();
  expect(new Set(posted.slice(5).map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([`${one}_ended`, `${other}_ended`]));
  expect((await subscribe(client)).result.deliveryStatus).toMatchObject({ active: true, lastError: null });
});

test.each([410, 413])("an event for which the receiver answers %i is left out, and the next one is sent", async (status) => {
  const { hub, client, posted } = await start((one) => (one.body.type ? willing(one) : { status, text: "" }));
  await subscribe(client);
  for (const text of ["One?", "Other?"]) await hub.desk.cancel(await client.ask(text));
  await settle();
  await hub.clock.advance(600_000);
  expect(posted).toHaveLength(2);
});

test("subscribing again renews the time, signs with both secrets for a while, and challenges nobody", async () => {
  const { hub, client, posted, challenges } = await start();
  const { result: first } = await subscribe(client);
  const { result } = await subscribe(client, { ttlMs: 1 }, { secret: otherSecret });
  expect(result).toMatchObject({ id: first.id, refreshBefore: new Date(hub.clock.now() + 300_000).toISOString() });
  expect(challenges).toHaveLength(1);
  await hub.desk.cancel(await client.ask("One?"));
  await settle();
  expect(posted[0]?.headers["webhook-signature"]?.split(" ").map((one) => one.slice(0, 6))).toEqual(["v1,BBB", "v1,AAA"]);
  expect((await subscribe(client, { ttlMs: 1e12 }, { secret: otherSecret })).result.refreshBefore).toBe(
    new Date(hub.clock.now() + 86_400_000).toISOString(),
  );
});

test("nothing is sent after unsubscribing, after the time, or to whoever only knows the address", async () => {
  const { hub, client, posted } = await start();
  await subscribe(client);
  const ended = { name: "question.changed", delivery: { url } };
  for (const other of [eventsClient(hub, { as: "otherAsker" }), eventsClient(hub, { clientName: "another" })]) {
    expect((await other.request("events/unsubscribe", ended)).error?.code).toBe(-32_023);
  }
  expect((await client.request("events/unsubscribe", ended)).result).toMatchObject({ resultType: "complete" });
  await hub.desk.cancel(await client.ask("One?"));
  await hub.clock.advance(1);
  await subscribe(client);
  await hub.clock.advance(3_600_001);
  await hub.desk.cancel(await client.ask("Two?"));
  await settle();
  expect(posted).toEqual([]);
});

test("an event goes to the agent that asked only, whoever else has subscribed, and each proves its receiver by itself", async () => {
  const { hub, client, posted, challenges } = await start();
  const other = eventsClient(hub, { as: "otherAsker" });
  const [mine, theirs] = [await subscribe(client), await subscribe(other)];
  expect(challenges).toHaveLength(2);
  expect(mine.result.id).not.toBe(theirs.result.id);
  await hub.desk.cancel(await client.ask());
  await settle();
  expect(posted.map(({ headers }) => headers["x-mcp-subscription-id"])).toEqual([mine.result.id]);
});

// promise: events-end-with-token
test("a revoked token's subscriptions end, and their receivers are told", async () => {
  const { hub, client, posted, subscriptions } = await start();
  await subscribe(client);
  await subscriptions.end("one");
  expect(posted.map(({ body }) => body)).toEqual([
    { type: "terminated", error: { code: -32_024, message: "Forbidden", data: { reason: "Access revoked" } } },
  ]);
  await hub.desk.cancel(await client.ask());
  await settle();
  expect(posted).toHaveLength(1);
});

test("a token that is revoked while it subscribes has no subscription", async () => {
  const asked = Promise.withResolvers<void>();
  const wanted = Promise.withResolvers<void>();
  const { hub, client, posted, subscriptions } = await start(async (one) => {
    asked.resolve();
    await wanted.promise;
    return willing(one);
  });
  const subscribing = subscribe(client);
  await asked.promise;
  await subscriptions.end("one");
  wanted.resolve();
  expect((await subscribing).error).toMatchObject({ code: -32_024, message: "Forbidden" });
  await hub.desk.cancel(await client.ask());
  await settle();
  expect(posted).toEqual([]);
});

// promise: events-end-with-token
test("a token that was revoked while no hub was there to notice gets nothing of what happened since, and its receiver is told", async () => {
  const { hub, client, posted, gone, subscriptions } = await start();
  await subscribe(client);
  const sessionId = await client.ask();
  gone.add("one");
  await hub.desk.cancel(sessionId);
  await settle();
  await subscriptions.changed();
  await settle();
  expect(posted.map(({ body }) => body.type)).toEqual(["terminated"]);
});

// promise: events-wanted
test("an agent that subscribes again and again to a receiver that fails makes the hub send no more than ten a minute", async () => {
  const { hub, client, posted } = await start((one) => (one.body.type ? willing(one) : { status: 500, text: "" }));
  await subscribe(client);
  await hub.desk.cancel(await client.ask());
  await settle();
  const codes = new Set<unknown>();
  for (let number = 0; number < 30; number += 1) {
    codes.add((await subscribe(client)).error?.code);
    await settle();
  }
  expect(codes).toEqual(new Set([undefined, -32_025]));
  expect(posted).toHaveLength(10);
});

test("events that were skipped are told once, however often the inbox changes", async () => {
  const all = parts();
  const { client, close } = await start(willing, all);
  await subscribe(client);
  await close();
  const [row] = JSON.parse((await all.kept.get("mcp-events")) ?? "[]");
  const old = Buffer.from(JSON.stringify({ at: 0, from: { at: 0, id: "" }, named: [] })).toString("base64url");
  await all.kept.swap("mcp-events", JSON.stringify([row]), JSON.stringify([{ ...row, cursor: old }]), 1e7);
  const { hub, client: next, posted, subscriptions } = await start(willing, all);
  const sessionId = await next.ask();
  for (let number = 0; number < 10; number += 1) {
    await subscriptions.changed();
    await settle();
  }
  await hub.desk.cancel(sessionId);
  await settle();
  expect(posted.map(({ body }) => body.type ?? body.eventId)).toEqual(["gap", `${sessionId}_ended`]);
});

test("what is kept and can't be read, or lasts for longer than any subscription, is nobody's subscription", async () => {
  const all = parts();
  const { client, close } = await start(willing, all);
  await subscribe(client);
  await close();
  const kept = (await all.kept.get("mcp-events")) ?? "";
  const [row] = JSON.parse(kept);
  for (const text of ["[{", JSON.stringify([{ ...row, until: row.until + 365 * 86_400_000 }])]) {
    await all.kept.swap("mcp-events", await all.kept.get("mcp-events"), text, 1e9);
    const next = await start(willing, all);
    await next.hub.desk.cancel(await next.client.ask());
    await settle();
    expect(next.posted).toEqual([]);
    expect((await subscribe(next.client)).result).toMatchObject({ id: row.id });
    expect(next.challenges).toHaveLength(1);
    await next.close();
  }
});

/** Subscriptions without a hub, whose owner has the news that are in `news`; `looked` is called after each look. */
async function alone(looked: () => void | Promise<void>) {
  const platform = testPlatform();
  const news: News[] = [];
  const sent: string[] = [];
  const port = {
    news: async () => {
      const seen = [...news];
      await looked();
      return { news: seen, isWhole: true };
    },
    close: () => {},
  } as unknown as ReturnType<ConstructorParameters<typeof EventSubscriptions>[0]["asker"]>;
  const subscriptions = new EventSubscriptions({
    platform,
    kept: sharedMemory(platform.clock).open(),
    hub: undefined,
    problem: () => undefined,
    async post(to, { headers, body }) {
      if (!headers["webhook-id"]?.startsWith("msg_")) sent.push(String(headers["webhook-id"]));
      return willing({ url: to, headers, body: JSON.parse(body) });
    },
    sign: () => "v1,x",
    asker: () => port,
    wasRevoked: async () => false,
    log: () => {},
  });
  onTestFinished(() => subscriptions.close());
  const info = { client: { name: "some-client" } };
  const renew = () =>
    subscriptions.subscribe({ owner: "one" }, { port, info }, { name: "question.changed", delivery: { mode: "webhook", url, secret } });
  await renew();
  await settle();
  const happen = (id: string) => {
    news.push({ id, sessionId: id, status: "answered", at: platform.clock.now() });
    return subscriptions.changed();
  };
  return { platform, sent, happen, renew };
}

test("what changes at any moment of the last look is sent", async () => {
  for (let moment = 0; moment < 40; moment += 1) {
    let looks = -1;
    const { sent, happen } = await alone(async () => {
      if (looks >= 0) looks += 1;
      if (looks !== 2) return;
      const later = async () => {
        for (let turn = 0; turn < moment; turn += 1) await undefined;
        await happen("second");
      };
      void later();
    });
    looks = 0;
    await happen("first");
    await settle();
    expect([moment, ...sent]).toEqual([moment, "first", "second"]);
  }
});

// promise: events-wanted
test("of a hundred events, twenty are sent in twenty seconds, however often the agent subscribes again and the inbox changes", async () => {
  const { platform, sent, happen, renew } = await alone(() => {});
  for (let number = 0; number < 100; number += 1) void happen(`event-${String(number).padStart(2, "0")}`);
  for (const most of [20, 40, 60, 80, 100]) {
    for (let number = 0; number < 30; number += 1) {
      await renew();
      await settle();
    }
    expect(sent).toHaveLength(most);
    await platform.clock.advance(20_000);
  }
  expect(new Set(sent).size).toBe(100);
});

test("an event is sent although the store could not be read for a moment", async () => {
  let isBroken = false;
  const { platform, sent, happen } = await alone(() => {
    if (isBroken) throw new Error("The store is away.");
  });
  isBroken = true;
  await happen("first");
  await settle();
  isBroken = false;
  await platform.clock.advance(60_000);
  await settle();
  expect(sent).toEqual(["first"]);
});

test("a thousand subscriptions end with ten, and so do the receivers that are asked in a minute", async () => {
  const { hub, client, challenges } = await start();
  const codes = new Map<unknown, number>();
  for (let number = 0; number < 1_000; number += 1) {
    const told = await subscribe(client, {}, { url: `https://${number}.example/` });
    const code = told.error?.code ?? 0;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (number === 100) await hub.clock.advance(60_000);
  }
  expect(codes).toEqual(
    new Map([
      [0, 10],
      [-32_025, 990],
    ]),
  );
  expect(challenges).toHaveLength(10);
  const { error } = await subscribe(client, {}, { url: "https://another.example/" });
  expect(error).toMatchObject({ message: "ResourceExhausted", data: { limit: "subscriptions", max: 10 } });
});

// promise: events-wanted
test("a host is asked ten times a minute at most, whoever names it, and a receiver that does not want it as seldom as one that does", async () => {
  const { client, hub, challenges } = await start(() => "connection_refused");
  for (const one of [client, eventsClient(hub, { as: "otherAsker" })]) {
    for (let number = 0; number < 15; number += 1) await subscribe(one, {}, { url: `https://victim.example/${number}` });
  }
  expect(challenges).toHaveLength(10);
});

test.each([
  ["no https", { url: "http://hooks.example/" }, -32_602],
  ["no address", { url: "hooks" }, -32_602],
  ["a huge address", { url: `https://hooks.example/${"x".repeat(3_000)}` }, -32_602],
  ["no secret", { secret: undefined }, -32_602],
  ["another way", { mode: "carrier-pigeon" }, -32_026],
])("a subscription with %s is refused before anybody is asked", async (_, delivery, code) => {
  const { client, challenges } = await start();
  expect((await subscribe(client, {}, delivery)).error?.code).toBe(code);
  expect(challenges).toEqual([]);
});

test("whoever has no token gets no webhook, where a program serves MCP without any", async () => {
  const { subscriptions, challenges } = await start();
  const platform = testPlatform();
  const broker = await createBroker({ store: memoryStore(), ...platform });
  const handler = createHttpHandler({ asker: () => broker.asker("anybody"), platform, version: "1.0.0", events: subscriptions });
  onTestFinished(async () => {
    await handler.close();
    await broker.close();
  });
  const post = (message: unknown, { headers = {} }: { headers?: Record<string, string> } = {}) => {
    const sent = { ...headers, accept: "application/json, text/event-stream", "content-type": "application/json" };
    return handler.fetch(new Request("http://127.0.0.1/mcp", { method: "POST", headers: sent, body: JSON.stringify(message) }));
  };
  expect((await subscribe(eventsClient({ post }))).error).toMatchObject({ code: -32_024, message: "Forbidden" });
  expect(challenges).toEqual([]);
});

test("of two hubs over one inbox, one sends", async () => {
  const all = parts();
  const [{ hub, client, posted }, { posted: others, subscriptions }] = [await start(willing, all, "one"), await start(willing, all, "two")];
  await subscribe(client);
  await hub.desk.cancel(await client.ask());
  await settle();
  await subscriptions.changed();
  await settle();
  expect([posted.length, others.length].toSorted()).toEqual([0, 1]);
});
