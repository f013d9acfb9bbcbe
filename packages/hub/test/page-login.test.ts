import { channelPair, createWireClient, type WireClient } from "@askbox/wire";
import { describe, expect, it } from "vitest";
import { logIn, start, storage } from "./browsers.ts";
import { browserLogin, type TestHub, until } from "./support.ts";

const notTheHub = { code: "HUB_UNREACHABLE", message: expect.stringContaining("is not the hub") };

/** Why the client was denied access. */
async function refusalOf({ clock }: TestHub, client: WireClient): Promise<unknown> {
  let refusal: unknown;
  client.ready().then(
    () => {
      refusal = "It was let in.";
    },
    (error: unknown) => {
      refusal = error;
    },
  );
  await until(async () => {
    await clock.advance(0);
    return refusal !== undefined;
  });
  client.close();
  return refusal;
}

describe("the page of a logged-in browser", () => {
  // promise: page-proves-hub, cookie-overwritten
  it("proves its key to the hub after the hub has proved itself, without cookie or secret", async () => {
    const hub = await start();
    const browser = await logIn(hub);
    const client = hub.connect("desk", { login: browserLogin(browser, hub.url) });
    await client.ready();
    expect(hub.hub.connections.desks).toEqual([{ surface: "web", name: "Firefox on Linux" }]);
    expect(await client.devices.list()).toMatchObject([{ id: browser.id, current: true }]);
    const asker = hub.connect("asker", { login: browserLogin(browser, hub.url) });
    await expect(asker.ready()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  // promise: page-proves-hub
  it("is rejected with another key, another login, or at another hub", async () => {
    const kept = storage();
    const hub = await start({ devices: kept, identity: "one" });
    const [one, other] = [await logIn(hub), await logIn(hub, "Chrome on Android")];
    const another = await start({ devices: kept, identity: "another" });
    for (const [at, login] of [
      [hub, browserLogin({ ...one, secret: other.secret }, hub.url)],
      [hub, browserLogin({ ...one, hub: "another" }, hub.url)],
      [another, browserLogin(one, another.url)],
      [another, browserLogin({ ...one, hub: "another" }, another.url)],
    ] as const) {
      expect(await refusalOf(at, at.connect("desk", { login }))).toMatchObject(notTheHub);
    }
    const gone = { ...one, id: "0123456789abcdef" };
    await expect(hub.connect("desk", { login: browserLogin(gone, hub.url) }).ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    // Both halves, at a hub to which somebody copied the file.
    const headers = { ...one.headers, cookie: one.cookie.replace(/^askbox_\d+/, `askbox_${new URL(another.url).port}`) };
    expect((await another.call("GET", "/auth/devices", { headers })).status).toBe(401);
  });

  // promise: page-proves-hub
  it("reveals nothing to another server that forwards everything to the hub: a proof is for one origin", async () => {
    const hub = await start();
    const browser = await logIn(hub);
    for (const origin of ["http://127.0.0.1:1", "https://127.0.0.1", "http://evil.example", "null", ""]) {
      const client = hub.connect("desk", { login: browserLogin(browser, origin) });
      await expect(client.ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
  });

  // promise: page-proves-hub
  it("sends another server nothing that could be used again", async () => {
    const hub = await start();
    const browser = await logIn(hub);
    const login = browserLogin(browser, hub.url);
    const seen: string[] = [];
    // The impostor tries everything it can: a challenge of the real hub for another nonce, its own challenge, and a welcome.
    const stranger = (answer: (hello: { login: { nonce: string } }) => object) =>
      createWireClient({
        connect: async () => {
          const [near, far] = channelPair();
          far.onMessage((text) => {
            seen.push(text);
            const { hello } = JSON.parse(text);
            if (hello !== undefined) far.send(JSON.stringify(answer(hello)));
          });
          return near;
        },
        hello: { login, role: "desk", surface: "web", agent: { name: "test", version: "1" } },
        clock: hub.clock,
        ids: { session: () => "one" },
        random: () => 0,
        timeout: 0,
      });
    const challenge = { hub: browser.hub, nonce: "n".repeat(32), proof: "0".repeat(64) };
    for (const answer of [() => ({ challenge }), () => ({ welcome: { protocol: 2, hub: { version: "1", instance: "x" } } })]) {
      expect(await refusalOf(hub, stranger(answer))).toMatchObject(notTheHub);
    }
    expect(seen.length).toBeGreaterThan(1);
    for (const text of seen) expect(Object.keys(JSON.parse(text))).toEqual(["hello"]);
    for (const half of [browser.secret, browser.cookie.split("=")[1] ?? ""]) expect(seen.join()).not.toContain(half);
  });

  // promise: login-ends
  it("is disconnected when another browser logs it out", async () => {
    const hub = await start();
    const [kept, lost] = [await logIn(hub), await logIn(hub, "Chrome on Android")];
    const [one, other] = [kept, lost].map((browser) => hub.connect("desk", { login: browserLogin(browser, hub.url) }));
    await Promise.all([one?.ready(), other?.ready()]);
    const gone = new Promise((resolve) => other?.onState(resolve));
    expect(await one?.devices.revoke(lost.id)).toBe(true);
    expect(await gone).toBe("lost");
    expect(await one?.devices.revoke(lost.id)).toBe(false);
  });
});
