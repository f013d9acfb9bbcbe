import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { type DeskEvent, parseAsk } from "@askbox/core";
import { anAsker, seededIds } from "@askbox/core/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { answers, ask, askOne, startHub, type TestHub, until } from "./support.ts";

describe("GET /api/events", () => {
  it("sends a snapshot, then every change in order, as server-sent events", async () => {
    const hub = await startHub();
    const first = await askOne(hub);
    const stream = await listen(hub);
    expect(stream.headers).toMatchObject({ "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" });
    await until(() => stream.events.length === 1);
    expect(stream.events[0]).toMatchObject({ type: "snapshot", sessions: [{ id: first }] });
    const second = await askOne(hub);
    await hub.call("POST", `/api/sessions/${second}/answer`, { as: "desk", body: { answers } });
    await until(() => statuses(stream.events, second).includes("answered"));
    expect(statuses(stream.events, second)[0]).toBe("pending");
    expect(stream.text()).toContain("event: session\ndata: {");
  });

  it("sends an event on one line, whatever an agent writes", async () => {
    const hub = await startHub();
    const stream = await listen(hub);
    const title = "a\n\nevent: forged\r\ndata: {}\u2028\u0000😀";
    const id = await askOne(hub, { ...ask, title });
    await until(() => stream.events.some((event) => event.type === "session" && event.session.id === id));
    expect(stream.events.flatMap((event) => (event.type === "session" ? [event.session.title] : []))).toContain(title);
    expect(stream.text()).not.toContain("event: forged\r");
  });

  it("sends only events that match the filter", async () => {
    const hub = await startHub();
    const stream = await listen(hub, "?agentId=builder");
    await askOne(hub, { ...ask, agentId: "other" });
    const id = await askOne(hub, { ...ask, agentId: "builder" });
    await until(() => stream.events.length > 1);
    expect(stream.events.flatMap((event) => (event.type === "session" ? [event.session.id] : []))).toEqual([id]);
  });

  it("speaks the ask_user design's events, in both directions", async () => {
    const hub = await startHub();
    const first = await askOne(hub, {
      ...ask,
      questions: [{ id: "db", question: "Which?", options: [{ label: "SQLite", value: "lite" }, "B"] }],
    });
    const stream = await listen(hub, "?as=ask_user");
    await until(() => stream.events.length === 1);
    const questions = [{ id: "db", question: "Which?", type: "select", options: ["SQLite", "B"], required: true }];
    expect(stream.events[0]).toMatchObject({ type: "cn_ask_user.asked", requestId: first, questions });
    expect(stream.text()).toContain("event: cn_ask_user.asked\ndata: {");
    const send = (body: object, as: "asker" | "desk" = "desk") => hub.call("POST", "/api/events?as=ask_user", { as, body });
    const answered = { type: "cn_ask_user.answered", requestId: first, answers: [{ questionId: "db", values: ["SQLite"] }] };
    expect((await send(answered, "asker")).status).toBe(403);
    expect((await send({ ...answered, answers: [{ questionId: "db", values: [] }] })).status).toBe(422);
    expect(await send(answered)).toMatchObject({ status: 200, body: { outcome: { answers: [{ values: ["lite"] }] } } });
    const second = await askOne(hub);
    expect((await send({ type: "cn_ask_user.cancelled", requestId: second })).status).toBe(200);
    const approval = await askOne(hub, {
      questions: [{ question: "May I?", type: "approval", action: { kind: "command", command: "ls" } }],
    });
    expect((await send({ type: "cn_ask_user.cancelled", requestId: approval })).status).toBe(400);
    await until(() => stream.events.length === 4);
    expect(stream.events.slice(1)).toMatchObject([
      answered,
      { type: "cn_ask_user.asked", requestId: second },
      { type: "cn_ask_user.cancelled", requestId: second },
    ]);
  });

  it("sends a comment every 15 s while nothing happens", async () => {
    const hub = await startHub();
    const stream = await listen(hub);
    for (const count of [1, 2]) {
      await hub.clock.advance(15_000);
      await until(() => stream.text().split(": still here\n\n").length === count + 1);
    }
  });

  it("rejects an asker's token, and a request without one", async () => {
    const hub = await startHub();
    expect((await hub.call("GET", "/api/events", { as: "asker" })).status).toBe(403);
    expect((await hub.call("GET", "/api/events")).status).toBe(401);
  });

  it("stops watching when the reader disconnects", async () => {
    const hub = await startHub();
    const stream = await listen(hub);
    await until(() => hub.broker.stats().watching === 1);
    stream.hangUp();
    await until(() => hub.broker.stats().watching === 0);
  });

  it("buffers little for a slow reader, which gets a snapshot once it has caught up", async () => {
    const hub = await startHub();
    const reader = await pausedReader(hub);
    const count = await askUntilBehind(hub);
    let text = "";
    reader.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    reader.resume();
    const snapshots = () => text.split("event: snapshot\n").slice(2).join("");
    while (!snapshots().includes(`Which of ${count - 1}?`)) {
      await hub.clock.advance(500);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(hub.broker.stats().watching).toBe(1);
  });

  it("disconnects a client that reads nothing for a minute", async () => {
    const hub = await startHub();
    const reader = await pausedReader(hub);
    await askUntilBehind(hub);
    const closed = once(reader, "close");
    await hub.clock.advance(62_000);
    reader.resume();
    await closed;
    await until(() => hub.hub.connections.requests === 0);
  });

  it("ends when the hub closes, without delaying it", async () => {
    const hub = await startHub();
    const stream = await listen(hub);
    await hub.hub.close();
    await stream.ended;
    expect(hub.broker.stats().watching).toBe(0);
  });
});

/** A reader that stops reading after the first snapshot. */
async function pausedReader(hub: TestHub): Promise<Socket> {
  const { hostname, port, host } = new URL(hub.url);
  const reader = connect(Number(port), hostname);
  onTestFinished(() => void reader.destroy());
  reader.on("error", () => {});
  reader.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${hub.tokens.desk}\r\n\r\n`);
  await once(reader, "data");
  reader.pause();
  await until(() => hub.broker.stats().watching === 1);
  return reader;
}

/** Asks until the hub has dropped the watch; the system's own buffers hold some as well. Returns how often. */
async function askUntilBehind(hub: TestHub): Promise<number> {
  const asker = hub.broker.asker("owner");
  const preview = "x".repeat(1 << 20);
  let count = 0;
  for (; count < 64 && hub.broker.stats().watching === 1; count += 1) {
    const questions = [{ question: `Which of ${count}?`, options: [{ label: "A", preview }, "B"] }];
    await asker.ask(parseAsk({ questions }, { ids: seededIds(count) }), { asker: anAsker(), maxWait: 0 });
    // The connection takes what it can before the next one.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(hub.broker.stats().watching).toBe(0);
  return count;
}

interface Stream {
  headers: Record<string, unknown>;
  events: DeskEvent[];
  ended: Promise<void>;
  text(): string;
  hangUp(): void;
}

function listen({ url, tokens }: TestHub, query = ""): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${tokens.desk}` };
    const sent = request(new URL(`/api/events${query}`, url), { agent: false, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
      });
      response.on("error", () => {});
      resolve({
        headers: response.headers,
        get events() {
          // Only CR or LF ends a line; the last piece may be half a line.
          const lines = text.split(/[\r\n]/).slice(0, -1);
          return lines.flatMap((line) => (line.startsWith("data: ") ? [JSON.parse(line.slice(6))] : []));
        },
        ended: new Promise((end) => response.once("end", end)),
        text: () => text,
        hangUp: () => sent.destroy(),
      });
    });
    sent.on("error", reject);
    onTestFinished(() => {
      sent.destroy();
    });
    sent.end();
  });
}

function statuses(events: readonly DeskEvent[], id: string): string[] {
  return events.flatMap((event) => (event.type === "session" && event.session.id === id ? [event.session.status] : []));
}
