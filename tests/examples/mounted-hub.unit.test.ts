import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Broker, createBroker, memoryStore, type SessionStore, standardPlatform } from "@askbox/core";
import { createToken, type Hub } from "@askbox/hub";
import { createWireClient, openWebSocket } from "@askbox/wire";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createExpressServer } from "../../examples/mounted-hub/express.ts";
import { createHonoServer } from "../../examples/mounted-hub/hono.ts";
import { createNodeServer } from "../../examples/mounted-hub/node.ts";
import { pendingSessions } from "../mcp/harness/inbox.ts";
import { connect, ways, yes } from "../mcp/harness/revisions.ts";

type Start = (broker: Broker, token: string) => { server: Pick<Server, "listen" | "address" | "close">; hub: Hub };

const starts: Readonly<Record<string, Start>> = {
  "Node's own server": createNodeServer,
  "a Hono app": createHonoServer,
  "an Express app": (broker, agentToken) => createExpressServer(broker, { agentToken, secret: "signs cookies" }),
};

async function start(create: Start) {
  const store: SessionStore = memoryStore();
  const broker = await createBroker({ store, ...standardPlatform(globalThis) });
  const token = createToken();
  const { server, hub } = create(broker, token);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    await hub.close();
    server.close();
    await broker.close();
  });
  const desk = broker.desk({ surface: "api" });
  const call = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { "content-type": "application/json", authorization: `Bearer ${token}` } });
  return {
    url,
    token,
    store,
    hub,
    broker,
    desk,
    call,
    nextSession: await pendingSessions(desk),
    origin: `${url}/askbox/`,
    onFinished: (end: () => Promise<void>) => onTestFinished(end),
  };
}

describe.each(Object.entries(starts))("a hub in %s", (_, create) => {
  it.each(ways)(
    "serves MCP of revision $revision to SDK $sdk, knows the client's name, and counts the answer as delivered",
    async (way) => {
      const { store, desk, nextSession, ...place } = await start(create);
      const ask = await connect(way, place);
      const asked = ask({});
      const session = await nextSession();
      expect(session.asker.client.name).toBe("some-client");
      await desk.answer(session.id, yes);
      expect(await asked).toMatchObject({ answered: true });
      await expect.poll(async () => (await store.get(session.id))?.delivery.deliveredAt).toBeTypeOf("number");
    },
  );

  it("serves REST below its path, next to the program's own routes", async () => {
    const { call, desk, store } = await start(create);
    expect(await (await call("/")).text()).toMatch(/own page|Hello, stranger/);
    const asked = await call("/askbox/api/sessions", {
      method: "POST",
      body: JSON.stringify({ questions: [{ id: "a", question: "Deploy?" }] }),
    });
    expect(asked.status).toBe(201);
    const at = asked.headers.get("location") ?? "";
    const { id } = await asked.json();
    expect(at).toBe(`/askbox/api/sessions/${id}`);
    await desk.answer(id, yes);
    expect(await (await call(at)).json()).toMatchObject({ answered: true });
    await expect.poll(async () => (await store.get(id))?.delivery.deliveredAt).toBeTypeOf("number");
  });
});

describe("the Express app's sessions", () => {
  it("let logged-in users answer, over REST and the wire, in their own name", async () => {
    const { url, call, broker } = await start(starts["an Express app"] as Start);
    const login = await fetch(`${url}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Ada" }),
    });
    const [cookie = ""] = (login.headers.get("set-cookie") ?? "").split(";");
    const client = createWireClient({
      connect: () => openWebSocket(new WebSocket(`${url.replace("http", "ws")}/askbox/ws`, { headers: { cookie } })),
      hello: { token: "", role: "desk", surface: "web", agent: { name: "page", version: "1" } },
      ...standardPlatform(globalThis),
    });
    onTestFinished(() => client.close());
    const ask = { method: "POST", body: JSON.stringify({ questions: [{ id: "a", question: "Deploy?" }] }) };
    const { id } = await (await call("/askbox/api/sessions", ask)).json();
    await client.desk.answer(id, yes);
    const desk = broker.desk({ surface: "api" });
    expect((await desk.get(id)).outcome).toMatchObject({ by: { surface: "web", name: "Ada" } });
    const other = await (await call("/askbox/api/sessions", ask)).json();
    const answered = await fetch(`${url}/askbox/api/sessions/${other.id}/answer`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(yes),
    });
    expect((await answered.json()).outcome).toMatchObject({ by: { surface: "api", name: "Ada" } });
    expect((await fetch(`${url}/askbox/api/sessions`, { headers: { cookie: "connect.sid=s%3Aforged.x" } })).status).toBe(401);
  });
});
