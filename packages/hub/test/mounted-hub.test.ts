import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBroker, memoryStore } from "@askbox/core";
import { testPlatform } from "@askbox/core/testing";
import { createWireClient, openWebSocket } from "@askbox/wire";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { createHub, createToken, type HubOptions, hashToken, nodeListener, tokenVerifier } from "../src/index.ts";
import { answers, ask, until } from "./support.ts";

/** A hub in another program's server, below `/askbox`. */
async function start(options: Partial<HubOptions> = {}) {
  const platform = testPlatform();
  const store = memoryStore();
  const broker = await createBroker({ ...platform, store });
  const [token, agent] = [createToken(), createToken()];
  const hub = createHub({
    broker,
    platform,
    basePath: "/askbox",
    tokens: tokenVerifier([
      { hash: hashToken(token), access: { owner: "person", scopes: ["desk"] } },
      { hash: hashToken(agent), access: { owner: "agent", scopes: ["asker"] } },
    ]),
    ...options,
  });
  onTestFinished(async () => {
    await hub.close();
    await broker.close();
  });
  const request = (path: string, { method = "GET", body, ...headers }: Record<string, unknown> = {}) =>
    new Request(`http://localhost:3000${path}`, {
      method: String(method),
      headers: { authorization: `Bearer ${agent}`, ...(headers as Record<string, string>) },
      body: JSON.stringify(body),
    });
  const call = (path: string, init: Record<string, unknown> = {}) => hub.fetch(request(path, init));
  const asked = async () => (await (await call("/askbox/api/sessions", { method: "POST", body: ask })).json()).id as string;
  return { hub, broker, store, platform, token, asDesk: { authorization: `Bearer ${token}` }, call, request, asked };
}

/** A page of this origin, without a token. */
function page(url: string, platform: ReturnType<typeof testPlatform>, headers: Record<string, string>, token = "") {
  const client = createWireClient({
    connect: () => openWebSocket(new WebSocket(`${url.replace("http", "ws")}/ws`, { headers })),
    hello: { token, role: "desk", surface: "web", agent: { name: "page", version: "1" } },
    ...platform,
    random: () => 0.5,
    timeout: 0,
  });
  onTestFinished(() => client.close());
  return client;
}

/** The server of the surrounding program. */
async function serve(hub: ReturnType<typeof createHub>, middleware: (incoming: IncomingMessage) => void = () => {}): Promise<string> {
  const server = createServer()
    .on("request", middleware)
    .on("request", nodeListener(hub.fetch))
    .on("upgrade", middleware)
    .on("upgrade", hub.upgrade);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://localhost:${(server.address() as AddressInfo).port}/askbox`;
}

