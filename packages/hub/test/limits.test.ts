import { request } from "node:http";
import { memoryStore, parseAsk, type SessionStore } from "@askbox/core";
import type { StoreChange } from "@askbox/core/stores";
import { anAsker, seededIds } from "@askbox/core/testing";
import { describe, expect, it } from "vitest";
import { pendingLedger } from "../src/index.ts";
import { ask, askOne, startHub, type TestHub, until } from "./support.ts";

const post = (hub: TestHub, body: unknown) => hub.call("POST", "/api/sessions", { as: "asker", body });

/** An ask of exactly this many bytes. */
function askOfBytes(bytes: number): string {
  const text = (filler: string) => JSON.stringify({ questions: [{ question: "x", options: [{ label: "A", preview: filler }] }] });
  return text("y".repeat(bytes - text("").length));
}

describe("the size of a request", () => {
  // promise: requests-bounded
  it("may be 256 KB and not a byte more", async () => {
    const hub = await startHub();
    expect((await post(hub, askOfBytes(262_144))).status).toBe(201);
    const answer = await post(hub, askOfBytes(262_145));
    expect([answer.status, answer.body.code, answer.headers["content-type"]]).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
      "application/problem+json",
    ]);
  });

  it("is limited on each route, and a session stays pending if its answer is too large", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const body = { answers: [{ questionId: "name", values: ["x".repeat(2_000_000)] }] };
    expect((await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body })).status).toBe(413);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.status).toBe("pending");
  });

  it("is limited if it is not declared", async () => {
    const hub = await startHub();
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${hub.tokens.asker}`, "transfer-encoding": "chunked" };
      const sent = request(new URL("/api/sessions", hub.url), { method: "POST", headers, agent: false }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode));
      });
      sent.on("error", reject);
      for (let part = 0; part < 30; part += 1) sent.write("x".repeat(10_000));
      sent.end();
    });
    expect(status).toBe(413);
  });

  it("may be sent without a declared size", async () => {
    const hub = await startHub();
    const headers = { "transfer-encoding": "chunked" };
    expect((await hub.call("POST", "/api/sessions", { as: "asker", headers, body: ask })).status).toBe(201);
  });

  it("counts what was asked once, and is the same for REST and the wire", async () => {
    const hub = await startHub();
    const { asker } = hub.connect("asker");
    const long = "x".repeat(14_000);
    const withLabels = (count: number) => ({
      questions: [
        { id: "pick", question: "Which?", type: "select", options: Array.from({ length: count }, (_, index) => `${index} ${long}`) },
      ],
    });
    const onWire = (input: object) => asker.ask(parseAsk(input, { ids: seededIds() }), { asker: anAsker(), maxWait: 0 });
    expect((await post(hub, withLabels(10))).status).toBe(201);
    const { session } = await onWire({ ...withLabels(10), title: "again" });
    expect(session.request.questions).toMatchObject([{ options: { length: 10, 9: { label: `9 ${long}`, value: `9 ${long}` } } }]);
    expect((await post(hub, withLabels(19))).status).toBe(413);
    await expect(onWire(withLabels(19))).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it("is limited on the wire too, and the connection stays open", async () => {
    const hub = await startHub();
    const { asker } = hub.connect("asker");
    const questions = [{ question: "x", options: [{ label: "A", preview: "y".repeat(1_000_000) }] }];
    const tooLarge = parseAsk({ questions }, { ids: seededIds() });
    await expect(asker.ask(tooLarge, { asker: anAsker(), maxWait: 0 })).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
    await asker.ask(parseAsk(ask, { ids: seededIds() }), { asker: anAsker(), maxWait: 0 });
    expect(hub.hub.connections.askers).toBe(1);
  });
});

describe("the number of asks", () => {
  // promise: asker-scope
  it("is limited in any minute, for each token and agent id", async () => {
    const hub = await startHub({ limits: { asksPerMinute: 3 } });
    for (let n = 0; n < 3; n += 1) {
      expect((await post(hub, ask)).status).toBe(201);
      await hub.clock.advance(10_000);
    }
    const refused = await post(hub, ask);
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, "RATE_LIMITED", "30"]);
    expect((await post(hub, { ...ask, agentId: "another" })).status).toBe(201);
    expect((await hub.call("POST", "/api/sessions", { as: "otherAsker", body: ask })).status).toBe(201);
    await hub.clock.advance(29_999);
    expect((await post(hub, ask)).status).toBe(429);
    await hub.clock.advance(1);
    expect((await post(hub, ask)).status).toBe(201);
    expect((await post(hub, ask)).status).toBe(429);
  });

  // promise: requests-bounded
  it("is 100 by default: the 101st is rejected, over REST and the wire, with when to try again", async () => {
    const hub = await startHub();
    for (let n = 0; n < 100; n += 1) expect((await post(hub, ask)).status).toBe(201);
    const refused = await post(hub, ask);
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, "RATE_LIMITED", "60"]);
    const { agentId: _, ...info } = anAsker();
    const overWire = hub.connect("asker").asker.ask(parseAsk(ask, { ids: seededIds() }), { asker: info, maxWait: 0 });
    await expect(overWire).rejects.toMatchObject({ code: "RATE_LIMITED", details: { retryAfter: 60 } });
  });

  it("is counted together for REST and the wire", async () => {
    const hub = await startHub({ limits: { asksPerMinute: 2 } });
    const { asker } = hub.connect("asker");
    const { agentId: _, ...info } = anAsker();
    await asker.ask(parseAsk(ask, { ids: seededIds() }), { asker: info, maxWait: 0 });
    await askOne(hub);
    await expect(asker.ask(parseAsk(ask, { ids: seededIds() }), { asker: info, maxWait: 0 })).rejects.toMatchObject({
      code: "RATE_LIMITED",
      details: { retryAfter: 60 },
    });
  });

  it("is not affected by changes of the wall clock", async () => {
    const hub = await startHub({ limits: { asksPerMinute: 1 } });
    await askOne(hub);
    hub.clock.jumpWall(3_600_000);
    expect((await post(hub, ask)).status).toBe(429);
  });
});

describe("the number of pending sessions", () => {
  it("is limited for each token and agent id, and settled ones do not count", async () => {
    const hub = await startHub({ limits: { pending: 2 } });
    const id = await askOne(hub, { ...ask, agentId: "one" });
    await askOne(hub, { ...ask, agentId: "one" });
    const refused = await post(hub, { ...ask, agentId: "one" });
    expect([refused.status, refused.body.code]).toEqual([429, "TOO_MANY_PENDING"]);
    expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    expect((await post(hub, { ...ask, agentId: "two" })).status).toBe(201);
    await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk" });
    expect((await post(hub, { ...ask, agentId: "one" })).status).toBe(201);
  });
});

describe("the limits of one token, across its agent ids", () => {
  // promise: agent-ids-bounded
  it("allow 10 times the asks per minute of one agent id", async () => {
    const hub = await startHub({ limits: { asksPerMinute: 2 } });
    const asked = (agent: number) => post(hub, { ...ask, agentId: `agent-${agent}` });
    for (let agent = 0; agent < 20; agent += 1) expect((await asked(agent)).status).toBe(201);
    const refused = await asked(20);
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, "RATE_LIMITED", "60"]);
    expect((await hub.call("POST", "/api/sessions", { as: "otherAsker", body: ask })).status).toBe(201);
    await hub.clock.advance(60_000);
    expect((await asked(21)).status).toBe(201);
  });

  // promise: agent-ids-bounded
  it("allow 10 times the pending sessions of one agent id, and settled ones do not count", async () => {
    const hub = await startHub({ limits: { pending: 1, asksPerMinute: 1_000 } });
    const ids: string[] = [];
    for (let agent = 0; agent < 10; agent += 1) ids.push(await askOne(hub, { ...ask, agentId: `agent-${agent}` }));
    const another = { ...ask, agentId: "another" };
    expect((await post(hub, another)).body).toMatchObject({ code: "TOO_MANY_PENDING", status: 429 });
    await hub.call("POST", `/api/sessions/${ids[0]}/cancel`, { as: "desk" });
    expect((await post(hub, another)).status).toBe(201);
  });

  it("include a number of bytes of pending sessions, counted across a restart too", async () => {
    const store = memoryStore();
    const limits = { pendingBytesPerToken: 600_000 };
    const first = await startHub({ limits, pending: await pendingLedger(store), store });
    for (const agentId of ["one", "two"]) expect((await post(first, { ...JSON.parse(askOfBytes(250_000)), agentId })).status).toBe(201);
    const hub = await startHub({ limits, pending: await pendingLedger(store), store });
    const refused = await post(hub, { ...JSON.parse(askOfBytes(250_000)), agentId: "three" });
    expect([refused.status, refused.body.code]).toEqual([429, "TOO_MANY_PENDING"]);
    expect((await post(hub, ask)).status).toBe(201);
    expect((await hub.call("POST", "/api/sessions", { as: "otherAsker", body: askOfBytes(250_000) })).status).toBe(201);
  });

  // promise: all-stored-counts
  it("count everything stored of a session, not only its questions", async () => {
    const hub = await startHub({ limits: { pendingBytesPerToken: 20_000 } });
    const project = `/${"p".repeat(4_000)}`;
    const asked = [];
    for (const agentId of ["1", "2", "3", "4", "5"]) asked.push((await post(hub, { ...ask, agentId, project })).status);
    expect(asked).toEqual([201, 201, 201, 201, 429]);
  });

  // promise: all-stored-counts
  it("count what a pending session grows by, and subtract it with the session", async () => {
    const store = memoryStore();
    const pending = await pendingLedger(store);
    const hub = await startHub({ store, pending, limits: { pendingBytesPerToken: 6_000 } });
    const id = await askOne(hub);
    const { bytes } = pending.ofToken("one");
    const record = await store.get(id);
    if (record === undefined) throw new Error("The session is not there.");
    await store.replace(
      { ...record, asker: { ...record.asker, branch: "b".repeat(5_000) }, revision: record.revision + 1 },
      record.revision,
    );
    expect(pending.ofToken("one")).toEqual({ sessions: 1, bytes: expect.closeTo(bytes + 5_000, -2) });
    expect((await post(hub, { ...ask, agentId: "another" })).body.code).toBe("TOO_MANY_PENDING");
    await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk" });
    expect(pending.ofToken("one")).toEqual({ sessions: 0, bytes: 0 });
  });

  it("are not exceeded by simultaneous asks", async () => {
    const hub = await startHub({ limits: { pending: 5 } });
    const { asker } = hub.connect("asker");
    const info = anAsker();
    const asks = Array.from({ length: 40 }, (_, index) =>
      asker.ask(parseAsk({ questions: [{ question: `Number ${index}?` }] }, { ids: seededIds() }), { asker: info, maxWait: 0 }),
    );
    const ended = await Promise.allSettled(asks);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect((await hub.call("GET", "/api/sessions", { as: "desk" })).body.items).toHaveLength(5);
  });
});

describe("the ledger of pending sessions", () => {
  it("drops settled and removed sessions, and follows a store that only reports ids", async () => {
    const store = memoryStore();
    const idsAlone: SessionStore = Object.assign(Object.create(store), {
      subscribe: (listener: (change: StoreChange) => void) => store.subscribe(({ id, revision }) => listener({ id, revision })),
    });
    const ledgers = [await pendingLedger(store), await pendingLedger(idsAlone)];
    const hub = await startHub({ store });
    const id = await askOne(hub, { ...ask, agentId: "one" });
    for (const ledger of ledgers) {
      await until(() => ledger.ofAgent("one", "one") === 1);
      expect(ledger.ofToken("one")).toEqual({ sessions: 1, bytes: expect.any(Number) });
      expect([ledger.ofAgent("one", undefined), ledger.ofAgent("two", "one")]).toEqual([0, 0]);
    }
    await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk" });
    for (const ledger of ledgers) {
      await until(() => ledger.ofAgent("one", "one") === 0);
      expect(ledger.ofToken("one")).toEqual({ sessions: 0, bytes: 0 });
    }
  });
});

describe("the number of requests", () => {
  // promise: requests-limited
  it("is limited by token over REST and the wire together, with 429 and Retry-After", async () => {
    const hub = await startHub({ limits: { requestsPerMinute: 10 } });
    const { desk } = hub.connect("desk");
    const list = () => hub.call("GET", "/api/sessions", { as: "desk" });
    for (let n = 0; n < 5; n += 1) {
      expect((await list()).status).toBe(200);
      await desk.list({});
    }
    const refused = await list();
    expect([refused.status, refused.body.code, refused.headers["retry-after"]]).toEqual([429, "RATE_LIMITED", "6"]);
    expect(refused.body.detail).toBe("More than 10 requests with one token in a minute; send again in 6 seconds.");
    await expect(desk.list({})).rejects.toMatchObject({ code: "RATE_LIMITED", details: { retryAfter: 6 } });
    // Another token has its own limit, and the connection stays.
    expect((await post(hub, ask)).status).toBe(201);
    await hub.clock.advance(6_000);
    expect((await desk.list({})).items).toHaveLength(1);
    await hub.clock.advance(60_000);
    for (let n = 0; n < 10; n += 1) expect((await list()).status).toBe(200);
    expect((await list()).status).toBe(429);
  });

  it("is far above what a person who types fast on several devices needs", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const desks = [1, 2, 3].map(() => hub.connect("desk").desk);
    for (let n = 0; n < 600; n += 1) await desks[n % 3]?.get(id);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).status).toBe(200);
  });
});
