import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Broker, createBroker, memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { createHttpHandler, type HttpHandler } from "@askbox/mcp/http";
import { getRequestListener, serve } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished } from "vitest";
import { pendingSessions } from "./harness/inbox.ts";
import { connect, ways, yes } from "./harness/revisions.ts";

const token = "secret";

/** Identifies the sender of a request, as a program that mounts the handler would. */
const authInfoOf = (request: Request) =>
  request.headers.get("authorization") === `Bearer ${token}` ? { token: "", clientId: "agents", scopes: [] } : undefined;

const answer = async (handler: HttpHandler, request: Request) => {
  const authInfo = authInfoOf(request);
  return authInfo === undefined ? new Response("Show a token.", { status: 401 }) : handler.fetch(request, { authInfo });
};

/** Third-party servers, each with the handler mounted; they resolve with its address. */
const servers: Readonly<Record<string, (handler: HttpHandler) => Promise<string>>> = {
  async "Node's own server"(handler) {
    const server = createServer(getRequestListener((request) => answer(handler, request)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  },
  async "a Hono app, below a path of its own"(handler) {
    const app = new Hono();
    app.get("/", (c) => c.text("the app's own"));
    app.all("/agents/*", (c) => answer(handler, c.req.raw));
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => resolve(`http://127.0.0.1:${port}/agents/`));
      onTestFinished(() => void server.close());
    });
  },
};

async function start(mount: (handler: HttpHandler) => Promise<string>) {
  const platform = testPlatform();
  const store = memoryStore();
  const broker: Broker = await createBroker({ store, ...platform });
  const handler = createHttpHandler({ asker: ({ owner }) => broker.asker(owner), platform, version: "1.0.0" });
  const origin = await mount(handler);
  onTestFinished(async () => {
    await handler.close();
    await broker.close();
  });
  const desk = broker.desk({ surface: "api" });
  return {
    origin,
    token,
    store,
    desk,
    handler,
    nextSession: await pendingSessions(desk),
    onFinished: (end: () => Promise<void>) => onTestFinished(end),
  };
}

describe.each(Object.entries(servers))("MCP over HTTP on %s", (_, mount) => {
  it.each(ways)("asks by revision $revision with SDK $sdk, knows the client's name, and counts the answer as delivered", async (way) => {
    const { store, desk, nextSession, ...place } = await start(mount);
    const ask = await connect(way, place);
    const asked = ask({});
    const session = await nextSession();
    expect(session.asker.client.name).toBe("some-client");
    await desk.answer(session.id, yes);
    expect(await asked).toMatchObject({ answered: true });
    await expect.poll(async () => (await store.get(session.id))?.delivery.deliveredAt).toBeTypeOf("number");
  });

  it("ends waiting calls with a result when the handler closes, and their questions stay open", async () => {
    const { desk, handler, nextSession, ...place } = await start(mount);
    const ask = await connect({ sdk: "v2", revision: "2026-07-28" }, place);
    const asked = ask({});
    const session = await nextSession();
    await handler.close();
    // A failure only has text; a call that was cut would reject.
    expect(await asked).toBeUndefined();
    expect((await desk.get(session.id)).status).toBe("pending");
  });

  it("rejects everyone whom its program does not authenticate", async () => {
    const { origin } = await start(mount);
    expect((await fetch(new URL("mcp", origin), { method: "POST", body: "{}" })).status).toBe(401);
  });
});

describe("the handler on its own", () => {
  it("rejects a body that is too large, and an invalid URL, as JSON-RPC errors", async () => {
    const { handler } = await start(async () => "");
    const post = (path: string, body: string) =>
      handler.fetch(new Request(`http://here/${path}`, { method: "POST", headers: { "content-type": "application/json" }, body }));
    const large = await post("mcp", JSON.stringify("x".repeat(262_144)));
    expect([large.status, await large.json()]).toEqual([
      413,
      expect.objectContaining({ error: expect.objectContaining({ message: expect.stringContaining("262144") }) }),
    ]);
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" } },
    };
    expect((await post("mcp?timeout=never", JSON.stringify(initialize))).status).toBe(400);
  });
});
