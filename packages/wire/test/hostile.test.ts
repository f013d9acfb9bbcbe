import { AskboxError, isAskboxError } from "@askbox/core";
import { anAsk, anAsker } from "@askbox/core/testing";
import { closeCodes, operations } from "@askbox/wire";
import { describe, expect, test } from "vitest";
import { askerHello, deskHello, type TestHub, testHub, welcomedPeer } from "./support.ts";

const open = (id: number, request: unknown, more: object = {}) => ({
  id,
  method: "ask",
  params: { request, asker: anAsker(), maxWait: 0, ...more },
});
const replyTo = (frames: readonly Record<string, unknown>[], id: number) =>
  frames.find((frame) => frame["id"] === id && !("opened" in frame));

async function asPeer(hub: TestHub, messages: unknown[], hello = askerHello()) {
  const peer = await welcomedPeer(hub, hello);
  for (const message of messages) peer.send(message);
  await hub.clock.advance(0);
  return peer;
}

describe("an asker", () => {
  // promise: answer-is-a-persons
  test("cannot call a desk's operations", async () => {
    const hub = await testHub();
    const ofDesks = Object.entries(operations).filter(([, { role }]) => role === "desk");
    const peer = await asPeer(
      hub,
      ofDesks.map(([method], id) => ({ id, method, params: { sessionId: "x", set: { answers: [] }, patch: {}, timeout: null } })),
    );
    expect(ofDesks.length).toBeGreaterThan(10);
    for (const id of ofDesks.keys()) expect(replyTo(peer.frames, id)).toMatchObject({ error: { code: "FORBIDDEN" } });
    expect(peer.end()).toBeUndefined();
  });

  test("is subject to the limits whatever its client allows", async () => {
    const hub = await testHub();
    const question = { id: "q", type: "text", question: "Why?", required: true };
    const requests: [unknown, string][] = [
      [{ questions: [], timeout: 10_000 }, "questions array must have at least 1 item"],
      [
        { questions: Array.from({ length: 11 }, (_, index) => ({ ...question, id: `q${index}` })), timeout: 10_000 },
        "questions array exceeds maximum of 10",
      ],
      [{ questions: [{ ...question, question: "?".repeat(20_001) }], timeout: 10_000 }, "20000"],
      [{ questions: [question, question], timeout: 10_000 }, "twice"],
      [{ questions: [question], timeout: 86_400_000 }, "timeout"],
      [{ questions: [{ ...question, type: "select" }], timeout: 10_000 }, "Options required"],
      ["nothing", "questions array"],
    ];
    const peer = await asPeer(
      hub,
      requests.map(([request], id) => open(id, request)),
    );
    for (const [id, [, words]] of requests.entries()) {
      expect(replyTo(peer.frames, id)).toMatchObject({ error: { code: "VALIDATION", message: expect.stringContaining(words) } });
    }
    expect((await hub.store.list({})).sessions).toEqual([]);
  });

  test("gets an error for a request over 256 KB and stays connected", async () => {
    const hub = await testHub();
    const preview = "é".repeat(131_072);
    const ask = anAsk({
      questions: [
        { id: "q", type: "select", question: "?", required: true, allowOther: true, options: [{ label: "a", value: "a", preview }] },
      ],
    });
    const peer = await asPeer(hub, [open(1, ask), open(2, anAsk())]);
    expect(replyTo(peer.frames, 1)).toMatchObject({ error: { code: "PAYLOAD_TOO_LARGE" } });
    expect(replyTo(peer.frames, 2)).toMatchObject({ result: { joined: false } });
  });

  test("and a desk too get an error for a request over the limit that the hub sets", async () => {
    const hub = await testHub({ maxMessageBytes: 1_000 });
    const { session } = await hub.broker().asker("owner-1").ask(anAsk(), { asker: anAsker(), maxWait: 0 });
    const huge = { sessionId: session.id, set: { answers: [], comment: "x".repeat(1_000) } };
    const peer = await asPeer(
      hub,
      [
        { id: 1, method: "answer", params: huge },
        { id: 2, method: "list" },
      ],
      deskHello(),
    );
    expect(replyTo(peer.frames, 1)).toMatchObject({
      error: { code: "PAYLOAD_TOO_LARGE", message: expect.stringMatching(/at most 1000 are allowed\. Put the text in a file/) },
    });
    expect(replyTo(peer.frames, 2)).toMatchObject({ result: { items: [{ status: "pending" }] } });
  });

  test("gets an error if the request is rejected", async () => {
    const hub = await testHub({
      asker: (owner) => {
        const port = hub.broker().asker(owner);
        port.ask = () => Promise.reject(new AskboxError("RATE_LIMITED", "Ask later.", { details: { retryAfter: 7 } }));
        return port;
      },
    });
    const peer = await asPeer(hub, [open(1, anAsk())]);
    expect(replyTo(peer.frames, 1)).toMatchObject({ error: { code: "RATE_LIMITED", details: { retryAfter: 7 } } });
  });

  test("that repeats a request, on the same connection or another, gets the session that it opened", async () => {
    const hub = await testHub();
    const message = { ...open(1, anAsk()), op: "op-1" };
    const one = await asPeer(hub, [message, { ...message, id: 2 }]);
    const other = await asPeer(hub, [message]);
    const sessions = [replyTo(one.frames, 1), replyTo(one.frames, 2), replyTo(other.frames, 1)].map(
      (reply) => (reply as { result: { session: { id: string } } }).result.session.id,
    );
    expect(new Set(sessions).size).toBe(1);
  });

  test("cannot get another owner's reply by its op", async () => {
    const hub = await testHub();
    const message = { ...open(1, anAsk()), op: "op-1" };
    const one = await asPeer(hub, [message]);
    const other = await asPeer(hub, [message], askerHello("owner-2"));
    expect(replyTo(other.frames, 1)).toMatchObject({ result: { session: { owner: "owner-2" } } });
    expect(replyTo(one.frames, 1)).toMatchObject({ result: { session: { owner: "owner-1" } } });
  });

  test("may only have a limited number of requests in progress", async () => {
    const hub = await testHub({ maxActive: 3 });
    const peer = await asPeer(hub, [open(0, anAsk())]);
    const { result } = replyTo(peer.frames, 0) as { result: { session: { id: string } } };
    for (let id = 1; id <= 4; id += 1) peer.send({ id, method: "resume", params: { sessionId: result.session.id } });
    await hub.clock.advance(0);
    expect(replyTo(peer.frames, 4)).toMatchObject({ error: { code: "RATE_LIMITED" } });
    peer.send({ cancel: 1 });
    await hub.clock.advance(0);
    expect(replyTo(peer.frames, 1)).toMatchObject({ error: { code: "ABORTED" } });
    peer.send({ id: 5, method: "resume", params: { sessionId: result.session.id } });
    await hub.clock.advance(0);
    expect(replyTo(peer.frames, 5)).toBeUndefined();
  });
});

