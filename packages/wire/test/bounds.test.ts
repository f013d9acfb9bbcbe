import { earlierOf } from "@askbox/core/testing";
import { channelPair, closeCodes } from "@askbox/wire";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { askerHello, deskHello, drive, fragile, pairClient, rawPeer, testHub, welcomedPeer } from "./support.ts";

describe("the default limits of a channel are", () => {
  test("4 MB for a message, above which the channel is closed", async () => {
    const hub = await testHub();
    const peer = await welcomedPeer(hub, deskHello());
    const ofBytes = (bytes: number) => {
      const text = (filler: string) => JSON.stringify({ id: 1, method: "list", params: { text: filler } });
      return text("x".repeat(bytes - text("").length));
    };
    peer.send(ofBytes(4_194_304));
    await hub.clock.advance(0);
    expect(peer.frames.at(-1)).toMatchObject({ id: 1, error: { code: "PAYLOAD_TOO_LARGE" } });
    peer.send(ofBytes(4_194_305));
    await hub.clock.advance(0);
    expect(peer.end()?.code).toBe(4413);
  });

  test("2,000 values in a list", async () => {
    const hub = await testHub();
    const peer = await welcomedPeer(hub, deskHello());
    const answer = (values: number) => ({ sessionId: "s", set: { answers: [{ questionId: "q", values: Array(values).fill("1") }] } });
    peer.send({ id: 1, method: "answer", op: "a", params: answer(2_000) });
    peer.send({ id: 2, method: "answer", op: "b", params: answer(2_001) });
    await hub.clock.advance(0);
    const failures = new Map(peer.frames.map(({ id, error }) => [id, error]));
    expect(failures.get(1)).toMatchObject({ code: "SESSION_NOT_FOUND" });
    expect(failures.get(2)).toMatchObject({ code: "VALIDATION", message: "The request has too many values; send shorter lists." });
  });

  test.each([
    ["20,000 values", `[${"{},".repeat(20_000)}{}]`],
    ["20,000 levels", `${"[".repeat(20_002)}${"]".repeat(20_002)}`],
  ])("%s in a message, which is refused without being parsed", async (_what, params) => {
    const hub = await testHub();
    const peer = await welcomedPeer(hub, deskHello());
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    peer.send(`{"id":7,"method":"answer","params":${params}}`);
    await hub.clock.advance(0);
    expect(parse.mock.calls.some(([text]) => text.includes(params))).toBe(false);
    expect(peer.frames.at(-1)).toMatchObject({
      id: 7,
      error: { code: "VALIDATION", message: "The request has too many values; send shorter lists." },
    });
    peer.send(`{"method":"answer","params":${params}}`);
    await hub.clock.advance(0);
    expect(peer.end()?.code).toBe(closeCodes.malformed);
  });

  test("2,000 concurrent requests", async () => {
    const hub = await testHub();
    const peer = await welcomedPeer(hub, deskHello());
    for (let id = 0; id <= 2_000; id += 1) peer.send({ id, method: "watch", params: { project: "/none" } });
    await hub.clock.advance(0);
    const refused = peer.frames.filter((frame) => "error" in frame);
    expect(refused).toMatchObject([{ id: 2_000, error: { code: "RATE_LIMITED" } }]);
  });

  test("1 MB of buffered changes for a watcher", async () => {
    const hub = await testHub();
    let unsent = 0;
    const peer = await welcomedPeer(hub, deskHello(), (channel) => ({
      send: (text) => channel.send(text),
      onMessage: (listener) => channel.onMessage(listener),
      onClose: (listener) => channel.onClose(listener),
      close: (code, reason) => channel.close(code, reason),
      get bufferedAmount() {
        return unsent;
      },
    }));
    const changes = () => peer.frames.filter((frame) => "watch" in frame).length;
    const { asker } = pairClient(hub, askerHello());
    const open = (text: string) =>
      asker.ask({ questions: [{ id: "q", type: "text", question: text, required: true }], timeout: 60_000 }, { asker: about, maxWait: 0 });
    const about = { client: { name: "x" } };
    peer.send({ id: 1, method: "watch", params: {} });
    await hub.clock.advance(0);
    const before = changes();
    unsent = 1_048_576;
    await drive(hub.clock, open("Told?"));
    const told = changes();
    expect(told).toBeGreaterThan(before);
    unsent += 1;
    await drive(hub.clock, open("Not told?"));
    expect(changes()).toBe(told);
  });

  test("30 s without a message", async () => {
    const hub = await testHub();
    const peer = await welcomedPeer(hub, deskHello());
    await hub.clock.advance(29_999);
    expect(peer.end()).toBeUndefined();
    await hub.clock.advance(1);
    expect(peer.end()?.code).toBe(4000);
  });
});

