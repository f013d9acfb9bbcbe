import { describe, expect, test } from "vitest";
import { McpExchange } from "../src/http/exchange.ts";
import { turns } from "./connected.ts";

const events = { headers: { "content-type": "text/event-stream" } };
/** A response like the SDK's: chunks are enqueued whether or not anybody reads. */
function aResponse() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start(started) {
      controller = started;
    },
    cancel() {
      isCancelled = true;
    },
  });
  const exchange = new McpExchange(new Request("http://127.0.0.1/mcp"));
  const { response } = exchange;
  const sent = exchange.send(new Response(body, events), { isBuffered: true });
  return {
    exchange,
    response,
    sent,
    put: (size: number) => controller?.enqueue(new Uint8Array(size)),
    close: () => controller?.close(),
    isCancelled: () => isCancelled,
  };
}

describe("a response that its client does not read", () => {
  // promise: slow-readers-bounded
  test.each([
    ["4 MB", 7, 600_000],
    ["1,000 messages", 1_000, 1],
  ])("is cut once %s are buffered, ends with the reason, and does not count as written", async (_, count, size) => {
    const { exchange, response, sent, put, isCancelled } = aResponse();
    const reader = (await response).body?.getReader();
    await reader?.read();
    for (let number = 0; number < count; number += 1) put(size);
    await turns(10);
    expect(isCancelled()).toBe(false);
    put(1);
    await turns(10);
    expect(isCancelled()).toBe(true);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain("too much of this stream was not read");
    await expect(reader?.read()).rejects.toThrow("does not read");
    await sent;
    expect(await exchange.finished).toBe(false);
  });

  test("is complete if it is read in time, however large it is", async () => {
    const { response, put, close, isCancelled } = aResponse();
    const reader = (await response).body?.getReader();
    await reader?.read();
    for (let round = 0; round < 10; round += 1) {
      put(1_000_000);
      expect((await reader?.read())?.value).toHaveLength(1_000_000);
    }
    put(6_000_000);
    close();
    expect((await reader?.read())?.value).toHaveLength(6_000_000);
    expect([(await reader?.read())?.done, isCancelled()]).toEqual([true, false]);
  });

  test("fails if its source does", async () => {
    const body = new ReadableStream({ pull: () => Promise.reject(new Error("broken")) });
    const exchange = new McpExchange(new Request("http://127.0.0.1/mcp"));
    const { response } = exchange;
    void exchange.send(new Response(body, events), { isBuffered: true });
    await expect((await response).text()).rejects.toThrow("broken");
    expect(await exchange.finished).toBe(false);
  });
});
