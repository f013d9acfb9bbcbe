import { testPlatform } from "@askbox/core/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { discord } from "../src/discord/discord.ts";
import { type GatewayEnd, type Position, readGateway } from "../src/discord/gateway.ts";
import { discordRest } from "../src/discord/rest.ts";
import type { OpenSocket, SocketEvents } from "../src/socket.ts";
import { discordChat } from "./support/discord-service.ts";
import { scene } from "./support/scene.ts";

const position: Position = { session: "s1", url: "wss://resume.example", seq: 41 };
const hello = { op: 10, d: { heartbeat_interval: 41_250 } };

/** A connection whose other side is the test. */
function line() {
  const { clock } = testPlatform();
  const sent: { op: number; d: unknown }[] = [];
  const opened: string[] = [];
  let events: SocketEvents | undefined;
  const openSocket: OpenSocket = async (url, its) => {
    opened.push(url);
    events = its;
    return { send: (text) => void sent.push(JSON.parse(text)), ping() {}, end: () => its.onClose(1006) };
  };
  return {
    clock,
    sent,
    opened,
    openSocket,
    async gets(...frames: unknown[]) {
      for (const frame of frames) events?.onText(typeof frame === "string" ? frame : JSON.stringify(frame));
      await clock.advance(0);
    },
    closes: (code: number) => events?.onClose(code),
  };
}

async function reading(from?: Position) {
  const its = line();
  const events: [type: string, seq: number][] = [];
  const ready: Position[] = [];
  let end: GatewayEnd | undefined;
  const ended = readGateway({
    url: from?.url ?? "wss://gateway.example",
    token: "secret",
    position: from,
    clock: its.clock,
    openSocket: its.openSocket,
    signal: new AbortController().signal,
    onReady: (at) => ready.push(at),
    onEvent: (type, _data, at) => events.push([type, at.seq]),
  });
  void ended.then((value) => {
    end = value;
  });
  await its.clock.advance(0);
  return { ...its, events, ready, ended, end: () => end };
}