test("what is sent once is not sent again on the next connection", async () => {
  const times = { called: 0, stop: 0 };
  const net = fragile();
  const hub = await testHub();
  // The connection breaks after the request has arrived and before its reply has left.
  const control = {
    status: async () => ({}),
    async stop() {
      times.stop += 1;
      net.cutAll();
    },
    called() {
      times.called += 1;
      net.cutAll();
    },
  };
  hub.options = { ...hub.options, control };
  const asker = pairClient(hub, askerHello(), { through: net.through });
  await asker.ready();
  asker.called({ tool: "ask_user", status: "ok" });
  await hub.clock.advance(0);
  await drive(hub.clock, earlierOf(asker.asker, { client: { name: "x" } }));
  await hub.clock.advance(10_000);
  const desk = pairClient(hub, deskHello(), { through: net.through });
  await desk.ready();
  await drive(hub.clock, desk.control.stop());
  await drive(hub.clock, desk.desk.list());
  await hub.clock.advance(10_000);
  expect(times).toEqual({ called: 1, stop: 1 });
});

describe("an unknown", () => {
  test("field in a message is ignored", async () => {
    const hub = await testHub();
    const [near, far] = channelPair();
    hub.serve(far);
    const peer = rawPeer(near);
    peer.send({ hello: { protocol: 2, ...deskHello(), mood: "good" }, colour: "red" });
    await hub.clock.advance(0);
    peer.send({ id: 1, method: "list", params: { colour: "red" }, colour: "red" });
    await hub.clock.advance(0);
    expect(peer.frames).toMatchObject([{ welcome: { protocol: 2 } }, { id: 1, result: { items: [] } }]);
  });

  test("part of the hub's messages is ignored by a client, and an unknown code is read as INTERNAL", async () => {
    const hub = await testHub();
    const client = pairClient(hub, askerHello(), {
      async connect() {
        const [near, far] = channelPair();
        far.onMessage((text) => {
          const { id } = JSON.parse(text) as { id?: number };
          if (id === undefined) {
            const welcome = { protocol: 2, hub: { version: "9", instance: "i", colour: "red" }, colour: "red" };
            far.send(JSON.stringify({ welcome, colour: "red" }));
            far.send(JSON.stringify({ colour: "red" }));
          } else far.send(JSON.stringify({ id, error: { code: "TOO_BLUE", message: "It is too blue." }, colour: "red" }));
        });
        return near;
      },
    });
    await drive(hub.clock, client.ready());
    await expect(drive(hub.clock, earlierOf(client.asker, { client: { name: "x" } }))).rejects.toMatchObject({
      code: "INTERNAL",
      message: "It is too blue.",
    });
  });
});

test("the page uses the same close codes", () => {
  expect(closeCodes).toEqual({
    done: 1000,
    unresponsive: 4000,
    closing: 4001,
    malformed: 4400,
    refused: 4403,
    helloTimeout: 4408,
    tooLarge: 4413,
  });
});

test("a closing hub says so, and closes with its own code; a revoked token closes with another", async () => {
  const hub = await testHub();
  const [leaving, cut] = [await welcomedPeer(hub, deskHello()), await welcomedPeer(hub, deskHello())];
  await leaving.connection.bye("restarting");
  cut.connection.cut("The token was revoked.");
  await hub.clock.advance(0);
  expect([leaving.frames.at(-1), leaving.end()?.code]).toEqual([{ bye: "restarting" }, 4001]);
  expect(cut.end()?.code).toBe(4403);
});

test("the delays between attempts are random", async () => {
  const hub = await testHub();
  const draws = [1, 0.25, 0.5, 0.1, 0.9, 0.01];
  const attempts: number[] = [];
  const desk = pairClient(hub, deskHello(), {
    random: () => draws[attempts.length - 1] ?? 1,
    async connect() {
      attempts.push(hub.clock.monotonic());
      throw new Error("refused");
    },
  });
  desk.desk.list().catch(() => {});
  await hub.clock.advance(6_000);
  expect(attempts.slice(1, 7).map((at, index) => at - (attempts[index] ?? 0))).toEqual([200, 100, 400, 160, 2_880, 50]);
});
