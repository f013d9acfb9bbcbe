import { describe, expect, it } from "vitest";
import { untilHolds as until } from "../../support/until.ts";
import { call, type McpHub, startMcpHub, yes } from "./hub.ts";
import { type SseStream, sseStream } from "./sse-stream.ts";

async function open(hub: McpHub, path = "/sse", signal?: AbortSignal): Promise<{ stream: SseStream; messages: string }> {
  const stream = sseStream(await hub.post(undefined, { path, method: "GET", signal }));
  const { event, data: messages } = await stream.event();
  expect(event).toBe("endpoint");
  const initialize = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  expect((await hub.post(initialize, { path: messages })).status).toBe(202);
  expect((await stream.message()).result.protocolVersion).toBe("2024-11-05");
  return { stream, messages };
}

describe("MCP of revision 2024-11-05 at /sse and /messages", () => {
  it("delivers an answer over the stream, and counts it as delivered", async () => {
    const hub = await startMcpHub();
    const { stream, messages } = await open(hub, "/sse?agent=one&project=/home/ada/engine");
    await hub.post(call(1), { path: messages });
    const { id, asker } = await hub.pending();
    expect(asker).toMatchObject({ agentId: "one", project: "/home/ada/engine" });
    await hub.desk.answer(id, yes);
    expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true, answers: yes.answers } } });
    await until(async () => (await hub.desk.get(id)).delivery.deliveredAt !== null);
  });

  it("sends keep-alives while nobody answers", async () => {
    const hub = await startMcpHub();
    const { stream, messages } = await open(hub);
    await hub.post(call(1), { path: messages });
    const { id } = await hub.pending();
    await hub.clock.advance(15_000);
    await hub.desk.cancel(id);
    await stream.message();
    expect(stream.text()).toContain(": keepalive\n\n");
  });

  it("detaches its calls when the stream is closed, so that their answer is not delivered", async () => {
    const hub = await startMcpHub();
    const cut = new AbortController();
    const { messages } = await open(hub, "/sse", cut.signal);
    await hub.post(call(1), { path: messages });
    const { id } = await hub.pending();
    cut.abort();
    await until(async () => (await hub.desk.get(id)).presence.asker === "away");
    await hub.desk.answer(id, yes);
    expect((await hub.desk.get(id)).delivery.deliveredAt).toBeNull();
    expect((await hub.post(call(2), { path: messages })).status).toBe(404);
  });

  it("accepts messages only from the token that opened the stream, with the allowed size and type", async () => {
    const hub = await startMcpHub();
    const { messages } = await open(hub);
    expect((await hub.post(call(1), { path: messages, as: "otherAsker" })).status).toBe(404);
    expect((await hub.post(call(1), { path: messages, as: "nobody" })).status).toBe(401);
    expect((await hub.post(call(1), { path: messages, as: "desk" })).status).toBe(403);
    expect((await hub.post(" ".repeat(262_145), { path: messages })).status).toBe(413);
    expect((await hub.post("{", { path: messages })).status).toBe(400);
    expect((await hub.post({ no: "message" }, { path: messages })).status).toBe(400);
    const batch = (count: number) => Array.from({ length: count }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }));
    const long = { jsonrpc: "2.0", id: "x".repeat(1_001), method: "ping" };
    expect((await hub.post(long)).status).toBe(400);
    const refused = await hub.post(batch(101));
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("at most 100 messages")]);
    expect((await hub.post(batch(100))).status).toBe(400);
  });
});
