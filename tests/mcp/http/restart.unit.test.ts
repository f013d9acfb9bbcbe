import { AskboxError, memoryStore } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { testPlatform } from "@askbox/core/testing";
import { createToken, type MountContext } from "@askbox/hub";
import { type MountMcpOptions, mountMcp } from "@askbox/mcp-http";
import { expect, it } from "vitest";
import { untilHolds as until } from "../../support/until.ts";
import { askResumably, call, initialize, type McpHub, startMcpHub, yes } from "./hub.ts";
import { sseStream } from "./sse-stream.ts";

/** Hubs that replace one another on one store and its additional files. A write to those takes some turns of the event loop. */
function successiveHubs({ turns = 0 } = {}) {
  const platform = testPlatform();
  const tokens = { asker: createToken(), otherAsker: createToken(), desk: createToken() };
  const parts = { platform, store: memoryStore(), tokens };
  const memory = sharedMemory(platform.clock);
  const logged: { message: string; data: Record<string, unknown> }[] = [];
  return {
    logged,
    /** `kill` stops the hub's writes, like SIGKILL; the test closes its clients' connections. */
    async start(): Promise<McpHub & { kill(): void }> {
      let isDead = false;
      let isClosed = false;
      const values = memory.open();
      const alive = () => {
        if (isDead || isClosed) throw new AskboxError("STORE_UNAVAILABLE", "Gone.");
        return values;
      };
      const mcp: Partial<MountMcpOptions> = {
        openKept: async () => ({
          get: async (key) => alive().get(key),
          swap: async (...args) => {
            for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
            return alive().swap(...args);
          },
          close: async () => {
            isClosed = true;
          },
        }),
        log: (_level, message, data = {}) => void logged.push({ message, data }),
      };
      const hub = await startMcpHub({}, { ...parts, mcp });
      return {
        ...hub,
        kill: () => {
          isDead = true;
        },
      };
    },
  };
}

const ping = { jsonrpc: "2.0", id: 9, method: "ping" };
const resume = (hub: McpHub, headers: Record<string, string>, eventId: string) =>
  hub.post(undefined, { method: "GET", headers: { ...headers, "last-event-id": eventId } });

it.each(["2025-03-26", "2025-06-18", "2025-11-25"])(
  "a session of revision %s is served by the hub that replaces a killed one",
  async (revision) => {
    const hubs = successiveHubs();
    const first = await hubs.start();
    const headers = await initialize(first, revision);
    first.kill();
    const second = await hubs.start();
    expect(await sseStream(await second.post(ping, { headers })).message()).toEqual({ jsonrpc: "2.0", id: 9, result: {} });
    expect((await second.post(ping, { headers, as: "otherAsker" })).status).toBe(404);
    const asked = sseStream(await second.post(call(5), { headers }));
    await second.desk.answer((await second.pending()).id, yes);
    expect(await asked.message()).toMatchObject({ id: 5, result: { structuredContent: { answered: true } } });
  },
);

it("a call that was open when its hub was killed continues at the next, with one question and one result", async () => {
  const hubs = successiveHubs();
  const first = await hubs.start();
  const { cut, headers, eventId, session } = await askResumably(first);
  first.kill();
  cut.abort();
  const second = await hubs.start();
  const stream = sseStream(await resume(second, headers, eventId));
  await until(async () => (await second.desk.get(session.id)).presence.asker === "attached");
  await second.desk.answer(session.id, yes);
  expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true, sessionId: session.id } } });
  await until(async () => (await second.desk.get(session.id)).delivery.deliveredAt !== null);
  expect((await second.desk.list({ statuses: ["pending", "answered", "cancelled"] })).items).toHaveLength(1);
});

it("a hub that stops leaves its open calls to the next one before it closes what is kept for that", async () => {
  const hubs = successiveHubs({ turns: 100 });
  const first = await hubs.start();
  const { cut, headers, eventId, session } = await askResumably(first);
  cut.abort();
  await until(() => hubs.logged.some(({ data }) => data["isWhole"] === false));
  await first.close();
  const second = await hubs.start();
  const stream = sseStream(await resume(second, headers, eventId));
  await until(async () => (await second.desk.get(session.id)).presence.asker === "attached");
  await second.desk.answer(session.id, yes);
  expect(await stream.message()).toMatchObject({ id: 1, result: { structuredContent: { answered: true } } });
  expect(hubs.logged.map(({ message }) => message)).not.toContain("A call could not be stored for other hubs");
});

it("a hub that stops takes no more requests", async () => {
  const service = mountMcp({ version: "1.0.0", defaultTimeout: 1 })({ basePath: "", closing: AbortSignal.abort() } as MountContext);
  const request = new Request("http://hub/mcp", { method: "POST" });
  await expect(service.fetch(request)).rejects.toThrow("The hub is closing; send this again to the next one.");
});

it("an unknown call ends at once with a sentence when its client resumes it", async () => {
  const hubs = successiveHubs();
  const first = await hubs.start();
  const { cut, headers, eventId } = await askResumably(first);
  first.kill();
  cut.abort();
  const second = await hubs.start();
  // Longer than calls are kept, but shorter than sessions are.
  await second.clock.advance(700_000);
  const stream = sseStream(await resume(second, headers, eventId));
  expect(await stream.message()).toMatchObject({
    id: 1,
    result: { isError: true, content: [{ text: expect.stringMatching(/^Failed: .* ask again to keep waiting\.$/) }] },
  });
});

it("a client that ends its session leaves nothing behind for the next hub", async () => {
  const hubs = successiveHubs();
  const first = await hubs.start();
  const headers = await initialize(first, "2025-11-25");
  expect((await first.post(undefined, { method: "DELETE", headers })).status).toBe(200);
  const second = await hubs.start();
  expect((await second.post(ping, { headers })).status).toBe(404);
});

it("each request is logged at its start and end, without tokens or questions", async () => {
  const hubs = successiveHubs();
  const hub = await hubs.start();
  const headers = await initialize(hub, "2025-11-25");
  const stream = sseStream(await hub.post(call(5), { headers }));
  await hub.desk.answer((await hub.pending()).id, yes);
  await stream.message();
  const what = { request: "POST /mcp", asked: "tools/call", id: "5", tool: "ask_user", session: headers["mcp-session-id"]?.slice(0, 8) };
  await until(() => hubs.logged.some(({ message, data }) => message === "An MCP request ended" && data["id"] === "5"));
  expect(hubs.logged).toContainEqual({ message: "An MCP request began", data: what });
  expect(hubs.logged).toContainEqual({
    message: "An MCP request ended",
    data: { ...what, status: 200, isWhole: true, ms: expect.any(Number) },
  });
  for (const secret of [hub.tokens.asker, headers["mcp-session-id"], "Shall we?"])
    expect(JSON.stringify(hubs.logged)).not.toContain(secret);
});
