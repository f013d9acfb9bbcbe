import { createECDH, createHash, createHmac, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBroker, memoryStore, silentLog, standardPlatform } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { createHub, hashToken, tokenVerifier } from "@askbox/hub";
import { type Push, publicKeyOf } from "@askbox/notify";
import { loginKeyText } from "@askbox/wire";
import { describe, expect, onTestFinished, test } from "vitest";
import { mountPush, pushKey } from "../src/push/mount-push.ts";

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), "askbox-push-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
};
const pointOf = () => {
  const keys = createECDH("prime256v1");
  return keys.generateKeys("base64url");
};
const subscriptionAt = (endpoint: string) => ({
  endpoint,
  expirationTime: null,
  keys: { p256dh: pointOf(), auth: randomBytes(16).toString("base64url") },
});

/** A hub with pushes, and browsers that are logged in at it. `push`: what it notifies with. */
async function start(push?: Push) {
  const platform = standardPlatform(globalThis);
  const broker = await createBroker({ ...platform, store: memoryStore() });
  const key = await pushKey(join(folder(), "push-key.json"), undefined)();
  const mounted = mountPush({ key: async () => key, log: silentLog });
  mounted.connect(push);
  const hub = createHub({
    broker,
    platform,
    identity: "push-hub",
    web: import.meta.dirname,
    mounts: [mounted.mount],
    tokens: tokenVerifier([{ hash: hashToken("desk"), access: { owner: "desk", scopes: ["desk"] } }]),
  });
  const url = await hub.listen();
  onTestFinished(async () => {
    await hub.close();
    await broker.close();
  });
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: url, ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json().catch(() => undefined) };
  };
  const logIn = async (device: string, person?: string) => {
    const { body } = await post("/auth/login", { code: hub.createLogin({ person }).code, device });
    const id: string = body.device.id;
    const loginKey = createHash("sha256").update(loginKeyText(body.hub, body.secret)).digest();
    const sign = (text: string, { at = Date.now(), origin = url, by = id, secret = loginKey, identity = body.hub as string } = {}) => ({
      id: by,
      origin,
      at,
      text,
      mac: createHmac("sha256", secret)
        .update(JSON.stringify(["askbox login: request", identity, origin, by, at, text]))
        .digest("hex"),
    });
    const ask = (request: object, at = Date.now()) => post("/push", sign(JSON.stringify(request), { at }));
    return { id, sign, ask, on: (endpoint: string, allow = false) => ask({ do: "on", subscription: subscriptionAt(endpoint), allow }) };
  };
  const options = await mounted.options({ answerAs: () => broker.desk({ surface: "web" }), showText: true });
  return {
    url,
    post,
    logIn,
    options,
    key,
    devices: (id: string) => fetch(`${url}/auth/devices/${id}`, { method: "DELETE", headers: { authorization: "Bearer desk" } }),
  };
}

const endpoint = "https://push.example/one";

