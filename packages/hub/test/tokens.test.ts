import { once } from "node:events";
import { connect } from "node:net";
import { parseAsk } from "@askbox/core";
import { anAsker, fakeClock, seededIds } from "@askbox/core/testing";
import { describe, expect, it, test } from "vitest";
import { usesOfAccess } from "../src/auth/access.ts";
import { NamedTokens } from "../src/auth/named-tokens.ts";
import { type TokenRecord, tokenList } from "../src/index.ts";
import { tokenStoreContract } from "../src/testing/index.ts";
import { answers, ask, askOne, send, startHub, type TestHub, until } from "./support.ts";

const minute = 60_000;

describe("a list of tokens", () => {
  for (const contractCase of tokenStoreContract) test(contractCase.name, () => contractCase.run({ open: async () => tokenList() }));

  // promise: secrets-hashed
  test("is stored as hashes across runs of the hub, and skips invalid entries", async () => {
    let saved: readonly TokenRecord[] = [];
    const storage = {
      load: () => JSON.parse(JSON.stringify([...saved, { id: "x" }, 7])),
      save(tokens: readonly TokenRecord[]) {
        saved = tokens;
      },
    };
    const first = await startHub({ tokenStore: tokenList(storage) });
    const { token } = await make(first, { name: "ci", scope: "asker" });
    expect(JSON.stringify(saved)).not.toContain(token.slice(4));
    const second = await startHub({ tokenStore: tokenList(storage) });
    expect((await as(second, token, "POST", "/api/sessions", ask)).status).toBe(201);
  });

  test("is unchanged if it could not be saved", async () => {
    const store = tokenList({
      load: () => [],
      save: () => {
        throw new Error("no disk");
      },
    });
    const hub = await startHub({ tokenStore: store });
    expect((await hub.call("POST", "/api/tokens", { as: "desk", body: { name: "ci", scope: "asker" } })).status).toBe(500);
    expect(await store.list()).toEqual([]);
  });
});

const make = async (hub: TestHub, wish: object) => {
  const { status, body } = await hub.call("POST", "/api/tokens", { as: "desk", body: wish });
  expect([status, body]).toMatchObject([201, {}]);
  return body as { token: string; id: string; name: string };
};
const as = (hub: TestHub, token: string, method: string, path: string, body?: unknown) =>
  hub.call(method, path, { headers: { authorization: `Bearer ${token}` }, body });
const revoke = (hub: TestHub, idOrName: string) => hub.call("DELETE", `/api/tokens/${idOrName}`, { as: "desk" });

