import { earlierOf, fakeClock, resumed } from "@askbox/core/testing";
import { channelPair, closeCodes, type WireState } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { agent, askerHello, deskHello, drive, pairClient, rawPeer, testHub } from "./support.ts";

describe("a hello", () => {
  test.each([
    ["an unknown token", { hello: { protocol: 2, token: "guess", role: "asker", agent } }, "UNAUTHORIZED", closeCodes.refused],
    [
      "an asker's token for a desk",
      { hello: { protocol: 2, token: "asker:o", role: "desk", surface: "web", agent } },
      "FORBIDDEN",
      closeCodes.refused,
    ],
    ["a desk without a surface", { hello: { protocol: 2, token: "desk:o", role: "desk", agent } }, "VALIDATION", closeCodes.refused],
    ["no agent", { hello: { protocol: 2, token: "asker:o", role: "asker" } }, "VALIDATION", closeCodes.refused],
    ["a later protocol", { hello: { protocol: 3, other: "fields" } }, "PROTOCOL_MISMATCH", closeCodes.refused],
    ["a request", { id: 1, method: "list", params: {} }, "VALIDATION", closeCodes.malformed],
    ["no JSON", "hello?", "VALIDATION", closeCodes.malformed],
  ])("with %s is rejected and the channel closed", async (_, message, code, closeCode) => {
    const hub = await testHub();
    const [near, far] = channelPair();
    const connection = hub.serve(far);
    const peer = rawPeer(near);
    peer.send(message);
    await hub.clock.advance(0);
    expect(peer.frames).toMatchObject([{ error: { code } }]);
    expect(peer.end()?.code).toBe(closeCode);
    await connection.closed;
  });

  test("that does not arrive within five seconds closes the channel", async () => {
    const hub = await testHub();
    const [near, far] = channelPair();
    hub.serve(far);
    const peer = rawPeer(near);
    await hub.clock.advance(4_999);
    expect(peer.end()).toBeUndefined();
    await hub.clock.advance(1);
    expect(peer.end()?.code).toBe(closeCodes.helloTimeout);
  });

  test("that waits to be read is accepted when a suspended hub runs its timers again", async () => {
    const hub = await testHub();
    const [near, far] = channelPair();
    const timers: (() => void)[] = [];
    const { setTimer } = hub.clock;
    hub.clock.setTimer = (_delay, callback) => {
      timers.push(callback);
      return () => {};
    };
    hub.serve(far);
    hub.clock.setTimer = setTimer;
    const peer = rawPeer(near);
    timers[0]?.();
    peer.send({ hello: { protocol: 2, ...askerHello() } });
    await hub.clock.advance(0);
    expect(peer.end()).toBeUndefined();
    expect(peer.frames.some((frame) => "welcome" in frame)).toBe(true);
  });

  test("that is still being verified is not followed by requests", async () => {
    const hub = await testHub({ authenticate: () => new Promise(() => {}) });
    const [near, far] = channelPair();
    hub.serve(far);
    const peer = rawPeer(near);
    peer.send({ hello: { protocol: 2, ...askerHello() } });
    peer.send({ id: 1, method: "collect", params: {} });
    await hub.clock.advance(0);
    expect(peer.end()?.code).toBe(closeCodes.malformed);
  });

  test("whose verification fails inside the hub reveals nothing internal", async () => {
    const hub = await testHub({ authenticate: () => Promise.reject(new Error("ENOENT /home/ada/tokens")) });
    const client = pairClient(hub, askerHello(), { timeout: 0 });
    await expect(drive(hub.clock, client.ready())).rejects.toMatchObject({
      code: "HUB_UNREACHABLE",
      message: expect.not.stringContaining("ada"),
    });
  });

  test("is answered with the hub's description", async () => {
    const hub = await testHub();
    const client = pairClient(hub, deskHello({ surface: "web", name: "Bob" }));
    expect(await drive(hub.clock, client.ready())).toEqual({ version: "0.1.0", instance: "run-1" });
    expect(client.state()).toBe("open");
  });

  test("uses the token's name rather than the one in the hello", async () => {
    const hub = await testHub({ authenticate: async () => ({ owner: "o", scopes: ["asker", "desk"], name: "Ada's phone" }) });
    const asker = pairClient(hub, askerHello());
    const desk = pairClient(hub, deskHello({ surface: "web", name: "Mallory" }));
    const question = { id: "q", type: "text" as const, question: "Why?", required: true };
    const { session } = await asker.asker.ask({ questions: [question], timeout: 10_000 }, { asker: { client: { name: "x" } }, maxWait: 0 });
    const view = await desk.desk.cancel(session.id);
    expect(view.outcome?.by).toEqual({ surface: "web", name: "Ada's phone" });
  });

  test.each([
    ["the token's name if the hello has none", {}, { tokenName: "bot" }, "bot"],
    ["the token's name before the hello's", { name: "Bob" }, { tokenName: "bot" }, "bot"],
    ["the hello's name before that of a token for others", { name: "Bob" }, { tokenName: "bot", onBehalf: true }, "Bob"],
    ["the hello's name if the token has none", { name: "Bob" }, {}, "Bob"],
  ])("uses %s", async (_, hello, token, name) => {
    const hub = await testHub({ authenticate: async () => ({ owner: "o", scopes: ["asker", "desk"], ...token }) });
    const asker = pairClient(hub, askerHello());
    const desk = pairClient(hub, deskHello({ surface: "api", ...hello }));
    const question = { id: "q", type: "text" as const, question: "Why?", required: true };
    const { session } = await asker.asker.ask({ questions: [question], timeout: 10_000 }, { asker: { client: { name: "x" } }, maxWait: 0 });
    expect((await desk.desk.cancel(session.id)).outcome?.by).toEqual({ surface: "api", name });
  });
});

