import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rounds, timeout } from "../faults/support/rounds.ts";
import { type AttackedHub, attackedHub } from "./support/attacked-hub.ts";

const open = new Set<{ destroy(): void }>();
afterEach(() => {
  for (const each of open) each.destroy();
  open.clear();
});

/** A POST that stays open if the hub holds it. */
function post({ url, tokens }: AttackedHub, path: string, body: string, headers: Record<string, string> = {}): void {
  const sent = request(new URL(path, url), {
    method: "POST",
    agent: false,
    headers: { authorization: `Bearer ${tokens.asker}`, "content-type": "application/json", ...headers },
  });
  open.add(sent.on("error", () => {}).on("response", (response) => void response.resume()));
  sent.end(body);
}

async function socketOf({ url, tokens }: AttackedHub): Promise<WebSocket | undefined> {
  const socket = new WebSocket(new URL("/ws", url.href.replace("http", "ws")));
  open.add({ destroy: () => socket.terminate() });
  socket.on("error", () => {});
  const hello = { protocol: 2, token: tokens.asker, role: "asker", agent: { name: "x", version: "1" } };
  socket.once("open", () => socket.send(JSON.stringify({ hello })));
  await new Promise((resolve) => socket.once("message", resolve).once("close", resolve));
  return socket.readyState === WebSocket.OPEN ? socket : undefined;
}

// promise: held-bytes-bounded
test("one asker token costs a hub at most 200 MB of memory: by hooks, follows and unfinished messages together", async () => {
  const hub = await attackedHub();
  const sessions = Array.from({ length: 500 }, (_, each) => `${each}.${"x".repeat(480)}`);
  const follows = JSON.stringify({ type: "follows", sessions });
  const tool = { tool_name: "Bash", tool_input: { command: `echo ${"x".repeat(185_000)}` } };
  const event = JSON.stringify({ hook_event_name: "PermissionRequest", session_id: "s", cwd: hub.home.folder, ...tool });
  const piece = Buffer.alloc(65_000, 0x20);
  for (let round = 0; round < 60; round += 1) {
    for (let index = 0; index < 3; index += 1) {
      post(hub, "/hooks/codex/socket", follows);
      post(hub, "/hooks/claude-code", event);
    }
    void socketOf(hub).then((socket) => {
      for (let sent = 0; sent < 3_900_000; sent += piece.length) socket?.send(piece, { binary: false, fin: false });
    });
    // A person's request in between keeps the pace that of the hub.
    if (round % 10 === 9) expect((await hub.fetch("/api/sessions?limit=1", { as: "desk" })).status).toBe(200);
  }
  expect((await hub.cost()).memory).toBeLessThan(200);
});

interface Flood {
  hub: AttackedHub;
  /** A pending session with a large preview. */
  id: string;
}

/** Each is called many times. */
const floods: Record<string, (flood: Flood) => unknown> = {
  "equal hook events": ({ hub }) => {
    const tool = { tool_name: "Bash", tool_input: { command: `echo ${"x".repeat(100_000)}` } };
    const event = { hook_event_name: "PermissionRequest", session_id: "s", cwd: hub.home.folder, ...tool };
    for (let sent = 0; sent < 2; sent += 1) post(hub, "/hooks/claude-code", JSON.stringify(event));
  },
  "calls with junk": ({ hub, id }) => {
    const name = "get_answer";
    const version = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const _meta = { ...version, "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" } };
    const params = { name, arguments: { session_id: id, junk: "é".repeat(115_000) }, _meta };
    const headers = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    for (let sent = 0; sent < 4; sent += 1) post(hub, "/mcp?tools=ask_user", call, { ...headers, "mcp-name": name });
  },
  "unread responses": ({ hub: { url, tokens }, id }) => {
    const get = `GET /api/sessions/${id} HTTP/1.1\r\nHost: ${url.host}\r\nAuthorization: Bearer ${tokens.asker}\r\n\r\n`;
    for (let opened = 0; opened < 5; opened += 1) {
      const socket = connect(Number(url.port), url.hostname).pause();
      open.add(socket.on("error", () => {}));
      socket.write(get.repeat(20));
    }
  },
  "waiting calls and unread replies": async ({ hub, id }) => {
    const socket = await socketOf(hub);
    socket?.pause();
    const params = { sessionId: id, asker: { client: { name: "rest" } } };
    for (let call = 0; call < 200; call += 1) {
      socket?.send(JSON.stringify({ id: call, method: "resume", params: call < 20 ? { ...params, maxWait: 0 } : params }));
    }
  },
};

// promise: held-bytes-bounded
test.each(Object.entries(floods))(
  "a flood of one token costs at most 200 MB and keeps nobody waiting: %s",
  { tags: "nightly", timeout },
  async (_, flood) => {
    const hub = await attackedHub();
    const body = { questions: [{ question: "One?", options: [{ label: "A", preview: "x".repeat(200_000) }, { label: "B" }] }] };
    const { id } = (await (await hub.fetch("/api/sessions", { as: "asker", method: "POST", body })).json()) as { id: string };
    const times: number[] = [];
    for (let round = 0; round < rounds(30); round += 1) {
      void flood({ hub, id });
      if (round % 3 !== 2) continue;
      times.push(await hub.wait("/api/sessions?limit=1"));
    }
    const { memory, stall } = await hub.cost();
    expect(memory).toBeLessThan(200);
    expect(stall).toBeLessThan(3_000);
    expect(Math.min(...times)).toBeLessThan(1_000);
  },
);
