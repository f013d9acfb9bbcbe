import { describe, expect, it } from "vitest";
import { answers, askOne, startHub, until } from "./support.ts";

const none = { answered: false, cancelled: false, timedOut: false, answers: [] };

describe("asking back over REST", () => {
  it("adds a message to the thread, returns it to the waiting asker, and accepts its reply, which waits again", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const waiting = hub.call("GET", `/api/sessions/${id}?wait=60`, { as: "asker" });
    const asked = await hub.call("POST", `/api/sessions/${id}/ask-back`, { as: "desk", body: { text: "Why?" } });
    expect(asked.status).toBe(200);
    expect(asked.body).toMatchObject({ status: "pending", thread: [{ text: "Why?", by: { surface: "api" } }] });
    expect((await waiting).body).toMatchObject({ ...none, pending: true, sessionId: id, askedBack: [{ text: "Why?" }] });
    const replying = hub.call("POST", `/api/sessions/${id}/reply-back?wait=60`, { as: "asker", body: { text: "Because." } });
    await until(async () => (await hub.store.get(id))?.thread.length === 2);
    await hub.call("POST", `/api/sessions/${id}/answer`, { as: "desk", body: { answers } });
    expect((await replying).body).toMatchObject({ answered: true, thread: [{ text: "Why?" }, { text: "Because." }] });
  });

  it("replaces questions with others", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const { status, body } = await hub.call("POST", "/api/sessions", {
      as: "asker",
      body: { questions: [{ question: "Better?" }], replaces: id },
    });
    expect([status, body.replaces]).toEqual([201, id]);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body).toMatchObject({ status: "cancelled", replacedBy: body.id });
  });

  it("separates the scopes, and rejects long texts and frequent requests with a sentence", async () => {
    const hub = await startHub();
    const id = await askOne(hub);
    const post = (path: string, as: "asker" | "desk", text: string) =>
      hub.call("POST", `/api/sessions/${id}/${path}`, { as, body: { text } });
    expect((await post("ask-back", "asker", "Why?")).status).toBe(403);
    expect((await post("reply-back", "desk", "Because.")).status).toBe(403);
    expect(await post("reply-back", "asker", "Because.")).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expect(await post("ask-back", "desk", "x".repeat(4_001))).toMatchObject({
      status: 400,
      body: { detail: "A message to the agent must have 1 to 4,000 characters." },
    });
    for (let round = 0; round < 20; round += 1) expect((await post("ask-back", "desk", `Why ${round}?`)).status).toBe(200);
    expect(await post("ask-back", "desk", "Why?")).toMatchObject({ status: 409, body: { code: "TOO_MANY_ROUNDS" } });
  });
});
