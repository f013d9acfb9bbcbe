import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLog, standardPlatform } from "@askbox/core";
import { createAskServer } from "@askbox/mcp";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { expect, onTestFinished, test } from "vitest";
import { rawAgent } from "../../../../tests/mcp/harness/raw-agent.ts";
import { eventsClient } from "../../../../tests/mcp/http/events-client.ts";
import { startMcpHub } from "../../../../tests/mcp/http/hub.ts";
import { offersEvents } from "../src/environment.ts";
import { hubEvents } from "../src/events.ts";

/** An agent on stdio whose server passes the requests on to a hub. */
async function onStdio(mcp: { events: boolean }) {
  const hub = await startMcpHub({}, { mcp });
  const info = { client: { name: "stdio-client" }, project: "/home/zo\u00eb/\u5de5\u4f5c", agentId: "builder" };
  const server = createAskServer({
    // Its connection for questions has no part in this.
    asker: async () => ({}) as never,
    identity: async () => info,
    platform: standardPlatform(globalThis),
    version: "0.0.0",
    events: hubEvents({ role: "asker", env: { ASKBOX_TOKEN: hub.tokens.asker }, hubUrl: hub.url }),
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const handle = serveStdio(server.factory, { transport: far });
  const agent = await rawAgent(near, info.client.name);
  onTestFinished(() => agent.close().then(() => handle.close()));
  return { hub, agent };
}

test("an agent on stdio gets the events of the hub, of its own questions, in its own name", async () => {
  const { hub, agent } = await onStdio({ events: true });
  const poll = async (cursor: unknown) => (await agent.request("events/poll", { name: "question.changed", cursor })).result ?? {};
  expect(await agent.request("events/list", {})).toMatchObject({ result: { events: [{ name: "question.changed", delivery: ["poll"] }] } });
  const first = await poll(null);
  const query = new URLSearchParams({ agent: "builder", project: "/home/zo\u00eb/\u5de5\u4f5c" });
  const own = await eventsClient(hub, { clientName: "stdio-client", path: `/mcp?${query}` }).ask();
  const other = await eventsClient(hub, { clientName: "stdio-client", path: "/mcp?agent=tester" }).ask();
  for (const id of [own, other]) await hub.desk.cancel(id);
  expect((await poll(first["cursor"]))["events"]).toMatchObject([{ data: { sessionId: own, status: "cancelled" } }]);
});

test("what the hub refuses is refused with its code, also where the hub has no events", async () => {
  const { agent } = await onStdio({ events: true });
  expect(await agent.request("events/poll", { name: "x" })).toMatchObject({ error: { code: -32_023, data: { kind: "event" } } });
  const { agent: another } = await onStdio({ events: false });
  expect(await another.request("events/list", {})).toMatchObject({ error: { code: -32_601 } });
});

test("events are only offered where the config of the machine says so", async () => {
  const home = mkdtempSync(join(tmpdir(), "askbox-events-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const offered = () => offersEvents({ ASKBOX_HOME: home }, silentLog);
  expect(await offered()).toBe(false);
  const write = (settings: object) => writeFileSync(join(home, "config.json"), JSON.stringify(settings), { mode: 0o600 });
  write({ undo: 0 });
  expect(await offered()).toBe(false);
  write({ mcpEvents: "poll" });
  expect(await offered()).toBe(true);
});
