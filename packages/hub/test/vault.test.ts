import { testPlatform } from "@askbox/core/testing";
import { describe, expect, it } from "vitest";
import { createToken, type TokenVault, vaultVerifier } from "../src/index.ts";
import { ask, send, startHub, type TestHub, until } from "./support.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** A vault with what the test puts into it, which counts its calls. */
function aVault() {
  const entries = new Map<string, Awaited<ReturnType<TokenVault["resolve"]>>>();
  const asked: string[] = [];
  const listeners = new Set<(name: string) => void>();
  const vault: TokenVault = {
    async resolve(token) {
      asked.push(token);
      return entries.get(token);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { vault, entries, asked, publish: (name: string) => [...listeners].map((listener) => listener(name)) };
}

async function startWithVault(vault: TokenVault, options: { believedFor?: number; log?: (...entry: unknown[]) => void } = {}) {
  const platform = testPlatform();
  const hub = await startHub({ vault: vaultVerifier(vault, { clock: platform.clock, ...options }), log: options.log });
  return { hub, clock: platform.clock };
}
const list = (hub: TestHub, token: string) => hub.call("GET", "/api/sessions", { headers: bearer(token) });
const asking = (hub: TestHub, token: string) => hub.call("POST", "/api/sessions", { headers: bearer(token), body: ask });

describe("a vault of the host's own", () => {
  it("decides what a token may do, for which owner, and until when", async () => {
    const { vault, entries } = aVault();
    const { hub } = await startWithVault(vault);
    entries.set("of-ci", { name: "ci", scopes: ["asker"], agentId: "builder", expiresAt: hub.clock.now() + 60_000 });
    entries.set("of-ada", { name: "ada", scopes: ["desk"] });
    const asked = await asking(hub, "of-ci");
    expect([asked.status, asked.body.asker.agentId]).toEqual([201, "builder"]);
    expect((await list(hub, "of-ci")).status).toBe(403);
    expect((await list(hub, "of-ada")).body.items).toHaveLength(1);
    expect((await hub.connect("desk", { token: "of-ada" }).desk.list({})).items).toHaveLength(1);
    expect((await list(hub, "of-nobody")).status).toBe(401);
  });

  it("never receives the hub's own tokens or a browser's", async () => {
    const { vault, asked } = aVault();
    const { hub } = await startWithVault(vault);
    await hub.call("GET", "/api/sessions", { as: "desk" });
    const { body } = await hub.call("POST", "/api/tokens", { as: "desk", body: { name: "ci", scope: "asker" } });
    await asking(hub, body.token);
    expect(asked).toEqual([]);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("it is sealed, and of-ci is the token"))],
    ["throws", () => void JSON.parse("{")],
    ["answers what is no entry", async () => ({ name: "ci", scopes: ["root"] })],
    ["answers without scopes", async () => ({ name: "ci", scopes: [] })],
  ])("that %s denies access, without calling the token invalid or logging its message", async (_, resolve) => {
    const logged: unknown[] = [];
    const { hub } = await startWithVault({ resolve: resolve as TokenVault["resolve"] }, { log: (...entry) => logged.push(entry) });
    const refused = await asking(hub, "of-ci");
    expect([refused.status, refused.body.code]).toEqual([503, "STORE_UNAVAILABLE"]);
    hub
      .connect("asker", { token: "of-ci" })
      .ready()
      .catch(() => {});
    await until(() => logged.filter((entry) => JSON.stringify(entry).includes("The vault could not verify")).length >= 2);
    expect(hub.hub.connections.askers).toBe(0);
    expect(JSON.stringify(logged)).not.toContain("of-ci");
    expect((await hub.call("GET", "/api/sessions", { as: "desk" })).body.items).toEqual([]);
  });

  it("that does not respond denies access after the timeout, and its signal is aborted", async () => {
    let gone = false;
    const { hub, clock } = await startWithVault({
      resolve: (_, { signal }) => {
        signal.addEventListener("abort", () => {
          gone = true;
        });
        return new Promise(() => {});
      },
    });
    const refused = send(new URL("/api/sessions", hub.url), { headers: bearer("of-ci") });
    let isOver = false;
    void refused.finally(() => {
      isOver = true;
    });
    await until(async () => {
      await clock.advance(1_000);
      return isOver;
    });
    expect([(await refused).status, gone]).toEqual([503, true]);
  });

  it("is cached as long as configured", async () => {
    const { vault, entries, asked } = aVault();
    const { hub, clock } = await startWithVault(vault, { believedFor: 5_000 });
    entries.set("of-ada", { name: "ada", scopes: ["desk"] });
    await list(hub, "of-ada");
    entries.delete("of-ada");
    await clock.advance(4_999);
    expect((await list(hub, "of-ada")).status).toBe(200);
    await clock.advance(1);
    expect((await list(hub, "of-ada")).status).toBe(401);
    expect(asked).toHaveLength(2);
  });

  it("is not cached beyond the token's expiry", async () => {
    const { vault, entries } = aVault();
    const { hub, clock } = await startWithVault(vault, { believedFor: 60_000 });
    entries.set("of-ada", { name: "ada", scopes: ["desk"], expiresAt: clock.now() + 1_000 });
    expect((await list(hub, "of-ada")).status).toBe(200);
    await clock.advance(1_000);
    expect((await list(hub, "of-ada")).status).toBe(401);
  });

  it("ends open requests and cached access when it reports a revocation; another token with the same name is accepted", async () => {
    const { vault, entries, publish } = aVault();
    const { hub } = await startWithVault(vault, { believedFor: 60_000 });
    entries.set("of-ada", { name: "ada", scopes: ["desk"] });
    const client = hub.connect("desk", { token: "of-ada" });
    await client.ready();
    entries.delete("of-ada");
    publish("ada");
    await until(() => hub.hub.connections.desks.length === 0);
    expect((await list(hub, "of-ada")).status).toBe(401);
    entries.set("of-ada-again", { name: "ada", scopes: ["desk"] });
    expect((await list(hub, "of-ada-again")).status).toBe(200);
  });

  it("is asked once for many simultaneous requests", async () => {
    const { vault, entries, asked } = aVault();
    const { hub } = await startWithVault(vault, { believedFor: 0 });
    const token = createToken();
    entries.set(token, { name: "ada", scopes: ["desk"] });
    const verifier = vaultVerifier(vault, { clock: hub.clock, believedFor: 0 });
    await Promise.all(Array.from({ length: 50 }, () => verifier.verify(token)));
    expect(asked).toHaveLength(1);
    await verifier.verify(token);
    expect(asked).toHaveLength(2);
  });

  it.each([-1, 60_001, Number.NaN])("may not be cached for %s ms", (believedFor) => {
    expect(() => vaultVerifier(aVault().vault, { clock: testPlatform().clock, believedFor })).toThrow(/from 0 to 60000/);
  });
});