describe("the protocol's version", () => {
  test.each([
    ["the hub's own", 5, undefined],
    ["the one before", 4, undefined],
    ["an older one", 3, "Update the askbox that connects"],
    ["a newer one", 6, "Update the hub"],
  ])("%s is negotiated in the hello", async (_, protocol, advice) => {
    const hub = await testHub({ protocols: [5, 4] });
    const client = pairClient(hub, { ...askerHello(), protocol });
    const ready = drive(hub.clock, client.ready());
    if (advice === undefined) await expect(ready).resolves.toMatchObject({ version: "0.1.0" });
    else {
      await expect(ready).rejects.toMatchObject({
        code: "PROTOCOL_MISMATCH",
        message: expect.stringContaining(advice),
        details: { protocols: [5, 4], hub: { version: "0.1.0", instance: "run-1" } },
      });
      expect(client.state()).toBe("closed");
    }
  });

  test("a hub that chooses another version than requested is not used", async () => {
    const clock = fakeClock();
    const hub = await testHub({}, clock);
    const client = pairClient(hub, askerHello(), {
      async connect() {
        const [near, far] = channelPair();
        far.onMessage(() => far.send(JSON.stringify({ welcome: { protocol: 9, hub: { version: "9", instance: "i" } } })));
        return near;
      },
    });
    await expect(client.ready()).rejects.toMatchObject({ code: "PROTOCOL_MISMATCH" });
  });
});

describe("a rejected client", () => {
  test("closes, reports why, and rejects all later requests", async () => {
    const hub = await testHub();
    const client = pairClient(hub, { ...askerHello(), token: "old" });
    const states: [WireState, string | undefined][] = [];
    client.onState((state, error) => states.push([state, error?.code]));
    await expect(client.ready()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    await expect(resumed(client.asker, "x")).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(states).toEqual([["closed", "UNAUTHORIZED"]]);
  });

  test("reads its token again when the hub was restarted with another", async () => {
    const hub = await testHub();
    let valid = "asker:old";
    const { authenticate } = hub.options;
    hub.options = { ...hub.options, authenticate: async (token) => (token === valid ? authenticate(token) : undefined) };
    let written = "asker:old";
    const client = pairClient(hub, () => ({ ...askerHello(), token: written }));
    await client.ready();
    valid = "asker:new";
    const [connection] = hub.connections;
    await connection?.bye("The hub is started again.");
    const earlier = earlierOf(client.asker, { client: { name: "x" } });
    await hub.clock.advance(2_000);
    written = "asker:new";
    expect(await drive(hub.clock, earlier)).toEqual([]);
  });
});
