import { memoryStore } from "@askbox/core";
import { describe, expect, it, vi } from "vitest";
import { answers, ask, askOne, startHub, until } from "./support.ts";

describe("GET ?wait=", () => {
  it("resolves with the outcome once the session is settled, and records the delivery", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const waiting = hub.call("GET", `/api/sessions/${id}?wait=100`, { as: "asker" });
    await until(() => hub.broker.stats().waiting === 1);
    await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers } });
    expect((await waiting).body).toMatchObject({ status: "answered", outcome: { kind: "answered" } });
    await until(async () => (await hub.store.get(id))?.delivery.deliveredAt === hub.clock.now());
  });

  it("returns the pending session when the time is up", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    for (const as of ["asker", "desk"] as const) {
      const waiting = hub.call("GET", `/api/sessions/${id}?wait=2`, { as });
      await until(() => hub.hub.connections.requests === 1);
      await until(() => hub.broker.stats().waiting + hub.broker.stats().watching === 1);
      await hub.clock.advance(2_000);
      expect((await waiting).body.status).toBe("pending");
    }
    expect((await hub.store.get(id))?.delivery.deliveredAt).toBeNull();
  });

  it("reads no session but its own for a desk", async () => {
    const store = memoryStore();
    const hub = await startHub({ store });
    await askOne(hub);
    const id = await askOne(hub, { ...ask, agentId: "another" });
    const listed = vi.spyOn(store, "list");
    const waiting = hub.call("GET", `/api/sessions/${id}?wait=2`, { as: "desk" });
    await until(() => hub.broker.stats().watching === 1 && listed.mock.results.length > 0);
    await hub.clock.advance(2_000);
    expect((await waiting).body.status).toBe("pending");
    const read = await Promise.all(listed.mock.results.map(({ value }) => value as ReturnType<typeof store.list>));
    expect(new Set(read.flatMap(({ sessions }) => sessions.map((session) => session.id)))).toEqual(new Set([id]));
  });

  it("returns and delivers the outcome of a session that is settled while it is being read", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const open = hub.broker.desk.bind(hub.broker);
    vi.spyOn(hub.broker, "desk").mockImplementationOnce((by) => {
      const desk = open(by);
      const get = desk.get.bind(desk);
      return Object.assign(desk, { get: async () => get((await desk.answer(id, { answers })).id) });
    });
    const { body } = await hub.call("GET", `/api/sessions/${id}`, { as: "asker" });
    expect(body).toMatchObject({ status: "answered", answered: true, answers: [{ values: ["Ada"] }, { values: ["a"] }, { values: [] }] });
    expect(body).not.toHaveProperty("pending");
    await until(async () => (await hub.store.get(id))?.delivery.deliveredAt === hub.clock.now());
  });

  it("waits at most half an hour", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    await hub.call("POST", `/api/sessions/${id}/extend`, { as: "desk", body: { timeout: null } });
    const waiting = hub.call("GET", `/api/sessions/${id}?wait=100000`, { as: "asker" });
    await until(() => hub.broker.stats().waiting === 1);
    await hub.clock.advance(1_799_999);
    expect(hub.broker.stats().waiting).toBe(1);
    await hub.clock.advance(1);
    expect((await waiting).body.status).toBe("pending");
  });

  it.each(["-1", "x", "NaN"])("rejects %s seconds", async (wait) => {
    const hub = await startHub();
    const id = await askOne(hub);
    for (const as of ["asker", "desk"] as const) {
      expect((await hub.call("GET", `/api/sessions/${id}?wait=${wait}`, { as })).body).toMatchObject({ status: 400, code: "VALIDATION" });
    }
  });

  it("detaches the asker when the client disconnects, and keeps the outcome for later", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const gone = new AbortController();
    const waiting = hub.call("GET", `/api/sessions/${id}?wait=100`, { as: "asker", signal: gone.signal });
    await until(() => hub.broker.stats().waiting === 1);
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await until(() => hub.broker.stats().waiting === 0);
    await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers } });
    expect((await hub.store.get(id))?.delivery.deliveredAt).toBeNull();
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "asker" })).body.status).toBe("answered");
    await until(async () => (await hub.store.get(id))?.delivery.deliveredAt !== null);
  });

  it("delivers an outcome that came too late when the same is asked again", async () => {
    const hub = await startHub();
    const questions = [{ id: "name", question: "What should it be called?" }];
    const id = await askOne(hub, { questions });
    await hub.clock.advance(11_000);
    await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers: [answers[0]] } });
    const again = await hub.call("POST", "/api/sessions", { as: "asker", body: { questions } });
    expect([again.status, again.body.id, again.body.late, again.body.status]).toEqual([201, id, true, "answered"]);
    await until(async () => (await hub.store.get(id))?.delivery.deliveredAt !== null);
  });

  it("lets a desk wait without delivering anything", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const waiting = hub.call("GET", `/api/sessions/${id}?wait=100`, { as: "desk" });
    await until(() => hub.broker.stats().watching === 1);
    await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk" });
    expect((await waiting).body.status).toBe("cancelled");
    expect((await hub.store.get(id))?.delivery.deliveredAt).toBeNull();
    await until(() => hub.broker.stats().watching === 0);
    expect((await hub.call("GET", `/api/sessions/${id}?wait=100`, { as: "desk" })).body.status).toBe("cancelled");
  });

  it("ends with 503 when the hub closes", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const waits = (["asker", "desk"] as const).map((as) => hub.call("GET", `/api/sessions/${id}?wait=100`, { as }));
    await until(() => hub.broker.stats().waiting === 1 && hub.broker.stats().watching === 1);
    await hub.hub.close();
    for (const { status, body } of await Promise.all(waits)) expect([status, body.code]).toEqual([503, "HUB_CLOSING"]);
    expect((await hub.store.get(id))?.state).toBe("pending");
  });

  it("shows the wait to people as presence", async () => {
    const hub = await startHub();
    const id = await askOne(hub, ask);
    const waiting = hub.call("GET", `/api/sessions/${id}?wait=1`, { as: "asker" });
    await until(() => hub.broker.stats().waiting === 1);
    const presence = async () => (await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.presence.asker;
    expect(await presence()).toBe("attached");
    await hub.clock.advance(1_000);
    await waiting;
    expect(await presence()).toBe("will_ask_again");
  });
});