describe("a message that cannot be read", () => {
  test.each([
    ["an unknown method", { id: 1, method: "format", params: {} }],
    ["a method of Object", { id: 1, method: "toString", params: {} }],
    ["no method", { id: 1 }],
    ["wrong params", { id: 1, method: "get", params: { sessionId: 7 } }],
    ["params that are no object", { id: 1, method: "list", params: [] }],
    ["a delay out of range", { id: 1, method: "answer", params: { sessionId: "x", set: { answers: [] }, delay: 60_001 } }],
  ])("but has an id gets an error in reply: %s", async (_, message) => {
    const hub = await testHub();
    const peer = await asPeer(hub, [message, { id: 2, method: "list" }], deskHello());
    expect(replyTo(peer.frames, 1)).toMatchObject({ error: { code: "VALIDATION" } });
    expect(replyTo(peer.frames, 2)).toMatchObject({ result: { items: [] } });
  });

  test.each([
    ["no JSON", "{"],
    ["no object", "[1]"],
    ["no id", { method: "list" }],
    ["an id that is no number", { id: "1", method: "list" }],
  ])("and without an id closes the channel with a reason: %s", async (_, message) => {
    const hub = await testHub();
    const peer = await asPeer(hub, [message], deskHello());
    expect(peer.end()).toMatchObject({ code: closeCodes.malformed, reason: expect.stringContaining("cannot be read") });
  });

  test("because it is larger than any client's limit closes the channel", async () => {
    const hub = await testHub({ maxFrameBytes: 10_000 });
    const peer = await asPeer(hub, [{ id: 1, method: "list", params: { text: "x".repeat(10_000) } }], deskHello());
    expect(peer.end()?.code).toBe(closeCodes.tooLarge);
  });

  test("because its id is in use closes the channel", async () => {
    const hub = await testHub();
    const peer = await asPeer(hub, [{ id: 1, method: "watch" }], deskHello());
    peer.send({ id: 1, method: "watch" });
    await hub.clock.advance(0);
    expect(peer.end()?.code).toBe(closeCodes.malformed);
  });

  // promise: requests-bounded
  test("never crashes the hub: a thousand random ones", async () => {
    const hub = await testHub();
    let state = 42;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const names = [
      "id",
      "method",
      "params",
      "op",
      "cancel",
      "ping",
      "pong",
      "hello",
      "sessionId",
      "set",
      "answers",
      "__proto__",
      "request",
      "asker",
      "watch",
    ];
    const anything = (depth: number): unknown => {
      const kind = random(depth > 3 ? 6 : 8);
      if (kind === 0) return random(5);
      if (kind === 1) return [null, true, -1, 1.5, 1e308][random(5)];
      if (kind === 2) return "";
      if (kind === 3) return Object.keys(operations)[random(Object.keys(operations).length)];
      if (kind === 4) return "x".repeat(random(300));
      if (kind === 5) return "\u0000\ud800\u001b[2J";
      if (kind === 6) return Array.from({ length: random(4) }, () => anything(depth + 1));
      return Object.fromEntries(Array.from({ length: random(5) }, () => [names[random(names.length)] ?? "id", anything(depth + 1)]));
    };
    let replies = 0;
    for (let round = 0; round < 1_000; round += 1) {
      const peer = await welcomedPeer(hub, round % 2 === 0 ? askerHello() : deskHello());
      const methodName = Object.keys(operations)[random(Object.keys(operations).length)];
      const message = random(3) === 0 ? anything(0) : { id: 1, method: methodName, params: anything(1), op: "op" };
      const text = random(8) === 0 ? JSON.stringify(message).slice(0, random(40)) : JSON.stringify(message);
      peer.send(text);
      await hub.clock.advance(0);
      for (const frame of peer.frames) {
        if ("error" in frame) replies += isAskboxError(AskboxError.fromJSON(frame["error"] as never), "INTERNAL") ? Number.NaN : 1;
      }
      peer.close();
    }
    expect(replies).toBeGreaterThan(300);
    const peer = await asPeer(hub, [{ id: 1, method: "list" }], deskHello());
    expect(replyTo(peer.frames, 1)).toMatchObject({ result: { items: [] } });
    expect([...hub.connections].length).toBe(1);
  });
});

describe("a failure inside the hub", () => {
  test("is reported without its message, which may contain file names", async () => {
    const hub = await testHub();
    hub.options = {
      ...hub.options,
      control: { ...hub.options.control, status: () => Promise.reject(new Error("EACCES /home/ada/askbox.db")) },
    };
    const peer = await asPeer(hub, [{ id: 1, method: "status" }], deskHello());
    expect(replyTo(peer.frames, 1)).toMatchObject({ error: { code: "INTERNAL", message: expect.not.stringContaining("ada") } });
  });
});