describe("a named token", () => {
  // promise: secrets-hashed, token-256-bits
  it("is shown once, has 256 random bits, and is listed without itself", async () => {
    const hub = await startHub();
    const made = await make(hub, { name: "ci", scope: "asker", agentId: "builder", expiresIn: 86_400_000 });
    const { token, ...listed } = made;
    expect(Buffer.from(token.replace("abx_", ""), "base64url")).toHaveLength(32);
    expect(listed).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
      name: "ci",
      scope: "asker",
      agentId: "builder",
      createdAt: hub.clock.now(),
      expiresAt: hub.clock.now() + 86_400_000,
      lastUsedAt: null,
      expired: false,
    });
    const list = await hub.call("GET", "/api/tokens", { as: "desk" });
    expect(list.body).toEqual({ items: [listed] });
    expect(JSON.stringify(list.body)).not.toContain("abx_");
  });

  // promise: asker-scope
  it("of the scope asker asks, and cannot access another token's sessions", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "ci", scope: "asker" });
    const { status, body } = await as(hub, token, "POST", "/api/sessions", ask);
    expect(status).toBe(201);
    expect((await as(hub, token, "GET", `/api/sessions/${body.id}`)).status).toBe(200);
    expect((await hub.call("GET", `/api/sessions/${body.id}`, { as: "asker" })).status).toBe(403);
  });

  it("of the scope desk answers, over REST and the wire", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "phone", scope: "desk" });
    const id = await askOne(hub);
    expect((await hub.connect("desk", { token }).desk.list({})).items).toHaveLength(1);
    const answered = await as(hub, token, "POST", `/api/sessions/${id}/answer`, { answers });
    expect([answered.status, answered.body.outcome.by]).toEqual([200, { surface: "api", name: "phone" }]);
  });

  // promise: inbox-shows-who-asks
  it("bound to an agent asks as that agent, whatever id the agent sends", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "ci", scope: "asker", agentId: "builder" });
    const { body } = await as(hub, token, "POST", "/api/sessions", { ...ask, agentId: "somebody-else" });
    const overWire = await hub.connect("asker", { token }).asker.ask(parseAsk(ask, { ids: seededIds() }), { asker: anAsker(), maxWait: 0 });
    expect([body.asker.agentId, overWire.session.asker.agentId]).toEqual(["builder", "builder"]);
  });

  it("reports when it was last used, to within 10 minutes", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "ci", scope: "asker" });
    const lastUsed = async () => (await hub.call("GET", "/api/tokens", { as: "desk" })).body.items[0].lastUsedAt;
    expect(await lastUsed()).toBeNull();
    await as(hub, token, "POST", "/api/sessions", ask);
    const first = await lastUsed();
    expect([first % 600_000, hub.clock.now() - first < 600_000]).toEqual([0, true]);
    await hub.clock.advance(600_000);
    await as(hub, token, "POST", "/api/sessions", ask);
    expect(await lastUsed()).toBe(first + 600_000);
  });

  it("of a machine reports it to within a minute, also while that only stays connected, with at most one write a minute", async () => {
    const store = tokenList();
    const touched: number[] = [];
    const touch: typeof store.touch = (id, at) => {
      touched.push(at);
      return store.touch(id, at);
    };
    const clock = fakeClock();
    const uses = usesOfAccess(clock);
    const named = new NamedTokens({ store: { ...store, touch }, clock, uses, log: () => {} });
    const { token } = await named.create({ name: "build-7", scope: "asker", machine: true });
    const heard = async () => (await store.list())[0]?.lastUsedAt ?? 0;
    const access = (await named.verify(token)) ?? expect.fail("The token is good.");
    const release = uses.begin(access, () => {});
    for (let passed = 0; passed < 30; passed += 1) {
      await clock.advance(minute);
      expect(clock.now() - (await heard())).toBeLessThanOrEqual(2 * minute);
    }
    // A call does not write.
    await named.verify(token);
    expect(touched).toEqual([...new Set(touched)]);
    release();
    await clock.advance(minute);
    const last = await heard();
    await clock.advance(30 * minute);
    expect(await heard()).toBe(last);
    await named.verify(token);
    await clock.advance(minute);
    expect(clock.now() - (await heard())).toBeLessThanOrEqual(2 * minute);
    named.close();
    await clock.advance(30 * minute);
    expect(touched).toEqual([...new Set(touched)]);
  });

  // promise: token-scopes
  it.each([
    [{ name: "", scope: "asker" }, 400, "VALIDATION"],
    [{ name: "two words", scope: "asker" }, 400, "VALIDATION"],
    [{ name: "..", scope: "asker" }, 400, "VALIDATION"],
    [{ name: "\u001b[31mred", scope: "asker" }, 400, "VALIDATION"],
    [{ name: "x".repeat(61), scope: "asker" }, 400, "VALIDATION"],
    [{ name: "ci", scope: "root" }, 400, "VALIDATION"],
    [{ name: "ci" }, 400, "VALIDATION"],
    [{ name: "ci", scope: "asker", expiresIn: 59_999 }, 400, "VALIDATION"],
    [{ name: "ci", scope: "desk", agentId: "builder" }, 400, "VALIDATION"],
    [{ name: "taken", scope: "asker" }, 409, "CONFLICT"],
  ])("cannot be created with %j", async (wish, status, code) => {
    const hub = await startHub();
    await make(hub, { name: "taken", scope: "asker" });
    const refused = await hub.call("POST", "/api/tokens", { as: "desk", body: wish });
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect((await hub.call("GET", "/api/tokens", { as: "desk" })).body.items).toHaveLength(1);
  });

  // promise: asker-scope
  it("cannot be created, listed or revoked with an asker's token, one for metrics, or none", async () => {
    const hub = await startHub();
    const { id } = await make(hub, { name: "ci", scope: "asker" });
    for (const [method, path, body] of [
      ["GET", "/api/tokens", undefined],
      ["POST", "/api/tokens", { name: "mine", scope: "desk" }],
      ["DELETE", `/api/tokens/${id}`, undefined],
    ] as const) {
      for (const [who, status] of [
        ["asker", 403],
        ["metrics", 403],
        [undefined, 401],
      ] as const) {
        expect([method, who, (await hub.call(method, path, { as: who, body })).status]).toEqual([method, who, status]);
      }
    }
    expect((await hub.call("GET", "/api/tokens", { as: "desk" })).body.items).toHaveLength(1);
  });
});

