import { request } from "node:http";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type AttackedHub, attackedHub } from "./support/attacked-hub.ts";

const open = new Set<{ destroy(): void }>();
afterEach(() => {
  for (const each of open) each.destroy();
  open.clear();
});

/** A POST that stays open if the hub holds it. */
function post({ url, tokens }: AttackedHub, path: string, body: string): void {
  const sent = request(new URL(path, url), {
    ...{ method: "POST", agent: false },
    headers: { authorization: `Bearer ${tokens.asker}`, "content-type": "application/json" },
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
