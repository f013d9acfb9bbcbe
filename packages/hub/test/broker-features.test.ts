import { describe, expect, it } from "vitest";
import { answers, ask, askOne, startHub, until } from "./support.ts";

const question = (id: string) => ({ questions: [{ id, question: `What about ${id}?` }] });
const answerTo = (id: string) => ({ answers: [{ questionId: id, values: ["yes"] }] });

describe("a decline with a delay, over REST", () => {
  it("can be recalled, and is sent after the delay otherwise", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const send = () => hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk", body: { reason: "no", delay: 5_000 } });
    const held = await send();
    const sendAt = hub.clock.now() + 5_000;
    expect([held.status, held.body.status]).toEqual([200, "pending"]);
    expect(held.body.scheduled).toMatchObject({ answers: [], decline: { reason: "no" }, sendAt });
    const recalled = await hub.call("POST", `/api/sessions/${id}/recall`, { as: "desk" });
    expect([recalled.status, recalled.body.scheduled]).toEqual([200, undefined]);

    await send();
    await hub.clock.advance(5_000);
    const { body } = await hub.call("GET", `/api/sessions/${id}`, { as: "desk" });
    expect([body.status, body.outcome.reason]).toEqual(["cancelled", "no"]);
  });

  it("is not shown to the asker while it can be recalled", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk", body: { reason: "secret", delay: 60_000 } });
    const { body } = await hub.call("GET", `/api/sessions/${id}`, { as: "asker" });
    expect(body).toMatchObject({ status: "pending", pending: true, cancelled: false });
    expect(JSON.stringify(body)).not.toContain("secret");
  });

  it.each([-1, 60_001, "5"])("may not have a delay of %s ms", async (delay) => {
    const hub = await startHub();
    const id = await askOne(hub);
    const refused = await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk", body: { delay } });
    expect([refused.status, refused.body.issues[0].field]).toEqual([400, "delay"]);
  });
});

describe("an answer with a delay, over REST", () => {
  it("can be recalled, and is sent after the delay otherwise", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const send = () => hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers, delay: 5_000 } });
    const held = await send();
    expect([held.status, held.body.status, held.body.scheduled.sendAt]).toEqual([200, "pending", hub.clock.now() + 5_000]);
    const recalled = await hub.call("POST", `/api/sessions/${id}/recall`, { as: "desk" });
    expect([recalled.status, recalled.body.scheduled]).toEqual([200, undefined]);
    expect((await hub.call("POST", `/api/sessions/${id}/recall`, { as: "desk" })).status).toBe(409);

    await send();
    await hub.clock.advance(5_000);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.status).toBe("answered");
    expect((await hub.call("POST", `/api/sessions/${id}/recall`, { as: "desk" })).body.code).toBe("SESSION_CLOSED");
  });

  it("is not shown to the asker while it can be recalled", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers, delay: 60_000 } });
    const { body } = await hub.call("GET", `/api/sessions/${id}`, { as: "asker" });
    expect(body).toMatchObject({ status: "pending", pending: true, answered: false, answers: [] });
    expect(JSON.stringify(body)).not.toContain("Ada");
  });

  it.each([-1, 60_001, "5"])("may not have a delay of %s ms", async (delay) => {
    const hub = await startHub();
    const id = await askOne(hub);
    const refused = await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers, delay } });
    expect([refused.status, refused.body.issues[0].field]).toEqual([400, "delay"]);
  });
});

