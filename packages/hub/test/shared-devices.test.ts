import { type SharedState, silentLog } from "@askbox/core";
import { sharedMemory } from "@askbox/core/stores";
import { fakeClock } from "@askbox/core/testing";
import { expect, test } from "vitest";
import { Devices } from "../src/auth/devices.ts";
import { sharedDevices } from "../src/shared/shared-state.ts";

/** The browsers of two hubs. `before` is called before the first hub's next write, when it has read everything. */
function twoHubs() {
  const clock = fakeClock();
  const memory = sharedMemory(clock);
  const open = (shared: SharedState) =>
    new Devices({ hub: "h", storage: sharedDevices(shared), clock, log: silentLog, connected: () => new Set(), onRevoked: () => {} });
  const first = memory.open();
  let before = async () => {};
  const a = open({
    ...first,
    async swap(...change) {
      const now = before;
      before = async () => {};
      await now();
      return first.swap(...change);
    },
  });
  const writes = (what: () => Promise<unknown>) => {
    before = async () => void (await what());
  };
  return { a, b: open(memory.open()), writes, clock };
}

test("a browser that is logged out at one hub stays so, whatever another keeps about it at that moment", async () => {
  const { a, b, writes } = twoHubs();
  const { device, cookie, secret } = await a.logIn("Firefox");
  const other = await a.logIn("Chrome");
  writes(() => b.revoke(device.id));
  expect(await a.keep(device.id, { push: "on" })).toBe(false);
  for (const hub of [a, b]) {
    expect(await hub.verify(cookie, secret)).toBeUndefined();
    expect((await hub.list()).map(({ id }) => id)).toEqual([other.device.id]);
  }
  expect(await a.keep(device.id, { push: "on" })).toBe(false);
});

test("what is kept about a browser changes nothing else of it", async () => {
  const { a, b, writes } = twoHubs();
  const { device } = await a.logIn("Firefox");
  writes(() => b.keep(device.id, { push: "elsewhere" }));
  expect(await a.keep(device.id, { push: "on" })).toBe(true);
  await b.list();
  expect(b.records()).toMatchObject([{ id: device.id, name: "Firefox", kept: { push: "on" } }]);
});

test("a login that fails brings back no browser that was logged out meanwhile", async () => {
  const { a, b, writes } = twoHubs();
  const { device, cookie, secret } = await a.logIn("Firefox");
  writes(async () => {
    await b.revoke(device.id);
    await a.list();
    throw new Error("Redis is gone.");
  });
  await expect(a.logIn("Chrome")).rejects.toThrow("Redis is gone.");
  expect(await a.verify(cookie, secret)).toBeUndefined();
  expect(await a.list()).toEqual([]);
});

test("a logout that could not be stored holds at its hub, and within seconds at all if it can be stored then", async () => {
  const { a, b, writes, clock } = twoHubs();
  const { device, cookie, secret } = await a.logIn("Firefox");
  writes(() => Promise.reject(new Error("Redis is gone.")));
  await expect(a.revoke(device.id)).rejects.toThrow("Redis is gone.");
  const other = await b.logIn("Chrome");
  expect(await a.verify(cookie, secret)).toBeUndefined();
  await clock.advance(10_000);
  for (const hub of [a, b]) {
    expect(await hub.verify(cookie, secret)).toBeUndefined();
    expect((await hub.list()).map(({ id }) => id)).toEqual([other.device.id]);
  }
});
