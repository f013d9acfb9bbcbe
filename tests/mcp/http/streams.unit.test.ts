import { describe, expect, it } from "vitest";
import { untilHolds as until } from "../../support/until.ts";
import { askResumably, call, initialize, type McpHub, modern, question, startMcpHub, yes } from "./hub.ts";
import { sseStream } from "./sse-stream.ts";

const presence = async (hub: McpHub, id: string) => (await hub.desk.get(id)).presence.asker;
const isDelivered = async (hub: McpHub, id: string) => (await hub.desk.get(id)).delivery.deliveredAt !== null;

describe("a call's stream", () => {
  it("is resumed with Last-Event-ID, and what it missed only then counts as delivered", async () => {
    const hub = await startMcpHub();
    const { cut, headers, eventId, session } = await askResumably(hub);
    cut.abort();
    await until(() => hub.requests() === 0);
    await hub.desk.answer(session.id, yes);
    expect(await isDelivered(hub, session.id)).toBe(false);
    const resumed = await hub.post(undefined, { method: "GET", headers: { ...headers, "last-event-id": eventId } });
    expect(await sseStream(resumed).message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true } } });
    await until(() => isDelivered(hub, session.id));
  });

  it("tells every client to come back after 5 s, and is kept for two attempts", async () => {
    const hub = await startMcpHub();
    const opened = await hub.post(call(1), { headers: await initialize(hub, "2025-06-18") });
    const { value } = (await opened.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain("retry: 5000\n");
    const { cut, session } = await askResumably(hub);
    cut.abort();
    await until(() => hub.requests() === 1);
    await hub.clock.advance(10_000);
    expect(await presence(hub, session.id)).toBe("attached");
  });

  it("continues after it was resumed", async () => {
    const hub = await startMcpHub();
    const { cut, headers, eventId, session } = await askResumably(hub);
    cut.abort();
    await until(() => hub.requests() === 0);
    const resumed = await hub.post(undefined, { method: "GET", headers: { ...headers, "last-event-id": eventId } });
    await hub.clock.advance(10_000);
    expect(await presence(hub, session.id)).toBe("attached");
    await hub.desk.answer(session.id, yes);
    expect(await sseStream(resumed).message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true } } });
  });

  it("detaches the call if it is cut and nobody resumes it; the answer waits for the next connection", async () => {
    const hub = await startMcpHub();
    const { cut, headers, eventId, session } = await askResumably(hub);
    cut.abort();
    await until(async () => {
      await hub.clock.advance(3_000);
      return (await presence(hub, session.id)) === "away";
    });
    const late = await hub.post(undefined, { method: "GET", headers: { ...headers, "last-event-id": eventId } });
    expect((await sseStream(late).message()).result.content[0].text).toContain("ask again");
    await hub.desk.answer(session.id, yes);
    expect(await isDelivered(hub, session.id)).toBe(false);
    const again = sseStream(await hub.post(call(1), { headers: await initialize(hub, "2025-06-18") }));
    expect((await again.message()).result.structuredContent).toMatchObject({ answered: true, late: true, sessionId: session.id });
    await until(() => isDelivered(hub, session.id));
  });

  it("detaches the call at once if it cannot be resumed", async () => {
    const hub = await startMcpHub();
    const ask = modern(1, "tools/call", { name: "ask_user", arguments: question });
    for (const [message, headers] of [
      [call(1), await initialize(hub, "2025-06-18")],
      [ask.message, ask.headers],
    ] as const) {
      const cut = new AbortController();
      await hub.post(message, { headers, signal: cut.signal });
      const { id } = await hub.pending();
      await until(async () => (await presence(hub, id)) === "attached");
      cut.abort();
      await until(async () => (await presence(hub, id)) === "away");
      await hub.desk.cancel(id);
    }
  });

  it("ends with a result if its call is cancelled, so that the client does not try to resume it", async () => {
    const hub = await startMcpHub();
    const { stream, headers, session } = await askResumably(hub);
    await hub.post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { headers });
    expect(await stream.message()).toMatchObject({ id: 1, result: { isError: true } });
    await expect(stream.event()).rejects.toThrow("has ended");
    expect(await hub.desk.get(session.id)).toMatchObject({ status: "pending", presence: { asker: "away" } });
  });
});
