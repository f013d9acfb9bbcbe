import { tmpdir } from "node:os";
import { type Clock, memoryStore, type SharedState } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { fakeClock, testPlatform } from "@askbox/core/testing";
import { describe, expect, it } from "vitest";
import { ask, startHub, type TestHub, until } from "./support.ts";

/** Two hubs that share state, with one clock; `other` belongs to another team on the same Redis. */
async function aCluster(limits = {}) {
  const clock: Clock = testPlatform().clock;
  const memory = sharedMemory(clock);
  const store = memoryStore();
  // The page needs no real files: any folder will do.
  const start = (shared: SharedState, name: string) => startHub({ store, cluster: { shared, name }, web: tmpdir(), limits });
  const [a, b] = [await start(memory.open(), "team"), await start(memory.open(), "team")];
  const other = await startHub({ cluster: { shared: sharedMemory(fakeClock()).open(), name: "other" }, web: tmpdir(), limits });
  return { a, b, other };
}

async function logIn(maker: TestHub, taker = maker) {
  const { body } = await maker.call("POST", "/auth/codes", { as: "desk" });
  const {
    status,
    body: login,
    headers,
  } = await taker.call("POST", "/auth/login", { body: { code: body.code, device: "Firefox on Linux" } });
  const cookie = String(headers["set-cookie"]?.[0]).split(";")[0] ?? "";
  return {
    status,
    code: body.code as string,
    id: login.device?.id as string,
    headers: { cookie, authorization: `Bearer ${login.secret}` },
  };
}

describe("hubs that share an inbox", () => {
  it("accept each other's login links, and each other's browsers", async () => {
    const { a, b } = await aCluster();
    const { status, headers } = await logIn(a, b);
    expect(status).toBe(200);
    for (const hub of [a, b]) expect((await hub.call("GET", "/api/sessions", { headers })).status).toBe(200);
  });

  it("know the person whom a link was made for", async () => {
    const { a, b } = await aCluster();
    const { code } = a.hub.createLogin({ person: "Ada" });
    await until(async () => (await b.call("POST", "/auth/login", { body: { code } })).status === 200);
    const { items } = (await a.call("GET", "/auth/devices", { as: "desk" })).body;
    expect(items).toMatchObject([{ person: "Ada" }]);
  });

  it("accept a link once, at any of them", async () => {
    const { a, b } = await aCluster();
    const { body } = await a.call("POST", "/auth/codes", { as: "desk" });
    const tries = [a, b, a, b].map((hub) => hub.call("POST", "/auth/login", { body: { code: body.code } }));
    expect((await Promise.all(tries)).map(({ status }) => status).sort()).toEqual([200, 410, 410, 410]);
  });

  it("log a browser out everywhere, and close its connections", async () => {
    const { a, b } = await aCluster();
    const { id, headers } = await logIn(a);
    const page = b.connect("desk", { token: headers.authorization.slice(7), headers });
    await page.ready();
    expect((await a.call("DELETE", `/auth/devices/${id}`, { as: "desk" })).status).toBe(204);
    expect((await b.call("GET", "/api/sessions", { headers })).status).toBe(401);
    await until(() => b.hub.connections.desks.length === 0);
    expect((await a.call("GET", "/auth/devices", { as: "desk" })).body.items).toEqual([]);
  });

  it("store the browsers that log in at both at the same moment", async () => {
    const { a, b } = await aCluster();
    const logins = await Promise.all([a, b, a, b].map((hub) => logIn(hub)));
    const { items } = (await b.call("GET", "/auth/devices", { as: "desk" })).body;
    expect(items.map(({ id }: { id: string }) => id).sort()).toEqual(logins.map(({ id }) => id).sort());
  });

  it("accept each other's named tokens, reject one that any of them revoked, and close its connections", async () => {
    const { a, b } = await aCluster();
    const { body } = await a.call("POST", "/api/tokens", { as: "desk", body: { name: "ci", scope: "asker" } });
    const headers = { authorization: `Bearer ${body.token}` };
    expect((await b.call("POST", "/api/sessions", { headers, body: ask })).status).toBe(201);
    expect((await b.call("POST", "/api/tokens", { as: "desk", body: { name: "ci", scope: "desk" } })).status).toBe(409);
    const agent = b.connect("asker", { token: body.token });
    await agent.ready();
    expect((await a.call("DELETE", "/api/tokens/ci", { as: "desk" })).status).toBe(200);
    expect((await b.call("POST", "/api/sessions", { headers, body: ask })).status).toBe(401);
    await until(() => b.hub.connections.askers === 0);
  });

  it("count asks and login attempts together", async () => {
    const { a, b } = await aCluster({ asksPerMinute: 4 });
    const asks = [a, b, a, b, a, b].map((hub) => () => hub.call("POST", "/api/sessions", { as: "asker", body: ask }));
    const statuses: number[] = [];
    for (const next of asks) statuses.push((await next()).status);
    expect(statuses).toEqual([201, 201, 201, 201, 429, 429]);
    const attempts: number[] = [];
    for (let round = 0; round < 21; round += 1) {
      attempts.push((await (round % 2 === 0 ? a : b).call("POST", "/auth/login", { body: { code: "wrong" } })).status);
    }
    expect(attempts.filter((status) => status === 401)).toHaveLength(20);
    expect(attempts.at(-1)).toBe(429);
  });

  it("do not accept another team's browsers, links and tokens", async () => {
    const { a, other } = await aCluster();
    const { headers } = await logIn(a);
    const { body: link } = await a.call("POST", "/auth/codes", { as: "desk" });
    const { body: named } = await a.call("POST", "/api/tokens", { as: "desk", body: { name: "ci", scope: "desk" } });
    expect((await other.call("GET", "/api/sessions", { headers })).status).toBe(401);
    expect((await other.call("POST", "/auth/login", { body: { code: link.code } })).status).toBe(401);
    expect((await other.call("GET", "/api/sessions", { headers: { authorization: `Bearer ${named.token}` } })).status).toBe(401);
    expect((await other.call("GET", "/api/tokens", { as: "desk" })).body.items).toEqual([]);
  });

  it("reject browsers and named tokens while the shared state is unavailable, but not as invalid", async () => {
    const shared = sharedMemory(testPlatform().clock).open();
    const hub = await startHub({ cluster: { shared, name: "team" }, web: tmpdir() });
    const { headers } = await logIn(hub);
    await shared.close();
    expect((await hub.call("GET", "/api/sessions", { headers })).status).toBe(503);
    expect((await hub.call("GET", "/api/sessions", { as: "desk" })).status, "the hub's own token").toBe(200);
  });
});