describe("the inbox's page", () => {
  test("subscribes its browser, lists the browsers that get pushes, and turns any of them off", async () => {
    const { logIn, options, key } = await start();
    const [phone, laptop] = [await logIn("Chrome on Android", "Ada"), await logIn("Firefox on Linux")];
    expect((await phone.ask({ do: "read" })).body).toEqual({ key: publicKeyOf(key), browsers: [] });
    const ada = { id: phone.id, name: "Chrome on Android", person: "Ada", allow: true };
    expect((await phone.on(endpoint, true)).body.browsers).toEqual([{ ...ada, current: true }]);
    expect((await laptop.on("https://push.example/two")).body.browsers).toMatchObject([
      { ...ada, current: false },
      { id: laptop.id, current: true },
    ]);
    expect(options.browsers()).toMatchObject([{ id: phone.id, person: "Ada", push: { endpoint, allow: true } }, { id: laptop.id }]);
    expect((await laptop.ask({ do: "off", id: phone.id })).body.browsers).toMatchObject([{ id: laptop.id }]);
    expect((await laptop.ask({ do: "off" })).body.browsers).toEqual([]);
  });

  test("gets no more pushes once its browser was logged out, or its subscription has ended", async () => {
    const { logIn, options, devices } = await start();
    const [phone, laptop] = [await logIn("Phone"), await logIn("Laptop")];
    await phone.on(endpoint);
    await laptop.on("https://push.example/two");
    expect((await devices(phone.id)).status).toBe(204);
    expect(options.browsers().map(({ id }) => id)).toEqual([laptop.id]);
    expect((await phone.ask({ do: "read" })).status).toBe(401);
    const [before] = options.browsers();
    await laptop.on("https://push.example/three");
    if (before !== undefined) await options.forget(before);
    expect(options.browsers()).toMatchObject([{ id: laptop.id, push: { endpoint: "https://push.example/three" } }]);
    const [now] = options.browsers();
    if (now !== undefined) await options.forget(now);
    expect(options.browsers()).toEqual([]);
  });

  test("that logs in again takes its subscription along", async () => {
    const { logIn, options } = await start();
    const [before, after] = [await logIn("Phone"), await logIn("Phone")];
    await before.on(endpoint);
    await after.on(endpoint);
    expect(options.browsers().map(({ id }) => id)).toEqual([after.id]);
  });

  test("signs with its own login, for this hub and this origin", async () => {
    const { post, logIn } = await start();
    const [one, other] = [await logIn("One"), await logIn("Other")];
    const text = JSON.stringify({ do: "read" });
    expect((await post("/push", one.sign(text))).status).toBe(200);
    for (const signed of [
      { ...one.sign(text), id: other.id },
      { ...one.sign(text), text: `${text} ` },
      { ...one.sign(text), at: Date.now() + 1 },
      one.sign(text, { by: "0123456789abcdef" }),
      one.sign(text, { secret: randomBytes(32) }),
      one.sign(text, { identity: "another" }),
      one.sign(text, { origin: "https://elsewhere.example" }),
    ])
      expect((await post("/push", signed)).status).toBe(401);
  });

  test("is told the time if its clock is wrong or its request old, and nothing is done", async () => {
    const { logIn, options } = await start();
    const phone = await logIn("Phone");
    const late = await phone.ask({ do: "on", subscription: subscriptionAt(endpoint), allow: false }, Date.now() - 301_000);
    expect(late.body).toEqual({ now: expect.any(Number) });
    expect(options.browsers()).toEqual([]);
  });

  test.each([
    ["an address inside the network", { do: "on", subscription: subscriptionAt("https://192.168.0.1/x"), allow: false }],
    ["an address without TLS", { do: "on", subscription: subscriptionAt("http://push.example/x"), allow: false }],
    ["an endless address", { do: "on", subscription: subscriptionAt(`https://push.example/${"x".repeat(3_000)}`), allow: false }],
    ["no keys", { do: "on", subscription: { endpoint }, allow: false }],
    ["something else", { do: "delete" }],
  ])("is refused %s with a sentence", async (_, request) => {
    const { logIn, options } = await start();
    const { status, body } = await (await logIn("Phone")).ask(request);
    expect([status, typeof body.detail]).toEqual([400, "string"]);
    expect(options.browsers()).toEqual([]);
  });

  test("is refused a body that is too large, or no JSON", async () => {
    const { post } = await start();
    expect((await post("/push", "x".repeat(9_000))).status).toBe(400);
    expect((await post("/push/press", "{")).status).toBe(400);
  });

  test("can subscribe 50 browsers", async () => {
    const { logIn, options } = await start();
    for (let number = 0; number < 50; number += 1) await (await logIn(`B${number}`)).on(`https://push.example/${number}`);
    const last = await (await logIn("Last")).on("https://push.example/last");
    expect([last.status, options.browsers().length]).toEqual([409, 50]);
  }, 60_000);
});

describe("the page's service worker", () => {
  const pressed: string[][] = [];
  const push: Push = {
    async press(from, token) {
      pressed.push([from, token]);
      return token === "good" ? { status: "taken", isRepeated: false } : { status: "refused", why: "Too late." };
    },
    status: () => ({ browsers: 1, delivered: 0, waiting: 0, failed: 0 }),
    test: async (timeout) => [{ way: "push to Phone", pressedAfter: timeout }],
  };

  test("presses without a login, and is told in a sentence why a press is refused", async () => {
    const { post } = await start(push);
    expect(await post("/push/press", { to: "d1", token: "good" })).toEqual({ status: 200, body: { status: "taken", isRepeated: false } });
    expect(await post("/push/press", { to: "d1", token: "bad" })).toEqual({ status: 409, body: { status: "refused", why: "Too late." } });
    expect(pressed).toEqual([
      ["d1", "good"],
      ["d1", "bad"],
    ]);
    expect((await post("/push/press", { to: "d1", token: "x".repeat(101) })).status).toBe(400);
    expect((await post("/push/press", { to: "d1", token: "good" }, { origin: "https://elsewhere.example" })).status).toBe(403);
  });

  test("is tested by whoever has a desk's token", async () => {
    const { post } = await start(push);
    const headers = { authorization: "Bearer desk" };
    expect((await post("/push/test", { timeout: 5_000 }, headers)).body).toEqual({
      items: [{ way: "push to Phone", pressedAfter: 5_000 }],
    });
    expect((await post("/push/test", { timeout: 5_000 })).status).toBe(401);
    expect((await post("/push/test", { timeout: 5_000_000 }, headers)).status).toBe(400);
  });
});

describe("the key of a home", () => {
  test("is in a file that only its owner can read, and stays the same", async () => {
    const path = join(folder(), "push-key.json");
    const key = await pushKey(path, undefined)();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await pushKey(path, undefined)()).toEqual(key);
    writeFileSync(path, "{}");
    expect(await pushKey(path, undefined)()).not.toEqual(key);
    expect(JSON.parse(readFileSync(path, "utf8"))).toHaveProperty("d");
  });

  test("is the same at all hubs of a space, whoever starts first", async () => {
    const shared = sharedMemory(standardPlatform(globalThis).clock);
    const paths = [join(folder(), "one.json"), join(folder(), "two.json")];
    const [one, two] = await Promise.all(paths.map((path) => pushKey(path, shared.open())()));
    expect(one).toEqual(two);
    expect(paths.map((path) => existsSync(path))).toEqual([false, false]);
  });
});