describe("a draft, over REST", () => {
  it("is written field by field, can be read, and is removed with its session", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const draft = `/api/sessions/${id}/draft`;
    expect((await hub.call("GET", draft, { as: "desk" })).body).toBeNull();
    await hub.call("PATCH", draft, { as: "desk", body: { fields: { name: { values: ["A"] } } } });
    const { status, body } = await hub.call("PATCH", draft, { as: "desk", body: { fields: { base: { values: ["a"] } }, comment: "soon" } });
    expect([status, body.revision, body.comment]).toEqual([200, 2, "soon"]);
    expect((await hub.call("GET", draft, { as: "desk" })).body.fields).toEqual({ name: { values: ["A"] }, base: { values: ["a"] } });

    const stranger = await hub.call("PATCH", draft, { as: "desk", body: { fields: { nowhere: {} } } });
    expect([stranger.status, stranger.headers["content-type"]]).toEqual([400, "application/problem+json"]);
    await hub.call("POST", `/api/sessions/${id}/cancel`, { as: "desk" });
    expect((await hub.call("GET", draft, { as: "desk" })).body).toBeNull();
    expect((await hub.call("PATCH", draft, { as: "desk", body: { comment: "late" } })).body.code).toBe("SESSION_CLOSED");
  });

  it("and a recall are not available to askers", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    expect((await hub.call("GET", `/api/sessions/${id}/draft`, { as: "asker" })).status).toBe(403);
    expect((await hub.call("PATCH", `/api/sessions/${id}/draft`, { as: "asker", body: {} })).status).toBe(403);
    expect((await hub.call("POST", `/api/sessions/${id}/recall`, { as: "asker" })).status).toBe(403);
    expect((await hub.call("GET", `/api/sessions/${id}/draft`)).status).toBe(401);
  });
});

describe("the result for an asker over REST", () => {
  it("is the session with the fields of ask_user's result", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const pending = await hub.call("GET", `/api/sessions/${id}`, { as: "asker" });
    expect(pending.body).toMatchObject({
      id,
      sessionId: id,
      pending: true,
      answered: false,
      cancelled: false,
      timedOut: false,
      answers: [],
    });
    await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers, comment: "Go on" } });
    const { body } = await hub.call("GET", `/api/sessions/${id}`, { as: "asker" });
    expect(body).toMatchObject({ status: "answered", answered: true, answeredBy: { surface: "api" }, comment: "Go on" });
    expect(body.answers[0]).toMatchObject({ questionId: "name", values: ["Ada"] });
    expect(body).not.toHaveProperty("pending");
    expect(body).not.toHaveProperty("earlier");
  });

  // promise: timeout-says-if-seen
  it("says whether anybody had seen the question, for a timeout", async () => {
    const hub = await startHub();
    const id = await askOne(hub, { ...ask, timeout: 10_000 });
    await hub.clock.advance(10_000);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "asker" })).body).toMatchObject({ timedOut: true, seen: false });
  });

  it("includes, once, outcomes that were not collected", async () => {
    const hub = await startHub();
    const missed = await askOne(hub, question("first"));
    const other = await askOne(hub, question("first"), "otherAsker");
    for (const id of [missed, other]) {
      await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: answerTo("first") });
    }
    // An asker that has just opened a session may still come to wait for its outcome.
    await hub.clock.advance(11_000);
    const [second, third] = [await askOne(hub, question("second")), await askOne(hub, question("third"))];
    for (const [id, name] of [
      [second, "second"],
      [third, "third"],
    ] as const) {
      await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: answerTo(name) });
    }
    const { body } = await hub.call("GET", `/api/sessions/${second}`, { as: "asker" });
    expect(body.earlier.map(({ sessionId }: { sessionId: string }) => sessionId)).toContain(missed);
    expect(body.earlier.map(({ sessionId }: { sessionId: string }) => sessionId)).not.toContain(other);
    expect(body.earlier[0]).toMatchObject({ answered: true, questions: [{ id: "first", question: "What about first?" }] });
    await until(async () => (await hub.store.get(missed))?.delivery.deliveredAt !== null);
    const { earlier = [] } = (await hub.call("GET", `/api/sessions/${third}`, { as: "asker" })).body;
    expect(earlier.map(({ sessionId }: { sessionId: string }) => sessionId)).not.toContain(missed);
  });
});