describe("a hub that is mounted below a path", () => {
  it("answers there and nowhere else, with the right URLs of its sessions", async () => {
    const { call } = await start();
    const made = await call("/askbox/api/sessions", { method: "POST", body: ask });
    expect(made.status).toBe(201);
    const at = made.headers.get("location") ?? "";
    expect(at).toMatch(/^\/askbox\/api\/sessions\/\w+/);
    expect((await call(at)).status).toBe(200);
    for (const elsewhere of ["/api/sessions", "/askbox2/api/sessions", "/"]) expect((await call(elsewhere)).status).toBe(404);
    expect((await (await call("/askbox/openapi.json")).json()).servers).toEqual([{ url: "/askbox" }]);
    expect((await call("/askbox/healthz")).headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("serves its page there, with links and login below that path", async () => {
    const web = await mkdtemp(join(tmpdir(), "askbox-mounted-"));
    onTestFinished(() => rm(web, { recursive: true }));
    await writeFile(join(web, "index.html"), '<link href="./icon.svg"><script src="./assets/app-12345678.js"></script>');
    const { hub, call } = await start({ web, origin: () => "https://app.example" });
    for (const path of ["/askbox", "/askbox/", "/askbox/s/some-id"]) {
      const shell = await (await call(path, { accept: "text/html" })).text();
      expect(shell).toBe('<link href="/askbox/icon.svg"><script src="/askbox/assets/app-12345678.js"></script>');
    }
    const { url, code } = hub.createLogin();
    expect(url).toBe(`https://app.example/askbox/#login=${code}`);
    const login = await call("/askbox/auth/login", { method: "POST", body: { code }, host: "app.example", origin: "https://app.example" });
    expect(login.headers.get("set-cookie")).toMatch(/^askbox_app=.*; Path=\/askbox; HttpOnly; Secure; SameSite=Strict$/);
  });

  it("creates no login link without an origin, and says what to set", async () => {
    const { hub } = await start({ web: import.meta.dirname });
    expect(() => hub.createLogin()).toThrow("pass origin to createHub");
    expect(() => hub.url).toThrow(expect.objectContaining({ code: "VALIDATION" }));
  });

  it("shows its links, cookies and addresses below the prefix that a proxy strips", async () => {
    const web = await mkdtemp(join(tmpdir(), "askbox-stripped-"));
    onTestFinished(() => rm(web, { recursive: true }));
    await writeFile(join(web, "index.html"), '<script src="./assets/app-12345678.js"></script>');
    const { hub, call } = await start({ web, origin: "https://app.example/tools/" });
    expect(await (await call("/askbox/", { accept: "text/html" })).text()).toBe(
      '<script src="/tools/askbox/assets/app-12345678.js"></script>',
    );
    expect(hub.createLogin().url).toMatch(/^https:\/\/app\.example\/tools\/askbox\/#login=/);
    const visitor = { host: "app.example", origin: "https://app.example" };
    const login = await call("/askbox/auth/login", { ...visitor, method: "POST", body: { code: hub.createLogin().code } });
    expect(login.headers.get("set-cookie")).toContain("; Path=/tools/askbox;");
    const made = await call("/askbox/api/sessions", { method: "POST", body: ask });
    expect(made.headers.get("location")).toMatch(/^\/tools\/askbox\/api\/sessions\/\w+/);
    for (const origin of ["https://app.example/a b", "app.example", 'https://app.example/"><script>', "ftp://app.example"])
      await expect(start({ origin })).rejects.toMatchObject({ code: "VALIDATION", message: expect.stringContaining("origin") });
  });

  it.each(["askbox", "/askbox/", "/", "/a b"])("rejects %j as a path", async (basePath) => {
    await expect(start({ basePath })).rejects.toMatchObject({ code: "VALIDATION" });
  });

  it("is closed by await using", async () => {
    const { hub, call } = await start();
    {
      await using _ = hub;
      expect((await call("/askbox/readyz")).status).toBe(200);
    }
    expect((await call("/askbox/readyz")).status).toBe(503);
  });

  it("needs neither version, instance nor control, and cannot be stopped over the wire", async () => {
    const { hub, platform, token } = await start();
    const url = await serve(hub);
    const client = page(url, platform, {}, token);
    expect(await client.ready()).toMatchObject({ version: "0.0.0", instance: expect.stringMatching(/.+/) });
    expect(await client.control.status()).toEqual({});
    await expect(client.control.stop()).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("part of another program"),
    });
  });

  it("passes its path on to services that are mounted on it", async () => {
    let lent: string | undefined;
    const { call } = await start({
      mounts: [
        ({ basePath }) => {
          lent = basePath;
          return { paths: ["/own"], fetch: async () => Response.json("here"), close: async () => {} };
        },
      ],
    });
    expect(await (await call("/askbox/own")).json()).toBe("here");
    expect([lent, (await call("/own")).status]).toEqual(["/askbox", 404]);
  });
});

describe("an outcome delivered by a mounted hub", () => {
  it("counts as delivered once the server asks for more after the last chunk", async () => {
    const { broker, store, call, asked } = await start();
    const id = await asked();
    await broker.desk({ surface: "api" }).answer(id, { answers });
    const { body } = await call(`/askbox/api/sessions/${id}`);
    const reader = body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await store.get(id))?.delivery.deliveredAt).toBeNull();
    expect((await reader?.read())?.done).toBe(true);
    await until(async () => typeof (await store.get(id))?.delivery.deliveredAt === "number");
  });

  it("can be requested again if the client disconnects before", async () => {
    const { broker, store, hub, request, asked, call } = await start();
    const id = await asked();
    await broker.desk({ surface: "api" }).answer(id, { answers });
    const gone = new AbortController();
    const { body } = await hub.fetch(new Request(request(`/askbox/api/sessions/${id}`), { signal: gone.signal }));
    const reader = body?.getReader();
    await reader?.read();
    gone.abort();
    await expect(reader?.read()).rejects.toMatchObject({ code: "ABORTED" });
    await until(() => hub.connections.requests === 0);
    expect((await store.get(id))?.delivery.deliveredAt).toBeNull();
    expect(await (await call(`/askbox/api/sessions/${id}`)).json()).toMatchObject({ answered: true });
    await until(async () => typeof (await store.get(id))?.delivery.deliveredAt === "number");
  });
});

