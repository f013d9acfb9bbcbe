import { describe, expect, it } from "vitest";
import { call, initialize, modern, question, startMcpHub, yes } from "./hub.ts";
import { sseStream } from "./sse-stream.ts";

describe("MCP over HTTP", () => {
  it.each(["2025-03-26", "2025-06-18", "2025-11-25"])("serves revision %s with a session", async (revision) => {
    const hub = await startMcpHub();
    const headers = await initialize(hub, revision);
    expect(headers).toMatchObject({ "mcp-protocol-version": revision, "mcp-session-id": expect.stringMatching(/\w{20}/) });
    const stream = sseStream(await hub.post(call(1), { headers }));
    const session = await hub.pending();
    await hub.desk.answer(session.id, yes);
    expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true, answers: yes.answers } } });
  });

  it("serves revision 2026-07-28 without a session", async () => {
    const hub = await startMcpHub();
    const discover = modern(1, "server/discover");
    const discovered = await hub.post(discover.message, { headers: discover.headers });
    expect(await discovered.json()).toMatchObject({ result: { supportedVersions: ["2026-07-28"] } });
    expect(discovered.headers.get("mcp-session-id")).toBeNull();
    const ask = modern(2, "tools/call", { name: "ask_user", arguments: question });
    const stream = sseStream(await hub.post(ask.message, { headers: ask.headers }));
    const session = await hub.pending();
    expect(session.asker.client).toEqual({ name: "raw", version: "1" });
    await hub.desk.answer(session.id, yes);
    expect(await stream.message()).toMatchObject({ id: 2, result: { structuredContent: { answered: true } } });
  });

  it("answers with plain JSON and an HTTP status if nobody has to be asked, since revision 2026-07-28", async () => {
    const hub = await startMcpHub();
    for (const [method, status, code] of [
      ["tools/list", 200, undefined],
      ["no/such", 404, -32_601],
      ["ping", 404, -32_601],
    ] as const) {
      const { message, headers } = modern(1, method);
      const response = await hub.post(message, { headers });
      expect([response.status, response.headers.get("content-type"), (await response.json()).error?.code]).toEqual([
        status,
        "application/json",
        code,
      ]);
    }
  });

  it("lists tools with references only to a client that is known to read them, in every revision", async () => {
    const hub = await startMcpHub();
    for (const [name, hasReferences] of [
      ["raw", false],
      ["opencode", true],
    ] as const) {
      const list = modern(1, "tools/list", {}, { "io.modelcontextprotocol/clientInfo": { name, version: "1" } });
      const listed = [await (await hub.post(list.message, { headers: list.headers })).text()];
      for (const revision of ["2025-03-26", "2025-06-18", "2025-11-25"]) {
        const headers = await initialize(hub, revision, {}, name);
        const stream = sseStream(await hub.post({ jsonrpc: "2.0", id: 1, method: "tools/list" }, { headers }));
        listed.push(JSON.stringify(await stream.message()));
      }
      for (const tools of listed) expect([tools.includes("allowOther"), tools.includes("$ref")]).toEqual([true, hasReferences]);
    }
  });

  it("streams from the start, before anybody has answered and without a progress token", async () => {
    const hub = await startMcpHub();
    const ask = modern(1, "tools/call", { name: "ask_user", arguments: question });
    for (const [message, headers] of [
      [call(1), await initialize(hub, "2025-06-18")],
      [ask.message, ask.headers],
    ] as const) {
      const response = await hub.post(message, { headers });
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      const { value } = (await response.body?.getReader().read()) ?? {};
      expect(new TextDecoder().decode(value)).toContain(": askbox\n");
      const { id } = await hub.pending();
      await hub.desk.cancel(id);
    }
  });

  it("sends progress at least every 15 s to a call that requests it", async () => {
    const hub = await startMcpHub();
    const headers = await initialize(hub, "2025-06-18");
    const stream = sseStream(await hub.post(call(1, { progressToken: "p" }), { headers }));
    const { id } = await hub.pending();
    const progress = async () => {
      const { method, params } = await stream.message();
      expect({ method, token: params.progressToken }).toEqual({ method: "notifications/progress", token: "p" });
      return params.progress;
    };
    let last = await progress();
    while (!stream.text().includes(id.slice(0, 8))) last = await progress();
    for (let turn = 0; turn < 3; turn += 1) {
      await hub.clock.advance(15_000);
      const next = await progress();
      expect(next).toBeGreaterThan(last);
      last = next;
    }
    await hub.desk.cancel(id);
  });

  it("ends a session when its client deletes it, and rejects ended, unknown and foreign ones", async () => {
    const hub = await startMcpHub();
    const headers = await initialize(hub, "2025-11-25");
    expect((await hub.post(call(1), { headers, as: "otherAsker" })).status).toBe(404);
    expect((await hub.post(call(1), { headers: { ...headers, "mcp-session-id": "none" } })).status).toBe(404);
    expect((await hub.post(undefined, { method: "DELETE", headers })).status).toBe(200);
    expect((await hub.post(call(1), { headers })).status).toBe(404);
  });

  it("explains how to start to a message without a session, and what to use instead of GET", async () => {
    const hub = await startMcpHub();
    const early = await hub.post(call(1));
    expect([early.status, (await early.json()).error.message]).toEqual([400, expect.stringContaining("Begin with initialize")]);
    const get = await hub.post(undefined, { method: "GET" });
    expect([get.status, get.headers.get("allow")]).toEqual([405, "GET, POST, DELETE"]);
  });

  it("notifies waiting calls when the hub stops; their questions stay", async () => {
    const hub = await startMcpHub();
    const headers = await initialize(hub, "2025-11-25");
    const stream = sseStream(await hub.post(call(1), { headers }));
    const { id } = await hub.pending();
    await hub.close();
    const { result } = await stream.message();
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining(`sessionId ${id}`) }] });
    expect((await hub.desk.get(id)).status).toBe("pending");
  });
});
