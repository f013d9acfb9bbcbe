import { describe, expect, it } from "vitest";
import { logIn, newCode, start, storage } from "./browsers.ts";
import { answers, askOne, browserLogin, pageRefusal, send, startHub, until } from "./support.ts";

const day = 86_400_000;

describe("a login link", () => {
  // promise: browser-cannot-ask, login-code-unlogged
  it("is only created for a desk's token", async () => {
    const hub = await start();
    const { status, body } = await hub.call("POST", "/auth/codes", { as: "desk" });
    expect(status).toBe(201);
    expect(Buffer.from(body.code, "base64url")).toHaveLength(16);
    expect(body).toEqual({ code: body.code, expiresAt: hub.clock.now() + 600_000, url: `${hub.url}/#login=${body.code}`, outside: [] });
    expect((await hub.call("POST", "/auth/codes", { as: "asker" })).status).toBe(403);
    expect((await hub.call("POST", "/auth/codes")).status).toBe(401);
    const { headers } = await logIn(hub);
    expect((await hub.call("POST", "/auth/codes", { headers })).status).toBe(403);
  });

  // promise: login-code-unlogged
  it("keeps its code out of every request line: the browser only requests the page's address", async () => {
    const hub = await start();
    const link = new URL(hub.hub.createLogin().url);
    expect([link.pathname, link.search]).toEqual(["/", ""]);
    expect(link.hash).toMatch(/^#login=[\w-]{22}$/);
  });

  // promise: login-link-limits, used-login-link-noticed
  it("works once", async () => {
    const hub = await start();
    const code = await newCode(hub);
    const tries = [1, 2, 3].map(() => hub.call("POST", "/auth/login", { body: { code } }));
    const statuses = (await Promise.all(tries)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 410, 410]);
    const { body } = await hub.call("POST", "/auth/login", { body: { code } });
    expect(body.detail).toBe("This login link has already been used; get one where you got the last.");
  });

  // promise: login-link-limits
  it("works for 10 minutes", async () => {
    const hub = await start();
    const [inTime, tooLate] = [await newCode(hub), await newCode(hub)];
    await hub.clock.advance(599_999);
    expect((await hub.call("POST", "/auth/login", { body: { code: inTime } })).status).toBe(200);
    await hub.clock.advance(1);
    const { status, body } = await hub.call("POST", "/auth/login", { body: { code: tooLate } });
    expect([status, body.detail]).toEqual([410, "This login link is older than 10 minutes; get one where you got the last."]);
  });

  it("of another hub, or an invented one, is unknown", async () => {
    const hub = await start();
    const foreign = await newCode(await start());
    for (const code of [foreign, "", "x".repeat(200)]) {
      const { status, body, headers } = await hub.call("POST", "/auth/login", { body: { code } });
      expect([status, body.detail]).toEqual([
        401,
        "The hub does not know this login link, perhaps because it was restarted; get one where you got the last.",
      ]);
      expect(headers).not.toHaveProperty("set-cookie");
    }
    expect((await hub.call("POST", "/auth/login", { body: { code: 1 } })).status).toBe(400);
    expect((await hub.call("POST", "/auth/login", { body: "x".repeat(5_000) })).status).toBe(413);
  });

  // promise: login-link-limits
  it("cannot be guessed: an address has 20 wrong attempts a minute, which do not affect a valid link", async () => {
    const hub = await start();
    const guess = (attempt: number) => hub.call("POST", "/auth/login", { body: { code: `guess ${attempt}` } });
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await guess(attempt)).status).toBe(401);
    const refused = await guess(20);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "60"]);
    expect(refused.body.detail).toBe("More than 20 attempts to log in in a minute; try again in 60 seconds.");
    expect((await hub.call("POST", "/auth/login", { body: { code: await newCode(hub) } })).status).toBe(200);
    await hub.clock.advance(60_000);
    expect((await guess(21)).status).toBe(401);
  });

  it("lists the addresses under which other machines reach the hub", async () => {
    const hub = await start({ allowedHosts: ["inbox.example", "box.tailnet.example:8443", "localhost"] });
    const { outside, code } = hub.hub.createLogin();
    expect(outside).toEqual([`https://inbox.example/#login=${code}`, `https://box.tailnet.example:8443/#login=${code}`]);
  });

  it("is not created by a hub without a page", async () => {
    const hub = await startHub();
    const { status, body } = await hub.call("POST", "/auth/codes", { as: "desk" });
    expect([status, body.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("a browser's login", () => {
  // promise: login-cookie-attributes, login-two-parts
  it("is a cookie that no script and no other site can use, and a secret", async () => {
    const hub = await start();
    const { port } = new URL(hub.url);
    const { headers, body } = await hub.call("POST", "/auth/login", { body: { code: await newCode(hub), device: "Safari on iPhone" } });
    const [cookie = ""] = headers["set-cookie"] ?? [];
    expect(cookie).toMatch(new RegExp(`^askbox_${port}=abx_[\\w-]{43}; Max-Age=34560000; Path=/; HttpOnly; SameSite=Strict$`));
    expect(body.secret).toMatch(/^abx_[\w-]{43}$/);
    expect(body.device).toMatchObject({ name: "Safari on iPhone", current: true });
    expect(cookie).not.toContain(body.secret);
    expect(headers["cache-control"]).toBe("no-store");
  });

  // promise: login-cookie-attributes
  it("is limited to TLS if the page was served over it", async () => {
    const hub = await start({ allowedHosts: ["inbox.example"] });
    const cookieFor = async (headers: Record<string, string>) => {
      const answer = await hub.call("POST", "/auth/login", { headers, body: { code: await newCode(hub) } });
      return answer.headers["set-cookie"]?.[0];
    };
    expect(await cookieFor({ host: "inbox.example", origin: "https://inbox.example" })).toContain("; Secure");
    expect(await cookieFor({ host: "inbox.example", "x-forwarded-proto": "https" })).toContain("; Secure");
    expect(await cookieFor({ origin: hub.url })).not.toContain("Secure");
  });

  // promise: login-two-parts
  it("is useless if one half is missing", async () => {
    const hub = await start();
    const [one, other] = [await logIn(hub), await logIn(hub, "Chrome on Android")];
    const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
    const refused: Record<string, string>[] = [
      { cookie: one.cookie },
      bearer(one.secret),
      { cookie: one.cookie, ...bearer(other.secret) },
      { cookie: one.cookie, ...bearer(one.cookie.replace(/^\w+?=/, "")) },
      { cookie: `askbox_1=${one.cookie.split("=")[1]}`, ...bearer(one.secret) },
      { cookie: one.cookie.replace(/=.*/, `=${one.secret}`), ...bearer(one.secret) },
    ];
    for (const path of ["/api/sessions", "/auth/devices"]) {
      for (const headers of refused) expect((await hub.call("GET", path, { headers })).status).toBe(401);
      expect((await hub.call("GET", path, { headers: one.headers })).status).toBe(200);
      expect((await hub.call("GET", path, { headers: { ...one.headers, cookie: `a=b; ${one.cookie}; c=d` } })).status).toBe(200);
    }
  });

  // promise: login-two-parts
  it("is useless on the wire, too, if one half is missing", async () => {
    const hub = await start();
    const { cookie, secret } = await logIn(hub);
    const refusal = { code: "UNAUTHORIZED" };
    await expect(hub.connect("desk", { token: secret }).ready()).rejects.toMatchObject(refusal);
    await expect(hub.connect("desk", { token: "none", headers: { cookie } }).ready()).rejects.toMatchObject(refusal);
    await expect(hub.connect("asker", { token: secret, headers: { cookie } }).ready()).rejects.toMatchObject({ code: "FORBIDDEN" });
    await hub.connect("desk", { token: secret, headers: { cookie } }).ready();
  });

  // promise: foreign-page-refused
  it("is rejected from a page on another port of this machine, which its browser also sends the cookie to", async () => {
    const hub = await start();
    const { headers, cookie } = await logIn(hub);
    for (const origin of ["http://127.0.0.1:1", "http://localhost:8080", "null"]) {
      for (const shown of [{ cookie }, headers]) {
        expect((await hub.call("GET", "/api/sessions", { headers: { ...shown, origin } })).status).toBe(403);
        expect((await hub.call("POST", "/auth/logout", { headers: { ...shown, origin } })).status).toBe(403);
      }
      expect((await hub.call("POST", "/auth/login", { headers: { origin }, body: { code: await newCode(hub) } })).status).toBe(403);
      expect((await pageRefusal(hub, { ...headers, origin })).error).toMatchObject({ code: "FORBIDDEN" });
    }
    expect((await hub.call("GET", "/auth/devices", { headers })).status).toBe(200);
  });

  it("signs answers with the surface web and the device's name, whatever name the page sends", async () => {
    const hub = await start();
    const browser = await logIn(hub);
    const rest = await hub.call("POST", `/api/sessions/${await askOne(hub)}/answer`, { headers: browser.headers, body: { answers } });
    expect(rest.body.outcome.by).toEqual({ surface: "web", name: "Firefox on Linux" });

    const id = await askOne(hub, { questions: [{ id: "name", question: "And its name?" }] });
    const { desk } = hub.connect("desk", { token: browser.secret, headers: { cookie: browser.cookie } });
    const settled = await desk.answer(id, { answers: [{ questionId: "name", values: ["Ada"] }] });
    expect(settled.outcome?.by).toEqual({ surface: "web", name: "Firefox on Linux" });
    expect(hub.hub.connections.desks).toEqual([{ surface: "web", name: "Firefox on Linux" }]);
  });

  it("signs answers with the name of the person whom the link was made for, or whose token made it", async () => {
    const hub = await start();
    const { token } = (await hub.call("POST", "/api/tokens", { as: "desk", body: { scope: "desk", name: "grace" } })).body;
    const byToken = (await hub.call("POST", "/auth/codes", { headers: { authorization: `Bearer ${token}` } })).body.code;
    const links = [hub.hub.createLogin({ person: "Ada\n Lovelace" }).code, byToken, hub.hub.createLogin({ person: " " }).code];
    for (const [code, name, person] of [
      [links[0], "Ada Lovelace", "Ada Lovelace"],
      [links[1], "grace", "grace"],
      [links[2], "Chrome on Linux", undefined],
    ]) {
      const { body, headers } = await hub.call("POST", "/auth/login", { body: { code, device: "Chrome on Linux" } });
      expect(body.device).toMatchObject({ name: "Chrome on Linux", ...(person !== undefined && { person }) });
      const [cookie = ""] = (headers["set-cookie"]?.[0] ?? "").split(";");
      const both = { cookie, authorization: `Bearer ${body.secret}` };
      const rest = await hub.call("POST", `/api/sessions/${await askOne(hub)}/answer`, { headers: both, body: { answers } });
      expect(rest.body.outcome.by).toEqual({ surface: "web", name });
      const page = hub.connect("desk", { login: browserLogin({ ...body, id: body.device.id }, hub.url) });
      expect((await page.desk.cancel(await askOne(hub))).outcome?.by).toEqual({ surface: "web", name });
      expect((await page.devices.list()).find(({ current }) => current)).toMatchObject({ name: "Chrome on Linux", current: true });
      page.close();
    }
    const people = (await hub.call("GET", "/auth/devices", { as: "desk" })).body.items.map(({ person }: { person?: string }) => person);
    expect(new Set(people)).toEqual(new Set(["Ada Lovelace", "grace", undefined]));
  });

  // promise: browser-cannot-ask
  it("may not ask", async () => {
    const hub = await start();
    const { headers } = await logIn(hub);
    expect((await hub.call("POST", "/api/sessions", { headers, body: { questions: [{ question: "Why?" }] } })).status).toBe(403);
  });

  it("shows a short, plain name on one line", async () => {
    const hub = await start();
    const { headers } = await logIn(hub, `\u001b[31mA\n\u202eb${"c".repeat(100)}`);
    const [device] = (await hub.call("GET", "/auth/devices", { headers })).body.items;
    expect(device.name).toBe(` [31mA b${"c".repeat(100)}`.trim().slice(0, 60));
    const nameless = await hub.call("POST", "/auth/login", { body: { code: await newCode(hub) } });
    expect(nameless.body.device.name).toBe("Browser");
  });
});

describe("the devices", () => {
  it("are listed with the requesting one marked", async () => {
    const hub = await start();
    const first = await logIn(hub);
    await hub.clock.advance(5_000);
    const second = await logIn(hub, "Chrome on Android");
    const { items } = (await hub.call("GET", "/auth/devices", { headers: second.headers })).body;
    const at = hub.clock.now();
    expect(items).toEqual([
      { id: second.id, name: "Chrome on Android", createdAt: at, lastSeenAt: at, current: true },
      { id: first.id, name: "Firefox on Linux", createdAt: at - 5_000, lastSeenAt: at - 5_000, current: false },
    ]);
    const seenByToken = (await hub.call("GET", "/auth/devices", { as: "desk" })).body.items;
    expect(seenByToken.map(({ current }: { current: boolean }) => current)).toEqual([false, false]);
    expect((await hub.call("GET", "/auth/devices", { as: "asker" })).status).toBe(403);
  });

  // promise: login-ends
  it("lose their connections at once when they are revoked, and cannot reconnect", async () => {
    const hub = await start();
    const [kept, lost] = [await logIn(hub), await logIn(hub, "Chrome on Android")];
    const clients = [kept, lost].map(({ cookie, secret }) => hub.connect("desk", { token: secret, headers: { cookie } }));
    for (const client of clients) await client.ready();
    const gone = new Promise((resolve) => clients[1]?.onState(resolve));
    expect((await hub.call("DELETE", `/auth/devices/${lost.id}`, { headers: kept.headers })).status).toBe(204);
    expect(await gone).toBe("lost");
    await until(() => hub.hub.connections.desks.length === 1);
    expect((await hub.call("GET", "/api/sessions", { headers: lost.headers })).status).toBe(401);
    await expect(hub.connect("desk", { token: lost.secret, headers: { cookie: lost.cookie } }).ready()).rejects.toMatchObject({
      code: "UNAUTHORIZED",
    });
    expect(clients[0]?.state()).toBe("open");
    expect((await hub.call("DELETE", `/auth/devices/${lost.id}`, { headers: kept.headers })).status).toBe(404);
  });

  it("lose a request in progress when they are revoked", async () => {
    const hub = await start();
    const lost = await logIn(hub);
    const id = await askOne(hub);
    const poll = send(new URL(`/api/sessions/${id}?wait=600`, hub.url), { headers: lost.headers });
    await until(() => hub.broker.stats().watching === 1);
    await hub.call("DELETE", `/auth/devices/${lost.id}`, { as: "desk" });
    expect((await poll).status).toBe(401);
    await until(() => hub.broker.stats().watching === 0);
  });

  // promise: login-ends, revoked-token-ends-all
  it("are logged out with the named token that let them in, when it is revoked or expires", async () => {
    const hub = await start();
    const make = async (wish: object) =>
      (await hub.call("POST", "/api/tokens", { as: "desk", body: { scope: "desk", ...wish } })).body.token;
    const logInBy = async (token: string) => {
      const { body } = await hub.call("POST", "/auth/codes", { headers: { authorization: `Bearer ${token}` } });
      const answer = await hub.call("POST", "/auth/login", { body: { code: body.code } });
      const [cookie = ""] = (answer.headers["set-cookie"]?.[0] ?? "").split(";");
      return { cookie, authorization: `Bearer ${answer.body.secret}` };
    };
    const permanent = await logIn(hub);
    const [revoked, expiring] = [await make({ name: "laptop" }), await make({ name: "visit", expiresIn: 60_000 })];
    const [byRevoked, byExpiring] = [await logInBy(revoked), await logInBy(expiring)];
    const codeOf = (await hub.call("POST", "/auth/codes", { headers: { authorization: `Bearer ${revoked}` } })).body.code;
    const statuses = async () => {
      const seen = [];
      for (const headers of [permanent.headers, byRevoked, byExpiring])
        seen.push((await hub.call("GET", "/api/sessions", { headers })).status);
      return seen;
    };
    expect(await statuses()).toEqual([200, 200, 200]);
    await hub.call("DELETE", "/api/tokens/laptop", { as: "desk" });
    expect(await statuses()).toEqual([200, 401, 200]);
    expect((await hub.call("POST", "/auth/login", { body: { code: codeOf } })).status).toBe(401);
    await hub.clock.advance(60_000);
    expect(await statuses()).toEqual([200, 401, 401]);
    expect((await hub.call("GET", "/auth/devices", { as: "desk" })).body.items).toHaveLength(1);
  });

  // promise: login-ends
  it("can log themselves out", async () => {
    const hub = await start();
    const { headers } = await logIn(hub);
    const answer = await hub.call("POST", "/auth/logout", { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers["set-cookie"]?.[0]).toMatch(/^askbox_\d+=; Max-Age=0; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await hub.call("GET", "/auth/devices", { headers })).status).toBe(401);
    expect((await hub.call("POST", "/auth/logout", { as: "desk" })).status).toBe(400);
    const cookie = await hub.call("DELETE", "/auth/cookie");
    expect([cookie.status, cookie.headers["set-cookie"]?.[0]]).toEqual([204, answer.headers["set-cookie"]?.[0]]);
  });

  // promise: login-ends, one-guarantor
  it("are never joined by a cookie: a login with another's cookie is a separate device, which ends with the token that let it in", async () => {
    const hub = await start();
    const person = await logIn(hub);
    const { token } = (await hub.call("POST", "/api/tokens", { as: "desk", body: { scope: "desk", name: "visitor" } })).body;
    const bearer = { authorization: `Bearer ${token}` };
    const { code } = (await hub.call("POST", "/auth/codes", { headers: bearer })).body;
    const { headers, body } = await hub.call("POST", "/auth/login", { headers: { cookie: person.cookie }, body: { code } });
    const [cookie = ""] = (headers["set-cookie"]?.[0] ?? "").split(";");
    expect(body.device.id).not.toBe(person.id);
    expect(cookie).not.toBe(person.cookie);
    const visitor = { cookie, authorization: `Bearer ${body.secret}` };
    const mixed = { cookie: person.cookie, authorization: `Bearer ${body.secret}` };
    const status = async (shown: Record<string, string>) => (await hub.call("GET", "/api/sessions", { headers: shown })).status;
    expect([await status(person.headers), await status(visitor), await status(mixed)]).toEqual([200, 200, 401]);
    await hub.call("DELETE", "/api/tokens/visitor", { as: "desk" });
    expect([await status(person.headers), await status(visitor), await status(mixed)]).toEqual([200, 401, 401]);
    // Planting a cookie gains an attacker nothing.
    const planted = await logIn(hub, "Firefox on Linux", { cookie: person.cookie.replace(/=.*/, "=planted") });
    expect(planted.cookie).not.toContain("planted");
  });

  // promise: secrets-hashed
  it("are stored as hashes across runs of the hub", async () => {
    const kept = storage();
    const hub = await start({ devices: kept });
    const { id, cookie, secret } = await logIn(hub);
    const text = JSON.stringify(kept.kept);
    expect(text).toContain(id);
    for (const half of [secret, cookie.split("=")[1] ?? ""]) expect(text).not.toContain(half);
    await hub.hub.close();
    const next = await start({ devices: kept });
    const { port } = new URL(next.url);
    const headers = { cookie: cookie.replace(/^askbox_\d+/, `askbox_${port}`), authorization: `Bearer ${secret}` };
    expect((await next.call("GET", "/auth/devices", { headers })).body.items).toMatchObject([{ id, current: true }]);
  });

  it("are skipped if they cannot be read", async () => {
    const kept = { load: () => [null, 1, {}, { id: "x", name: "y" }], save: () => {} };
    const hub = await start({ devices: kept });
    expect((await hub.call("GET", "/auth/devices", { as: "desk" })).body.items).toEqual([]);
  });

  // promise: login-ends
  it("are logged out after 90 days without use, but not while they are connected", async () => {
    const hub = await start();
    const [idle, used, connected] = [await logIn(hub, "idle"), await logIn(hub, "used"), await logIn(hub, "connected")];
    const client = hub.connect("desk", { token: connected.secret, headers: { cookie: connected.cookie } });
    await client.ready();
    hub.clock.jumpWall(89 * day);
    expect((await hub.call("GET", "/api/sessions", { headers: used.headers })).status).toBe(200);
    hub.clock.jumpWall(2 * day);
    expect((await hub.call("GET", "/api/sessions", { headers: idle.headers })).status).toBe(401);
    const { items } = (await hub.call("GET", "/auth/devices", { headers: used.headers })).body;
    expect(items.map(({ name }: { name: string }) => name).sort()).toEqual(["connected", "used"]);
    expect(client.state()).toBe("open");
  });

  it("are saved before a login completes, and rarely after that", async () => {
    const kept = storage();
    const hub = await start({ devices: kept });
    const { headers } = await logIn(hub);
    expect(kept.saves).toBe(1);
    for (let request = 0; request < 5; request += 1) await hub.call("GET", "/auth/devices", { headers });
    expect(kept.saves).toBe(1);
    await hub.clock.advance(3_600_000);
    await hub.call("GET", "/auth/devices", { headers });
    expect(kept.saves).toBe(2);
    expect(kept.kept[0]?.lastSeenAt).toBe(hub.clock.now());
  });

  it("are not logged in if they cannot be saved", async () => {
    const disk = {
      load: () => [],
      save: () => {
        throw new Error("ENOSPC");
      },
    };
    const logged: unknown[] = [];
    const hub = await start({ devices: disk, log: (...entry) => logged.push(entry) });
    const answer = await hub.call("POST", "/auth/login", { body: { code: await newCode(hub) } });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([500, undefined]);
    expect([answer.body.detail, JSON.stringify(logged)]).toEqual([
      expect.not.stringContaining("ENOSPC"),
      expect.stringContaining("ENOSPC"),
    ]);
    expect((await hub.call("GET", "/auth/devices", { as: "desk" })).body.items).toEqual([]);
  });

  it("are as many as the limit allows: the least recently used one is logged out", async () => {
    const hub = await start({ limits: { browsers: 3 } });
    const oldest = await logIn(hub, "oldest");
    for (let count = 0; count < 3; count += 1) {
      await hub.clock.advance(3_000);
      await logIn(hub, `browser ${count}`);
    }
    expect((await hub.call("GET", "/auth/devices", { as: "desk" })).body.items).toHaveLength(3);
    expect((await hub.call("GET", "/auth/devices", { headers: oldest.headers })).status).toBe(401);
  });

  // promise: login-code-unlogged
  it("and their codes, cookies and secrets are never logged", async () => {
    const logged: unknown[] = [];
    const hub = await start({ log: (...entry) => logged.push(entry) });
    const code = await newCode(hub);
    const { cookie, secret } = await logIn(hub);
    await hub.call("POST", "/auth/login", { body: { code: "wrong" } });
    await hub.connect("desk", { token: secret, headers: { cookie } }).ready();
    expect(logged.length).toBeGreaterThan(0);
    for (const half of [code, secret, cookie.split("=")[1] ?? ""]) expect(JSON.stringify(logged)).not.toContain(half);
  });
});
