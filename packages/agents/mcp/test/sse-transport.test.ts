import { describe, expect, test } from "vitest";
import { SseTransport } from "../src/http/sse-endpoint.ts";

const message = (bytes: number) => ({ jsonrpc: "2.0" as const, id: 1, result: { text: "x".repeat(bytes) } });
const unread = "The client does not read the stream.";

describe("a stream that its client does not read", () => {
  // promise: slow-readers-bounded
  test("is closed once 4 MB are buffered, and the reason is the last thing in it", async () => {
    const transport = new SseTransport("id", "/messages");
    let closed = 0;
    transport.onclose = () => {
      closed += 1;
    };
    const sent = Array.from({ length: 5 }, () => transport.send(message(1_000_000)));
    expect(closed).toBe(0);
    sent.push(transport.send(message(1)), transport.send(message(1)));
    const results = await Promise.allSettled(sent);
    const reasons = results.map((result) => (result.status === "rejected" ? String(result.reason.message) : "sent"));
    expect([reasons, closed]).toEqual([[unread, unread, unread, unread, unread, unread, "The stream is closed."], 1]);
    expect(await transport.response.text()).toContain("too much of this stream was not read");
  });

  // promise: slow-readers-bounded
  test("is closed once 1,000 messages are buffered", async () => {
    const transport = new SseTransport("id", "/messages");
    const sent = Array.from({ length: 1_000 }, () => transport.send(message(1)));
    expect((await Promise.allSettled(sent)).every(({ status }) => status === "rejected")).toBe(true);
  });

  test("accepts one message of any size, and any number if it is read in time", async () => {
    const transport = new SseTransport("id", "/messages");
    const reader = transport.response.body?.getReader();
    await reader?.read();
    for (let round = 0; round < 3; round += 1) {
      const sent = transport.send(message(6_000_000));
      expect((await reader?.read())?.value?.length).toBeGreaterThan(6_000_000);
      const next = reader?.read();
      await sent;
      transport.keepAlive();
      expect(new TextDecoder().decode((await next)?.value)).toBe(": keepalive\n\n");
    }
  });
});
