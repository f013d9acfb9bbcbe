import { once } from "node:events";
import { connect } from "node:net";
import { AskboxError } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { closeCodes } from "@askbox/wire";
import { describe, expect, it } from "vitest";
import { createToken, hashToken, tokenVerifier } from "../src/index.ts";
import { readinessOf } from "../src/server/app.ts";
import { answers, ask, askOne, pageRefusal, send, startHub, until } from "./support.ts";

const routes = [
  ["GET", "/api/sessions", undefined],
  ["POST", "/api/sessions", ask],
  ["GET", "/api/sessions/ID", undefined],
  ["POST", "/api/sessions/ID/answer", { answers }],
  ["POST", "/api/sessions/ID/reply", { answers }],
  ["POST", "/api/sessions/ID/cancel", {}],
  ["POST", "/api/sessions/ID/extend", { timeout: 400_000 }],
  ["POST", "/api/sessions/ID/recall", {}],
  ["GET", "/api/sessions/ID/draft", undefined],
  ["PATCH", "/api/sessions/ID/draft", { fields: {} }],
  ["GET", "/api/tokens", undefined],
  ["POST", "/api/tokens", { name: "mine", scope: "desk" }],
  ["DELETE", "/api/tokens/mine", undefined],
  ["POST", "/auth/codes", undefined],
  ["GET", "/auth/devices", undefined],
  ["DELETE", "/auth/devices/x", undefined],
  ["POST", "/auth/logout", undefined],
] as const;

/** The statuses of the routes, in order; all after the first seven are for desks only. */
const refusedTo = (first: readonly number[]) => [...first, ...routes.slice(7).map(() => 403)];

