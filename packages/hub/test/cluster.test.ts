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

  it.each([
    [
      "a browser",
      async (hub: TestHub, headers: Record<string, string>) => {
        const { body } = await hub.call("POST", "/auth/codes", { headers });
        return (revoke: () => void) => {
          revoke();
          return hub.call("POST", "/auth/login", { body: { code: body.code } });
        };
      },
    ],
    [
      "a token",
      async (hub: TestHub, headers: Record<string, string>) => (revoke: () => void) => {
        revoke();
        return hub.call("POST", "/api/tokens", { headers, body: { name: "second", scope: "desk" } });
      },
    ],
  ])("let in nobody by a token that another revokes at that moment: %s", async (_, prepare) => {
    const memory = sharedMemory(testPlatform().clock);
    const store = memoryStore();
    const first = memory.open();
    let before = async () => {};
    const shared: SharedState = {
      ...first,
      async swap(key, ...change) {
        if (key === "devices" || key === "named-tokens") {
          const now = before;
          before = async () => {};
          await now();
        }
        return first.swap(key, ...change);
      },
    };
    const a = await startHub({ store, cluster: { shared, name: "team" }, web: tmpdir() });
    const b = await startHub({ store, cluster: { shared: memory.open(), name: "team" }, web: tmpdir() });
    const { body } = await a.call("POST", "/api/tokens", { as: "desk", body: { name: "ada", scope: "desk" } });
    const give = await prepare(a, { authorization: `Bearer ${body.token}` });
    const { status } = await give(() => {
      before = async () => void (await b.call("DELETE", "/api/tokens/ada", { as: "desk" }));
    });
    expect(status).toBe(401);
    for (const hub of [a, b]) {
      expect((await hub.call("GET", "/auth/devices", { as: "desk" })).body.items).toEqual([]);
      expect((await hub.call("GET", "/api/tokens", { as: "desk" })).body.items).toEqual([]);
    }
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

  /** Counts what reads and writes the whole list under a key. */
  function counting(shared: SharedState, key: string) {
    const count = { reads: 0, writes: 0 };
    const hooks = { beforeWrite: async () => {} };
    const counted: SharedState = {
      ...shared,
      async get(asked) {
        if (asked === key) count.reads += 1;
        return shared.get(asked);
      },
      async getNewer(asked, version) {
        const newer = await shared.getNewer?.(asked, version);
        if (asked === key && newer !== undefined) count.reads += 1;
        return newer;
      },
      async swap(asked, ...rest) {
        if (asked === key) {
          count.writes += 1;
          await hooks.beforeWrite();
        }
        return shared.swap(asked, ...rest);
      },
    };
    return { counted, count, hooks };
  }

  it("read the named tokens only after a change, and write their last uses together", async () => {
    const clock = fakeClock();
    const memory = sharedMemory(clock);
    const { counted, count } = counting(memory.open(), "named-tokens");
    const platform = { ...testPlatform(), clock };
    const hub = await startHub({ cluster: { shared: counted, name: "team" }, platform });
    const other = await startHub({ cluster: { shared: memory.open(), name: "team" }, platform });
    const tokens: string[] = [];
    for (let number = 0; number < 30; number += 1) {
      tokens.push((await hub.call("POST", "/api/tokens", { as: "desk", body: { name: `agent-${number}`, scope: "desk" } })).body.token);
    }
    const all = async () => {
      for (const token of tokens) {
        expect((await hub.call("GET", "/api/sessions?limit=1", { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
      }
    };
    const lastUses = async (from: TestHub) =>
      new Set((await from.call("GET", "/api/tokens", { as: "desk" })).body.items.map((item: { lastUsedAt: number }) => item.lastUsedAt));
    for (let window = 0; window < 2; window += 1) {
      Object.assign(count, { reads: 0, writes: 0 });
      await all();
      await all();
      expect(count, "before the uses are saved").toEqual({ reads: 0, writes: 0 });
      const used = Math.floor(clock.now() / 600_000) * 600_000;
      expect(await lastUses(hub), "known at once where it was used").toEqual(new Set([used]));
      await clock.advance(60_000);
      expect(count.writes, "all uses in one write").toBe(1);
      expect(await lastUses(other)).toEqual(new Set([used]));
      await all();
      expect(count.reads).toBeLessThanOrEqual(3);
      await clock.advance(600_000);
    }
  });

  it("read the browsers only after a change, and do not log one in again that another hub has logged out", async () => {
    const clock = fakeClock();
    const memory = sharedMemory(clock);
    const { counted, count, hooks } = counting(memory.open(), "devices");
    const platform = { ...testPlatform(), clock };
    const a = await startHub({ cluster: { shared: counted, name: "team" }, platform, web: tmpdir() });
    const b = await startHub({ cluster: { shared: memory.open(), name: "team" }, platform, web: tmpdir() });
    const [first, second] = [await logIn(a), await logIn(a)];
    const use = async (hub: TestHub, { headers }: { headers: Record<string, string> }) =>
      (await hub.call("GET", "/api/sessions?limit=1", { headers })).status;
    await use(a, first);
    Object.assign(count, { reads: 0, writes: 0 });
    for (let times = 0; times < 20; times += 1) expect(await use(a, times % 2 === 0 ? first : second)).toBe(200);
    expect(count).toEqual({ reads: 0, writes: 0 });
    // An hour later the next use saves when both were seen, while the other hub logs the first one out.
    await clock.advance(3_600_001);
    const saved = Promise.withResolvers<void>();
    hooks.beforeWrite = async () => {
      hooks.beforeWrite = async () => {};
      expect((await b.call("DELETE", `/auth/devices/${first.id}`, { as: "desk" })).status).toBe(204);
      saved.resolve();
    };
    await use(a, second);
    await saved.promise;
    await until(() => count.writes >= 2);
    expect([await use(a, first), await use(b, first), await use(b, second)]).toEqual([401, 401, 200]);
  });
});