describe("the program around a hub", () => {
  const access = { owner: "ada@example.com", name: "Ada", scopes: ["desk"] } as const;
  const authenticate = (request: Request) => (/\bsession=ada\b/.test(request.headers.get("cookie") ?? "") ? access : undefined);

  it("identifies the owner of a request by the whole request, over REST and on the wire", async () => {
    const { hub, platform, call } = await start({ authenticate });
    const noToken = { authorization: "" };
    expect((await call("/askbox/api/sessions", { ...noToken, cookie: "session=ada" })).status).toBe(200);
    expect((await call("/askbox/api/sessions", { ...noToken, cookie: "session=eve" })).status).toBe(401);
    expect((await call("/askbox/api/sessions", { authorization: "Bearer unknown", cookie: "session=ada" })).status).toBe(200);
    // An asker has no desk rights.
    expect((await call("/askbox/api/sessions", { ...noToken, method: "POST", body: ask, cookie: "session=ada" })).status).toBe(403);
    const url = await serve(hub);
    await page(url, platform, { cookie: "session=ada" }).ready();
    await expect(page(url, platform, { cookie: "session=eve" }).ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("lets its page in by the program's session, and says what the locked page shows", async () => {
    const web = await mkdtemp(join(tmpdir(), "askbox-locked-"));
    onTestFinished(() => rm(web, { recursive: true }));
    await writeFile(join(web, "index.html"), "<head></head>");
    const locked = { text: 'Log in to "Example" <first> & last.', link: { text: "Log in", url: "/login" } };
    const { call } = await start({ authenticate, locked, web });
    const shell = await (await call("/askbox/", { accept: "text/html" })).text();
    const [, content = ""] = /<meta name="askbox-host" content="([^"<>]*)">/.exec(shell) ?? [];
    const read = content.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
    expect(JSON.parse(read)).toEqual({ session: true, ...locked });
    const session = (headers: object) => call("/askbox/auth/session", { authorization: "", ...headers });
    expect(await (await session({ cookie: "session=ada" })).json()).toEqual({ session: true });
    expect(await (await session({ cookie: "session=eve" })).json()).toEqual({ session: false });
    expect((await session({ cookie: "session=ada", origin: "https://elsewhere.example" })).status).toBe(403);
    const plain = await start({ web, locked: "askbox open" });
    expect(await (await plain.call("/askbox/", { accept: "text/html" })).text()).toBe("<head></head>");
    const scripted = { link: { text: "Log in", url: "javascript:alert(1)" } };
    await expect(start({ locked: scripted })).rejects.toMatchObject({ code: "VALIDATION" });
  });

  it("may use its own tokens, which it receives from the wire as from HTTP", async () => {
    const { hub, platform, call } = await start({
      authenticate: ({ headers }) => (headers.get("authorization") === "Bearer of-ada" ? access : undefined),
    });
    expect((await call("/askbox/api/sessions", { authorization: "Bearer of-ada" })).status).toBe(200);
    await page(await serve(hub), platform, {}, "of-ada").ready();
  });

  it("denies access when it throws", async () => {
    const { call } = await start({
      authenticate() {
        throw new Error("The database is away.");
      },
    });
    const answer = await call("/askbox/api/sessions", { authorization: "" });
    expect([answer.status, JSON.stringify(await answer.json())]).toEqual([500, expect.not.stringContaining("database")]);
  });
});

describe("a page of another origin", () => {
  const allowedOrigins = ["https://app.example"];

  // promise: host-and-origin-checked, foreign-page-refused
  it("may talk to a mounted hub if it comes from the address that it talks to", async () => {
    const { call, asDesk } = await start();
    const here = { ...asDesk, host: "localhost:3000" };
    expect((await call("/askbox/api/sessions", { ...here, origin: "http://localhost:3000" })).status).toBe(200);
    for (const origin of ["http://localhost:3001", "https://app.example", "null"]) {
      const refused = await call("/askbox/api/sessions", { ...here, origin });
      expect([origin, refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([origin, 403, null]);
    }
    expect((await call("/askbox/healthz", { host: "rebound.example" })).status).toBe(403);
  });

  it("gets the reason for a rejection on the wire, and its client stops trying", async () => {
    const { hub, platform, token } = await start();
    const client = page(await serve(hub), platform, { origin: "https://app.example" }, token);
    const told: unknown[] = [];
    client.onState((state, error) => told.push([state, error?.code]));
    const refused = { code: "FORBIDDEN", message: expect.stringContaining("allowedOrigins") };
    await expect(client.ready()).rejects.toMatchObject(refused);
    expect([client.state(), client.failure()]).toEqual(["closed", expect.objectContaining(refused)]);
    expect(told).toEqual([["closed", "FORBIDDEN"]]);
    await until(() => hub.connections.desks.length === 0);
  });

  // promise: guest-origins-by-token
  it("may be allowed by its origin, with a token", async () => {
    const { hub, platform, token, call } = await start({ allowedOrigins, authenticate: () => undefined });
    const from = { origin: "https://app.example" };
    const asks = { ...from, method: "OPTIONS", "access-control-request-method": "POST", authorization: "" };
    const before = await call("/askbox/api/sessions", asks);
    expect([before.status, before.headers.get("access-control-allow-headers")]).toEqual([204, expect.stringContaining("authorization")]);
    const made = await call("/askbox/api/sessions", { ...from, method: "POST", body: ask });
    expect([made.status, made.headers.get("access-control-allow-origin")]).toEqual([201, "https://app.example"]);
    expect(made.headers.get("access-control-expose-headers")).toContain("location");
    await page(await serve(hub), platform, from, token).ready();
  });

  // promise: guest-origins-by-token
  it("may be allowed by its origin, but its cookies are ignored", async () => {
    const cookies: unknown[] = [];
    const { hub, platform, call } = await start({
      allowedOrigins,
      authenticate({ headers }) {
        cookies.push(headers.get("cookie"));
        return undefined;
      },
    });
    const from = { origin: "https://app.example", cookie: "session=ada" };
    expect((await call("/askbox/api/sessions", { ...from, authorization: "" })).status).toBe(401);
    await expect(page(await serve(hub), platform, from).ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(cookies).toEqual([null, null]);
  });

  // promise: guest-origins-by-token
  it("may be allowed by its origin, but is not the person whose session the program has read from Node's request", async () => {
    const access = { owner: "ada@example.com", name: "Ada", scopes: ["desk", "asker"] } as const;
    const { hub, broker, platform } = await start({
      allowedOrigins,
      authenticate: ({ headers }, { incoming }) => {
        const { session } = Object(incoming) as { session?: string };
        return session === "ada" || headers.get("x-forwarded-user") === "ada" || headers.get("authorization") === "Basic ada"
          ? access
          : undefined;
      },
    });
    const url = await serve(hub, (incoming) => Object.assign(incoming, { session: "ada" }));
    const { id } = (await (await fetch(`${url}/api/sessions`, { method: "POST", body: JSON.stringify(ask) })).json()) as { id: string };
    const foreign = { origin: "https://app.example", "x-forwarded-user": "ada", "content-type": "text/plain" };
    for (const authorization of [undefined, "Basic ada", "Bearer unknown"]) {
      const headers = { ...foreign, ...(authorization !== undefined && { authorization }) };
      const body = JSON.stringify({ answers });
      expect((await fetch(`${url}/api/sessions/${id}/answer`, { method: "POST", headers, body })).status).toBe(401);
      expect((await fetch(`${url}/api/sessions`, { headers })).status).toBe(401);
    }
    for (const token of ["", "unknown"]) {
      await expect(page(url, platform, foreign, token).ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
    expect((await broker.desk({ surface: "api" }).get(id)).status).toBe("pending");
  });
});

it("a mounted hub that closes answers those who wait, hangs up on the rest, and leaves the server alone", async () => {
  const { hub, platform, token, call, asked } = await start();
  const url = await serve(hub);
  const id = await asked();
  const client = page(url, platform, {}, token);
  await client.ready();
  const waiting = call(`/askbox/api/sessions/${id}?wait=100`);
  await until(() => hub.connections.requests === 1);
  const closed = hub.close();
  const answer = await waiting;
  expect(answer.status).toBe(503);
  await answer.text();
  await closed;
  await until(() => client.state() === "lost");
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
});