describe("a token", () => {
  // promise: elsewhere-needs-hosts, other-user-reads-nothing, secrets-constant-time-unlogged, webhook-receiver-only-reads
  it.each(routes)("is needed for %s %s", async (method, path, body) => {
    const hub = await startHub();
    const at = path.replace("ID", await askOne(hub));
    for (const authorization of [undefined, "Bearer", `Bearer ${createToken()}`, `Basic ${hub.tokens.desk}`, hub.tokens.desk]) {
      const answer = await hub.call(method, at, { body, headers: authorization === undefined ? {} : { authorization } });
      expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHORIZED"]);
      expect(answer.headers["www-authenticate"]).toBe('Bearer realm="askbox"');
    }
    expect((await hub.call(method, `${at}?token=${hub.tokens.desk}`, { body })).status).toBe(401);
  });

  // promise: answer-is-a-persons, asker-scope, token-scopes
  it.each([
    ["asker", refusedTo([403, 201, 200, 403, 403, 403, 403])],
    ["otherAsker", refusedTo([403, 201, 403, 403, 403, 403, 403])],
    ["metrics", refusedTo([403, 403, 403, 403, 403, 403, 403])],
    ["desk", [200, 403, 200, 200, 409, 409, 409, 409, 200, 409, 200, 201, 200, 409, 200, 404, 400]],
  ] as const)("of the scope %s may only do what its scope allows", async (as, expected) => {
    const hub = await startHub();
    const id = await askOne(hub);
    const seen = [];
    for (const [method, path, body] of routes) seen.push((await hub.call(method, path.replace("ID", id), { as, body })).status);
    expect(seen).toEqual(expected);
    const settled = as === "desk" ? "answered" : "pending";
    expect((await hub.call("GET", `/api/sessions/${id}`, { as: "desk" })).body.status).toBe(settled);
  });

  // promise: asker-scope
  it.each(["asker", "metrics"] as const)("of the scope %s can neither watch nor list the registered agents", async (as) => {
    const hub = await startHub();
    for (const [method, path, body] of [
      ["GET", "/api/events", undefined],
      ["GET", "/api/agents", undefined],
      ["POST", "/api/agents", { id: "builder" }],
      ["DELETE", "/api/agents/builder", undefined],
    ] as const) {
      expect([method, path, (await hub.call(method, path, { as, body })).status]).toEqual([method, path, 403]);
    }
  });

  // promise: wrong-tokens-slowed
  it("that is wrong is slowed after 20 in a minute, and a valid one from the same address is not", async () => {
    const hub = await startHub();
    const wrong = () => hub.call("GET", "/api/sessions", { headers: { authorization: `Bearer ${createToken()}` } });
    for (let tried = 0; tried < 20; tried += 1) expect((await wrong()).status).toBe(401);
    let isAnswered = false;
    const slowed = wrong().finally(() => {
      isAnswered = true;
    });
    for (let call = 0; call < 3; call += 1) expect((await hub.call("GET", "/api/sessions", { as: "desk" })).status).toBe(200);
    await hub.connect("desk").ready();
    expect(isAnswered).toBe(false);
    await hub.clock.advance(50);
    expect((await slowed).status).toBe(401);
    // Never by more than a second.
    const many = Array.from({ length: 50 }, wrong);
    await until(() => hub.hub.connections.requests >= 50);
    await hub.clock.advance(1_000);
    for (const answer of many) expect((await answer).status).toBe(401);
    await hub.clock.advance(60_000);
    expect((await wrong()).status).toBe(401);
  });

  // promise: token-256-bits
  it("has 256 random bits and is stored as a hash", async () => {
    const token = createToken();
    expect(Buffer.from(token.replace("abx_", ""), "base64url")).toHaveLength(32);
    expect(createToken()).not.toBe(token);
    const access = { owner: "one", scopes: ["asker"] as const };
    const tokens = tokenVerifier([{ hash: hashToken(token), access }]);
    expect(hashToken(token)).toMatch(/^[0-9a-f]{64}$/);
    expect(await tokens.verify(token)).toBe(access);
    for (const wrong of ["", "x", hashToken(token), `${token} `, token.slice(0, -1)]) expect(await tokens.verify(wrong)).toBeUndefined();
  });

  // promise: secrets-constant-time-unlogged
  it("is never logged", async () => {
    const logged: unknown[] = [];
    const hub = await startHub({ log: (...entry) => logged.push(entry) });
    await askOne(hub);
    await hub.call("GET", "/api/sessions", { headers: { authorization: `Bearer ${createToken()}` } });
    const client = hub.connect("desk");
    await client.ready();
    await expect(hub.connect("desk", { token: hub.tokens.asker }).ready()).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(logged.length).toBeGreaterThan(0);
    for (const token of Object.values(hub.tokens)) expect(JSON.stringify(logged)).not.toContain(token);
  });
});

