import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { hubInbox } from "../src/approvals/hub-inbox.ts";

interface Hold {
  sessions: string[];
  /** The sessions that were followed when this request arrived. */
  followed: string[];
}

/** A hub that holds the requests that name sessions, and ends a follower's last one when its next one is there. */
async function hubForFollowers() {
  const holds: Hold[] = [];
  const open = new Map<string, { sessions: string[]; end(): void }>();
  const server = createServer(async (request: IncomingMessage, response) => {
    if (request.url?.startsWith("/healthz")) {
      response.end(JSON.stringify({ status: "ok", instance: "one", version: "1.0.0" }));
      return;
    }
    const { sessions, follower } = JSON.parse(await text(request));
    const before = open.get(follower);
    holds.push({ sessions, followed: before?.sessions ?? [] });
    const mine = { sessions, end: () => response.writeHead(204).end() };
    open.set(follower, mine);
    response.on("close", () => open.get(follower) === mine && open.delete(follower));
    before?.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, holds };
}

test("sessions stay followed while the request that names them is replaced, so that no hook in between asks again", async () => {
  const { url, holds } = await hubForFollowers();
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const inbox = hubInbox({
    env: { ASKBOX_HUB: url, ASKBOX_TOKEN: "abx_some-token" },
    hub: undefined,
    tokenFile: undefined,
    log: () => {},
    signal: gone.signal,
  });
  const named = [["a"], ["a", "b"], ["a", "b", "c"], ["a"]];
  for (const [index, sessions] of named.entries()) {
    inbox.follows(sessions);
    await expect.poll(() => holds.length, { timeout: 10_000 }).toBe(index + 1);
  }
  expect(holds).toEqual(named.map((sessions, index) => ({ sessions, followed: named[index - 1] ?? [] })));
});
