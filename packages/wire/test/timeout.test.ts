import { anAsk, anAsker, earlierOf, resumed } from "@askbox/core/testing";
import { type Channel, channelPair } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { askerHello, deskHello, drive, fragile, pairClient, testHub } from "./support.ts";

describe("the timeout", () => {
  const nowhere = () => Promise.reject(new Error("connect ECONNREFUSED"));

  test("of 0 means one attempt", async () => {
    const hub = await testHub();
    let attempts = 0;
    const client = pairClient(hub, askerHello(), {
      timeout: 0,
      connect() {
        attempts += 1;
        return nowhere();
      },
    });
    await expect(drive(hub.clock, client.ready())).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: expect.stringContaining("ECONNREFUSED"),
    });
    expect(attempts).toBe(1);
  });

  test("of 0 is enough for a hub that is running", async () => {
    const hub = await testHub();
    const client = pairClient(hub, deskHello(), { timeout: 0 });
    expect(await drive(hub.clock, client.desk.list())).toEqual({ items: [] });
  });

  // promise: calls-outlive-hub-by-a-minute, next-hub-found, operation-over-crash
  test("ends a request a minute after the connection was lost, and not before", async () => {
    const hub = await testHub();
    const net = fragile();
    let isThere = true;
    const client = pairClient(hub, askerHello(), {
      connect() {
        if (!isThere) return nowhere();
        const [near, far] = channelPair();
        hub.serve(far);
        return Promise.resolve(net.through(near));
      },
    });
    const { session } = await client.asker.ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    let rejected: unknown;
    resumed(client.asker, session.id).catch((error: unknown) => {
      rejected = error;
    });
    await hub.clock.advance(120_000);
    isThere = false;
    net.cutAll();
    await hub.clock.advance(59_999);
    expect(rejected).toBeUndefined();
    await hub.clock.advance(1);
    expect(rejected).toMatchObject({ code: "HUB_UNREACHABLE" });
    isThere = true;
    expect(await drive(hub.clock, earlierOf(client.asker, anAsker()))).toEqual([]);
  });

  test("also bounds an attempt that hangs", async () => {
    const hub = await testHub();
    const late = Promise.withResolvers<Channel>();
    const client = pairClient(hub, askerHello(), { timeout: 0, connect: () => late.promise });
    const ready = client.ready();
    ready.catch(() => {});
    await hub.clock.advance(10_000);
    await expect(ready).rejects.toMatchObject({ code: "HUB_UNREACHABLE" });
    const [near, far] = channelPair();
    let isClosed = false;
    far.onClose(() => {
      isClosed = true;
    });
    late.resolve(near);
    await hub.clock.advance(0);
    expect(isClosed).toBe(true);
  });
});