describe("a token that expires", () => {
  it("is rejected from then on, and its name is free again", async () => {
    const hub = await startHub();
    const { token, id } = await make(hub, { name: "ci", scope: "asker", expiresIn: 60_000 });
    await hub.clock.advance(59_999);
    expect((await as(hub, token, "POST", "/api/sessions", ask)).status).toBe(201);
    await hub.clock.advance(1);
    expect((await as(hub, token, "POST", "/api/sessions", ask)).status).toBe(401);
    expect((await hub.call("GET", "/api/tokens", { as: "desk" })).body.items).toMatchObject([{ id, expired: true }]);
    await make(hub, { name: "ci", scope: "asker" });
    expect((await hub.call("GET", "/api/tokens", { as: "desk" })).body.items).toMatchObject([{ name: "ci", expired: false }]);
  });

  // promise: expired-stays-expired
  it("stays expired if the clock goes back, and in the next run of the hub", async () => {
    let kept: readonly TokenRecord[] = [];
    const storage = {
      load: () => kept,
      save(tokens: readonly TokenRecord[]) {
        kept = structuredClone(tokens) as TokenRecord[];
      },
    };
    const hub = await startHub({ tokenStore: tokenList(storage) });
    const { token } = (await hub.call("POST", "/api/tokens", { as: "desk", body: { name: "visit", scope: "desk", expiresIn: 60_000 } }))
      .body;
    const headers = { authorization: `Bearer ${token}` };
    const status = async (at: typeof hub) => (await at.call("GET", "/api/sessions", { headers })).status;
    expect(await status(hub)).toBe(200);
    hub.clock.jumpWall(60_000);
    expect(await status(hub)).toBe(401);
    hub.clock.jumpWall(-60_000);
    expect(await status(hub)).toBe(401);
    expect(await status(await startHub({ tokenStore: tokenList(storage) }))).toBe(401);
    expect((await hub.call("GET", "/api/tokens", { as: "desk" })).body.items).toMatchObject([{ name: "visit", expired: true }]);
  });

  // promise: revoked-token-ends-all
  it("ends the requests that use it", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "phone", scope: "desk", expiresIn: 60_000 });
    const id = await askOne(hub);
    const client = hub.connect("desk", { token });
    await client.ready();
    const poll = send(new URL(`/api/sessions/${id}?wait=600`, hub.url), { headers: { authorization: `Bearer ${token}` } });
    await until(() => hub.broker.stats().watching === 1);
    await hub.clock.advance(60_000);
    expect((await poll).status).toBe(401);
    await until(() => hub.hub.connections.desks.length === 0);
  });

  it("cannot create a token that outlives it", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "phone", scope: "desk", expiresIn: 600_000 });
    for (const expiresIn of [undefined, 600_001]) {
      expect((await as(hub, token, "POST", "/api/tokens", { name: "more", scope: "asker", expiresIn })).status).toBe(403);
    }
    expect((await as(hub, token, "POST", "/api/tokens", { name: "more", scope: "asker", expiresIn: 600_000 })).status).toBe(201);
  });
});

describe("what a named token has created", () => {
  // promise: one-guarantor
  it("ends with it, including what was created with that in turn", async () => {
    const hub = await startHub();
    const make = async (name: string, scope: string, by: string) => {
      const headers = { authorization: `Bearer ${by}` };
      return (await hub.call("POST", "/api/tokens", { headers, body: { name, scope } })).body.token as string;
    };
    const first = await make("first", "desk", hub.tokens.desk);
    const second = await make("second", "desk", first);
    const tokens = [first, second, await make("third", "asker", second), await make("own", "asker", hub.tokens.desk)];
    const known = () =>
      Promise.all(
        tokens.map(async (token) => {
          const headers = { authorization: `Bearer ${token}` };
          return (await hub.call("GET", "/api/sessions/none", { headers })).status !== 401;
        }),
      );
    expect(await known()).toEqual([true, true, true, true]);
    await hub.call("DELETE", "/api/tokens/first", { as: "desk" });
    expect(await known()).toEqual([false, false, false, true]);
    const { items } = (await hub.call("GET", "/api/tokens", { as: "desk" })).body;
    expect(items.map(({ name }: { name: string }) => name)).toEqual(["own"]);
    expect(items[0]).not.toHaveProperty("guarantor");
  });
});

