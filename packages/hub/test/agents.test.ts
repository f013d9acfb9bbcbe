import { describe, expect, it } from "vitest";
import { startHub } from "./support.ts";

describe("REST for agents", () => {
  it("registers, lists and removes agents", async () => {
    const hub = await startHub();
    const call = (method: string, path = "", body?: unknown) => hub.call(method, `/api/agents${path}`, { as: "desk", body });
    expect((await call("GET")).body).toEqual({ items: [], conversations: [] });
    const added = await call("POST", "", { id: "builder/1", name: "The builder" });
    expect(added).toMatchObject({ status: 201, body: { id: "builder/1", name: "The builder" } });
    expect((await call("GET")).body).toMatchObject({ items: [{ id: "builder/1", name: "The builder" }] });
    expect((await call("DELETE", "/builder%2F1")).status).toBe(204);
    expect(await call("DELETE", "/builder%2F1")).toMatchObject({ status: 404, body: { code: "UNKNOWN_AGENT" } });
  });

  it("lists the conversations of agents, and takes a message to one", async () => {
    const hub = await startHub();
    const ask = { questions: [{ id: "q", question: "Blue or green?" }], agentId: "builder" };
    const { body: asked } = await hub.call("POST", "/api/sessions?wait=0", { as: "asker", body: ask });
    const { body } = await hub.call("GET", "/api/agents", { as: "desk" });
    expect(body).toMatchObject({
      conversations: [{ asker: { agentId: "builder" }, sessions: [{ id: asked.sessionId, status: "pending" }] }],
    });
    const write = (id: string, as: "desk" | "asker") => hub.call("POST", `/api/agents/${id}/messages`, { as, body: { text: "Use red." } });
    expect(await write(body.conversations[0].id, "desk")).toMatchObject({ status: 200, body: { thread: [{ text: "Use red." }] } });
    expect((await write("a_0123456789ab", "desk")).status).toBe(404);
    expect((await write(body.conversations[0].id, "asker")).status).toBe(403);
    const { body: told } = await hub.call("GET", `/api/sessions/${asked.sessionId}?wait=0`, { as: "asker" });
    expect(told).toMatchObject({ pending: true, askedBack: [{ text: "Use red." }] });
  });

  it("rejects an invalid agent with a sentence", async () => {
    const hub = await startHub();
    const refused = await hub.call("POST", "/api/agents", { as: "desk", body: { name: "nobody" } });
    expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION", detail: "An agent's id must be a string; it is missing." } });
  });

  // promise: asker-scope
  it("rejects asker tokens and requests without a token", async () => {
    const hub = await startHub();
    expect((await hub.call("POST", "/api/agents", { as: "asker", body: { id: "me" } })).status).toBe(403);
    expect((await hub.call("GET", "/api/agents")).status).toBe(401);
    expect(await hub.broker.agents.list()).toEqual([]);
  });
});