describe("Discord's gateway", () => {
  test("is told who reads, and from then on that it still does", async () => {
    const { gets, sent, opened, clock, ready, events, ended, closes } = await reading();
    expect(opened).toEqual(["wss://gateway.example/?v=10&encoding=json"]);
    await gets(hello);
    expect(sent).toEqual([{ op: 2, d: { token: "secret", intents: 4_608, properties: expect.any(Object) } }]);
    await gets({ op: 0, t: "READY", s: 1, d: { session_id: "s1", resume_gateway_url: "wss://resume.example" } });
    await gets({ op: 0, t: "MESSAGE_CREATE", s: 2, d: {} });
    expect(ready).toEqual([{ session: "s1", url: "wss://resume.example", seq: 1 }]);
    expect(events).toEqual([["MESSAGE_CREATE", 2]]);
    await clock.advance(3_500);
    expect(sent.at(-1)).toEqual({ op: 1, d: 2 });
    await gets({ op: 11 }, { op: 1, d: null });
    expect(sent).toHaveLength(3);
    closes(1006);
    expect(await ended).toEqual({ ended: {}, position: { session: "s1", url: "wss://resume.example", seq: 2 } });
  });

  test("goes on where it was", async () => {
    const { gets, sent, ready, events } = await reading(position);
    await gets(hello);
    expect(sent).toEqual([{ op: 6, d: { token: "secret", session_id: "s1", seq: 41 } }]);
    await gets({ op: 0, t: "INTERACTION_CREATE", s: 42, d: {} }, { op: 0, t: "RESUMED", s: 43, d: {} });
    expect(events).toEqual([["INTERACTION_CREATE", 42]]);
    expect(ready).toEqual([{ ...position, seq: 43 }]);
  });

  test("that falls silent is left within 7 s", async () => {
    const { gets, clock, end } = await reading(position);
    await gets(hello, { op: 0, t: "RESUMED", s: 42, d: {} });
    await clock.advance(6_500);
    expect(end()).toBeUndefined();
    await clock.advance(500);
    expect(end()).toEqual({ ended: {}, position: { ...position, seq: 42 } });
  });

  test("that doesn't even greet is left, too", async () => {
    const { clock, end } = await reading();
    await clock.advance(7_000);
    expect(end()).toEqual({ ended: {}, position: undefined });
  });

  test.each<[string, object, object]>([
    ["asks to connect again", { op: 7 }, { ended: { isDone: true }, position }],
    ["lets the session go on later", { op: 9, d: true }, { ended: { after: 0 }, position }],
    [
      "has lost the session",
      { op: 9, d: false },
      { ended: { after: expect.toSatisfy((after) => after >= 1_000 && after < 5_000) }, position: undefined },
    ],
  ])("%s", async (_what, frame, end) => {
    const its = await reading(position);
    await its.gets(hello, frame);
    expect(await its.ended).toEqual(end);
  });

  test.each<[number, object]>([
    [1006, { ended: {}, position }],
    [4000, { ended: {}, position }],
    [4007, { ended: {}, position: undefined }],
    [4009, { ended: {}, position: undefined }],
    [4004, { ended: { why: "it does not know the bot's token", isRefused: true }, position: undefined }],
    [4014, { ended: { why: "it does not let the bot read messages", isRefused: true }, position: undefined }],
  ])("that closes with %i", async (code, end) => {
    const its = await reading(position);
    await its.gets(hello);
    its.closes(code);
    expect(await its.ended).toEqual(end);
  });

  test.each([
    "",
    "no JSON",
    "[]",
    "null",
    "{}",
    { op: "2" },
    { op: 0 },
    { op: 0, t: 5, s: "x", d: [] },
    { op: 0, t: "READY", s: 50, d: { session_id: 1 } },
    { op: 0, t: "READY", s: 50, d: { session_id: "s", resume_gateway_url: "file:///etc/passwd" } },
    { op: 10, d: { heartbeat_interval: -1 } },
  ])("can send anything: %j", async (frame) => {
    const its = await reading(position);
    await its.gets(hello, frame, { op: 0, t: "MESSAGE_CREATE", s: 51, d: {} });
    expect(its.events.at(-1)).toEqual(["MESSAGE_CREATE", 51]);
    its.closes(1006);
    expect((await its.ended).position).toEqual({ ...position, seq: 51 });
  });

  test("lets few sessions begin further and further apart", async () => {
    const { clock, openSocket, opened, gets, closes } = line();
    const fetch = async () =>
      Response.json({ url: "wss://gateway.example", session_start_limit: { remaining: 10 - opened.length, reset_after: 600_000 } });
    const log: string[] = [];
    const connection = discord.connect({
      secrets: { token: "secret" },
      api: "https://discord.example",
      clock,
      fetch,
      openSocket,
      cursor: undefined,
      log: (_level, text) => void log.push(text),
      onEvent: async () => ({}),
      confirm: async () => {},
      onPrompt() {},
      async onMoved() {},
      onReady() {},
    });
    onTestFinished(() => connection.close());
    await clock.advance(0);
    expect(opened).toHaveLength(1);
    await gets(hello);
    closes(4009);
    await clock.advance(60_000);
    expect(opened).toHaveLength(1);
    expect(connection.trouble()).toBe("the bot has logged in too often today");
    expect(log).toHaveLength(1);
    await clock.advance(7_000);
    expect(opened).toHaveLength(2);
  });
});