describe("the Host and Origin headers", () => {
  const hosts: [host: string, allowed: boolean][] = [
    ["127.0.0.1:PORT", true],
    ["localhost:PORT", true],
    ["LOCALHOST:PORT", true],
    ["[::1]:PORT", true],
    ["127.0.0.1", false],
    ["127.0.0.1:1", false],
    ["rebound.example:PORT", false],
    ["127.0.0.1.example:PORT", false],
    ["127.0.0.1:PORT@rebound.example", false],
    ["user@127.0.0.1:PORT", false],
    ["0x7f.1:PORT", false],
    ["inbox.example", true],
    ["inbox.example:9999", true],
    ["strict.example:8443", true],
    ["strict.example:8444", false],
  ];
  const origins: [origin: string, allowed: boolean][] = [
    ["http://127.0.0.1:PORT", true],
    ["http://localhost:PORT", true],
    ["https://inbox.example", true],
    ["https://strict.example:8443", true],
    ["http://inbox.example", false],
    ["https://inbox.example:9999", false],
    ["http://inbox.example:PORT", false],
    ["https://strict.example", false],
    ["http://strict.example:8443", false],
    ["https://localhost:PORT", false],
    ["http://127.0.0.1:1", false],
    ["https://127.0.0.1:1", false],
    ["http://evil.example", false],
    ["http://127.0.0.1:PORT.evil.example", false],
    ["null", false],
    ["file://", false],
    ["ftp://127.0.0.1:PORT", false],
    ["chrome-extension://127.0.0.1:PORT", false],
  ];
  const start = () => startHub({ allowedHosts: ["inbox.example", "strict.example:8443"] });
  const paths = ["/healthz", "/readyz", "/api/sessions", "/nowhere"];

  // promise: foreign-page-refused, host-and-origin-checked
  it("are checked on every route", async () => {
    const hub = await start();
    const port = new URL(hub.url).port;
    for (const [host, allowed] of hosts) {
      for (const path of paths) {
        const { status } = await hub.call("GET", path, { as: "desk", headers: { host: host.replace("PORT", port) } });
        expect([host, path, status !== 403]).toEqual([host, path, allowed]);
      }
    }
    for (const [origin, allowed] of origins) {
      for (const path of paths) {
        const { status } = await hub.call("GET", path, { as: "desk", headers: { origin: origin.replace("PORT", port) } });
        expect([origin, path, status !== 403]).toEqual([origin, path, allowed]);
      }
    }
  });

  // promise: foreign-page-refused, host-and-origin-checked
  it("let a page through that talks to its own address, with its scheme", async () => {
    const hub = await start();
    const status = async (headers: Record<string, string>) => (await hub.call("GET", "/healthz", { headers })).status;
    const host = "inbox.example:9999";
    expect(await status({ host, origin: `https://${host}` })).toBe(200);
    expect(await status({ host, origin: "https://inbox.example:9998" })).toBe(403);
    expect(await status({ host, origin: `http://${host}` })).toBe(403);
    expect(await status({ host, origin: `http://${host}`, "x-forwarded-proto": "http" })).toBe(200);
    expect(await status({ host, origin: `http://${host}`, "x-forwarded-proto": "https, http" })).toBe(403);
    expect(await status({ host: "strict.example:8443", origin: "https://inbox.example:8443" })).toBe(403);
  });

  // promise: host-and-origin-checked
  it("are checked before the token, and the error says what to set", async () => {
    const hub = await start();
    const named = await hub.call("GET", "/api/sessions", { headers: { host: "rebound.example" } });
    expect([named.status, named.body.detail]).toEqual([
      403,
      expect.stringMatching(/does not accept this host name; to allow it, add it to allowedHosts/),
    ]);
    expect((await hub.call("POST", "/api/sessions", { headers: { origin: "http://evil.example" }, body: "{" })).status).toBe(403);
  });

  // promise: foreign-page-refused, host-and-origin-checked
  it("are checked before the wire is opened", async () => {
    const hub = await start();
    const port = new URL(hub.url).port;
    const upgrade = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    };
    for (const [host, allowed] of hosts) {
      if (allowed) continue;
      const answer = await send(new URL("/ws", hub.url), { headers: { ...upgrade, host: host.replace("PORT", port) } });
      expect([host, answer.status, answer.body.code]).toEqual([host, 403, "FORBIDDEN"]);
    }
    for (const [origin, allowed] of origins) {
      if (allowed) continue;
      const { error, code } = await pageRefusal(hub, { origin: origin.replace("PORT", port) });
      expect([origin, error, code]).toEqual([origin, expect.objectContaining({ code: "FORBIDDEN" }), closeCodes.refused]);
    }
    await hub.connect("asker", { headers: { origin: `http://localhost:${port}` } }).ready();
    expect((await send(new URL("/elsewhere", hub.url), { headers: upgrade })).status).toBe(404);
  });

  it.each(["//", "http://[/ws", "*"])("an upgrade at %s, which is not a path, is rejected without other effects", async (target) => {
    const hub = await startHub();
    const { host, hostname, port } = new URL(hub.url);
    const socket = connect(Number(port), hostname).setEncoding("utf8");
    let answer = "";
    socket.on("data", (piece: string) => {
      answer += piece;
    });
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await once(socket, "close");
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
    expect((await hub.call("GET", "/healthz")).status).toBe(200);
  });
});