describe("a token that is revoked", () => {
  it("is rejected at once, by name or id, and reported once", async () => {
    const hub = await startHub();
    for (const by of ["name", "id"] as const) {
      const made = await make(hub, { name: "ci", scope: "asker" });
      expect((await revoke(hub, made[by])).body).toMatchObject({ id: made.id, name: "ci" });
      expect((await as(hub, made.token, "POST", "/api/sessions", ask)).status).toBe(401);
      expect((await revoke(hub, made[by])).status).toBe(404);
    }
  });

  // promise: revoked-token-ends-all
  it("ends a desk's long poll, an asker's long poll and both their sockets at once", async () => {
    const hub = await startHub();
    const asker = await make(hub, { name: "ci", scope: "asker" });
    const desk = await make(hub, { name: "phone", scope: "desk" });
    const { body } = await as(hub, asker.token, "POST", "/api/sessions", ask);
    const poll = (token: string) =>
      send(new URL(`/api/sessions/${body.id}?wait=600`, hub.url), { headers: { authorization: `Bearer ${token}` } });
    const polls = [poll(asker.token), poll(desk.token)];
    const clients = [hub.connect("asker", { token: asker.token }), hub.connect("desk", { token: desk.token })];
    await Promise.all(clients.map((client) => client.ready()));
    await until(() => hub.broker.stats().waiting === 1 && hub.broker.stats().watching === 1);
    await revoke(hub, "ci");
    await revoke(hub, "phone");
    for (const poll of polls)
      expect(await poll).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED", detail: expect.stringContaining("revoked") } });
    await until(() => hub.hub.connections.askers === 0 && hub.hub.connections.desks.length === 0);
    expect((await hub.call("GET", `/api/sessions/${body.id}`, { as: "desk" })).body.status).toBe("pending");
  });

  // promise: revoked-token-ends-all
  it("ends the event streams that watch with it", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "phone", scope: "desk" });
    const stream = await fetch(new URL("/api/events", hub.url), { headers: { authorization: `Bearer ${token}` } });
    await until(() => hub.broker.stats().watching === 1);
    await revoke(hub, "phone");
    expect(await stream.text()).toContain("event: snapshot");
    await until(() => hub.broker.stats().watching === 0);
  });

  it("rejects a request whose body had not arrived yet", async () => {
    const hub = await startHub();
    const { token } = await make(hub, { name: "phone", scope: "desk" });
    const id = await askOne(hub);
    const text = JSON.stringify({ answers });
    const { host, hostname, port } = new URL(hub.url);
    const socket = connect(Number(port), hostname).setEncoding("utf8");
    let back = "";
    socket.on("data", (piece: string) => {
      back += piece;
    });
    socket.write(`POST /api/sessions/${id}/answer HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`);
    socket.write(`Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text.slice(0, 5)}`);
    await until(async () => (await hub.call("GET", "/api/tokens", { as: "desk" })).body.items[0].lastUsedAt !== null);
    await revoke(hub, "phone");
    socket.write(text.slice(5));
    await once(socket, "close");
    expect(back).toMatch(/^HTTP\/1\.1 401 /);
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.status).toBe("pending");
  });

  it("at another hub of the same store ends running requests at this one", async () => {
    const tokenStore = tokenList();
    const [one, other] = [await startHub({ tokenStore }), await startHub({ tokenStore })];
    const { token } = await make(one, { name: "phone", scope: "desk" });
    const client = other.connect("desk", { token });
    await client.ready();
    await revoke(one, "phone");
    await until(() => other.hub.connections.desks.length === 0);
  });

  it("is not accepted, but not called invalid either, while the tokens cannot be read", async () => {
    const tokenStore = tokenList();
    const hub = await startHub({ tokenStore });
    const { token } = await make(hub, { name: "ci", scope: "asker" });
    tokenStore.find = async () => {
      throw new Error("the store is away");
    };
    expect((await as(hub, token, "POST", "/api/sessions", ask)).status).toBe(500);
    expect(await askOne(hub)).toBeDefined();
  });
});