describe("Discord's HTTP API", () => {
  const api = "https://discord.example/api/v10";
  const limited = (left: number, reset: number) =>
    Response.json(
      { id: "1" },
      { headers: { "x-ratelimit-bucket": "b", "x-ratelimit-remaining": String(left), "x-ratelimit-reset-after": String(reset) } },
    );
  const tooEarly = (seconds: number, isGlobal: boolean) =>
    Response.json(
      { message: "You are being rate limited.", retry_after: seconds, global: isGlobal },
      { status: 429, headers: { "retry-after": String(seconds) } },
    );
  const client = (answers: (Response | Error)[]) => {
    const { clock } = testPlatform();
    const made: { url: string; init: RequestInit; at: number }[] = [];
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      made.push({ url, init, at: clock.monotonic() });
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Response) return answer.clone();
      throw answer;
    };
    const access = { secrets: { token: "secret" }, api, clock, fetch };
    return { clock, made, access, rest: discordRest(access, new AbortController().signal) };
  };
  const post = (channel: string) => ({ method: "POST", path: `/channels/${channel}/messages`, body: { content: "Hi" } }) as const;
  const seconds = (made: { at: number }[]) => made.map(({ at }) => Math.round((at - (made[0]?.at ?? 0)) / 1_000));

  test("is asked no more than a channel's bucket allows, and other channels meanwhile", async () => {
    const { rest, made, clock } = client([limited(1, 5), limited(0, 5), limited(4, 5)]);
    const asked = [await rest(post("1")), await rest(post("1")), rest(post("1")), await rest(post("2"))];
    await clock.advance(5_000);
    await Promise.all(asked);
    expect(made.map(({ url }) => url.at(-10))).toEqual(["1", "1", "2", "1"]);
    expect(seconds(made)).toEqual([0, 0, 0, 5]);
  });

  test("is asked nothing while it says so, and again by itself", async () => {
    const { rest, made, clock } = client([tooEarly(3, true), limited(4, 1)]);
    const first = rest(post("1"));
    await clock.advance(0);
    const second = rest(post("2"));
    await clock.advance(3_000);
    expect(await first).toMatchObject({ status: 200 });
    expect(await second).toMatchObject({ status: 200 });
    expect(seconds(made)).toEqual([0, 3, 3]);
  });

  test("that wants a long pause is asked by whoever asks again", async () => {
    const { rest, made } = client([tooEarly(60, false)]);
    expect(await rest(post("1"))).toMatchObject({ status: 429, retryAfter: 60_000 });
    expect(await rest(post("1"))).toMatchObject({ status: 429, retryAfter: 60_000 });
    expect(made).toHaveLength(1);
  });

  test("gets a doubtful message again for a minute, each time with the same mark", async () => {
    const lost = new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    const { access, made, clock } = client([lost]);
    const sending = discord.send(access, "1", { parts: [{ as: "text", text: "Hi" }], rows: [] }, "card.0");
    await clock.advance(60_000);
    expect(await sending).toEqual({ ok: false, kind: "unknown", why: "it cannot be reached (ECONNRESET)" });
    const bodies = made.map(({ init }) => JSON.parse(String(init.body)));
    expect(bodies.length).toBeGreaterThan(5);
    expect(new Set(bodies.map(({ nonce }) => nonce)).size).toBe(1);
    expect(bodies[0]).toMatchObject({ enforce_nonce: true, nonce: expect.stringMatching(/^.{1,25}$/), allowed_mentions: { parse: [] } });
    expect(Math.max(...seconds(made))).toBeLessThanOrEqual(60);
  });

  test("is not asked again where nothing can have arrived", async () => {
    const { access, made } = client([new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } })]);
    const sent = await discord.send(access, "1", { parts: [{ as: "text", text: "Hi" }], rows: [] }, "card.0");
    expect(sent).toMatchObject({ ok: false, kind: "later" });
    expect(made).toHaveLength(1);
  });
});

describe("a desk in Discord", () => {
  test("knows a message whose answer was lost, and edits it", async () => {
    const its = await scene(discordChat);
    its.service.faults.loseAnswer();
    const { id, message } = await its.posted();
    await its.desk.cancel(id);
    await its.shows(message, "Declined by Grace", 3_000);
    expect(its.service.messages).toHaveLength(1);
  });

  test("acknowledges a press in time although it can't be stored", async () => {
    const its = await scene(discordChat, { starts: false });
    const { AskboxError } = await import("@askbox/core");
    let isDown = true;
    await its.open({
      deskOf: (surface, person) => {
        const desk = its.broker.desk({ surface, name: person });
        const answer: typeof desk.answer = async (...args) => {
          if (isDown) throw new AskboxError("STORE_UNAVAILABLE", "down");
          return desk.answer(...args);
        };
        return Object.assign(Object.create(desk), { answer, attend: (id: string) => desk.attend(id) });
      },
    });
    const { id, message } = await its.posted();
    its.service.press(message, "Staging");
    await its.clock.advance(10_000);
    expect(its.service.told).toEqual([]);
    expect(await its.status(id)).toBe("pending");
    isDown = false;
    await its.outcome(id);
    expect(its.service.refused).toEqual([]);
  });

  test("offers many options in menus, and takes a choice", async () => {
    const its = await scene(discordChat);
    const options = Array.from({ length: 40 }, (_, index) => ({ value: `o${index}`, label: `Option ${index}` }));
    const { id, message } = await its.posted({
      questions: [{ id: "q_1", type: "select", question: "Which?", required: true, options, allowOther: false }],
    });
    its.service.press(message, "Option 33");
    expect(await its.outcome(id)).toMatchObject({ answers: [{ values: ["o33"] }] });
    expect(its.service.refused).toEqual([]);
  });
});