describe("an offer to speak another protocol", () => {
  /** Node 22 passes on every request with an Upgrade header, whatever its target. */
  const canTell = Number(process.versions.node.split(".")[0]) >= 24;

  it.runIf(canTell)("is ignored, and the request answered like any other", async () => {
    const hub = await startHub();
    const headers = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAAP__" };
    expect((await hub.call("GET", "/healthz", { headers })).status).toBe(200);
    expect((await hub.call("POST", "/api/sessions", { as: "asker", headers, body: ask })).status).toBe(201);
  });
});

describe("every response", () => {
  // promise: data-never-runs
  it.each(["/healthz", "/readyz", "/api/sessions", "/nowhere"])(
    "of %s must not be executed, framed, sniffed, cached or used as a referrer",
    async (path) => {
      const hub = await startHub();
      const { headers } = await hub.call("GET", path);
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      });
      expect(headers).not.toHaveProperty("access-control-allow-origin");
    },
  );
});

describe("the hub's health", () => {
  // promise: hub-proves-itself, other-user-reads-nothing
  it("is public and proves the hub's identity to a client that knows the secret", async () => {
    const hub = await startHub({ prove: (nonce) => `proof of ${nonce}` });
    expect((await hub.call("GET", "/healthz")).body).toEqual({ status: "ok", version: "1.2.3", instance: "run-1", protocol: 2 });
    expect((await hub.call("GET", "/healthz?nonce=abc")).body.proof).toBe("proof of abc");
    for (const nonce of ["", "x".repeat(129)]) expect((await hub.call("GET", `/healthz?nonce=${nonce}`)).status).toBe(400);
    expect((await hub.call("GET", "/readyz")).body).toEqual({ status: "ready" });
  });

  it("is not ready while the hub closes: the response says so, or there is none", async () => {
    const { clock } = testPlatform();
    const closed = readinessOf({ readiness: undefined, closing: AbortSignal.abort(), clock, log: () => {} });
    expect(await closed()).toEqual({ status: "closing" });
    const hub = await startHub();
    const look = () =>
      hub.call("GET", "/readyz").then(
        ({ status, body }) => [status, body.status],
        (error: Error) => (/ECONNREFUSED|ECONNRESET|socket hang up/.test(error.message) ? "gone" : error.message),
      );
    expect(await look()).toEqual([200, "ready"]);
    const closing = hub.hub.close();
    expect(["gone", [503, "closing"]]).toContainEqual(await look());
    await closing;
    expect(await look()).toBe("gone");
  });

  it("is not ready while its store is unavailable, and says so without revealing its address", async () => {
    let isAway = true;
    const hub = await startHub({
      async readiness() {
        if (isAway) throw new AskboxError("STORE_UNAVAILABLE", "The Redis at redis://10.0.0.7 cannot be reached.");
        return { store: { level: "disk" } };
      },
    });
    const { status, body } = await hub.call("GET", "/readyz");
    expect([status, body.status]).toEqual([503, "unavailable"]);
    expect(JSON.stringify(body)).not.toContain("10.0.0.7");
    expect((await hub.call("GET", "/healthz")).status).toBe(200);
    isAway = false;
    expect((await hub.call("GET", "/readyz")).body).toEqual({ status: "ready", store: { level: "disk" } });
  });
});

// promise: host-and-origin-checked
it("a request with two hosts is rejected, over HTTP and on the wire", async () => {
  const { url } = await startHub();
  const { host, hostname, port } = new URL(url);
  for (const path of ["/healthz", "/ws"]) {
    for (const hosts of [
      [host, "evil.example"],
      [host, host],
    ]) {
      const socket = connect(Number(port), hostname);
      const upgrade =
        path === "/ws"
          ? "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
          : "Connection: close\r\n";
      socket.write(`GET ${path} HTTP/1.1\r\n${hosts.map((each) => `Host: ${each}\r\n`).join("")}${upgrade}\r\n`);
      const [answer] = await once(socket, "data");
      expect(String(answer)).toMatch(/^HTTP\/1\.1 403 /);
      socket.destroy();
    }
  }
});
