import { PassThrough } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { LineTransport } from "../src/stdio.ts";

async function opened(holder?: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const received: JSONRPCMessage[] = [];
  const logged: unknown[] = [];
  const transport = new LineTransport({
    input,
    output,
    log: (level, _message, data) => void logged.push([level, data?.["reason"]]),
    holder,
  });
  transport.onmessage = (message) => void received.push(message);
  await transport.start();
  return {
    received,
    logged,
    transport,
    output,
    write: (...chunks: (string | Buffer)[]) => {
      for (const chunk of chunks) input.write(chunk);
    },
    /** Everything written so far has been read when it resolves. */
    async end() {
      input.end();
      await new Promise((resolve) => input.once("end", resolve));
    },
    replies: () =>
      String(output.read() ?? "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const refusal = (id: unknown, code: number, message: RegExp) => ({
  jsonrpc: "2.0",
  id,
  error: { code, message: expect.stringMatching(message) },
});

describe("messages on stdio", () => {
  test("are read in any pieces, with the text of an action's arguments", async () => {
    const wire = await opened();
    const call =
      '{"jsonrpc":"2.0","id":1,"method":"x","params":{"questions":[{"action":{"kind":"tool","input":{"id":9007199254740993}}}]}}';
    const bytes = Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"ä\u2028"}\r\n${call}\n`);
    wire.write(...[...bytes].map((byte) => Buffer.from([byte])));
    await wire.end();
    expect(wire.received).toEqual([
      { jsonrpc: "2.0", id: 1, method: "ä\u2028" },
      expect.objectContaining({
        params: { questions: [{ action: { kind: "tool", input: { id: 9_007_199_254_740_992 }, inputJson: '{"id":9007199254740993}' } }] },
      }),
    ]);
  });

  test("may begin with a byte order mark, and empty lines are nothing", async () => {
    const wire = await opened();
    wire.write(`\uFEFF${JSON.stringify(ping)}\n\r\n  \n`);
    await wire.end();
    expect([wire.received, wire.replies(), wire.logged]).toEqual([[ping], [], []]);
  });

  test("of a batch are read one by one", async () => {
    const wire = await opened();
    wire.write(`${JSON.stringify([ping, { ...ping, id: 2, params: null }, { id: 3 }])}\n`);
    await wire.end();
    expect(wire.received).toEqual([ping, { ...ping, id: 2 }]);
    expect(wire.replies()).toEqual([refusal(3, -32_600, /^Invalid Request/)]);
  });

  test.each([
    ["no JSON", refusal(null, -32_700, /^Parse error: the line is not valid JSON\.$/)],
    [Buffer.from(JSON.stringify(ping), "utf16le"), refusal(null, -32_700, /UTF-16/)],
    ["[]", refusal(null, -32_600, /^Invalid Request/)],
    [JSON.stringify(Array.from({ length: 101 }, () => ping)), refusal(null, -32_600, /at most 100 messages/)],
    [JSON.stringify({ ...ping, params: 5 }), refusal(1, -32_600, /^Invalid Request/)],
  ])("that cannot be read get an error and a line in the log, and the next one is read: %s", async (text, reply) => {
    const wire = await opened();
    wire.write(text, "\n", `${JSON.stringify(ping)}\n`);
    await wire.end();
    expect(wire.replies()).toEqual([reply]);
    expect(wire.logged).toEqual([["warn", reply.error.message]]);
    expect(wire.received).toEqual([ping]);
  });

  test.each([
    ['{"jsonrpc":"2.0","method":"tools/call","id":"a","params":"', '"}', "a"],
    ['{"method":"tools/call","params":{"id":5,"x":"', '"},"jsonrpc":"2.0","id":7}', 7],
    ['{"method":"tools/call","params":{"id":5,"x":"', '","id":6}}', null],
  ])("that are too long get an error with their id, and the next one is read: %s…%s", async (start, end, id) => {
    const wire = await opened();
    const piece = Buffer.alloc(1_024 * 1_024, "x");
    wire.write(start, ...Array.from({ length: 11 }, () => piece), `${end}\n${JSON.stringify(ping)}\n`);
    await wire.end();
    expect(wire.replies()).toEqual([refusal(id, -32_600, /at most 10485760 bytes; this one has 115/)]);
    expect(wire.received).toEqual([ping]);
  });

  test("that have no end when the client leaves are only logged", async () => {
    const wire = await opened();
    wire.write(JSON.stringify(ping));
    await wire.end();
    expect([wire.received, wire.replies()]).toEqual([[], []]);
    expect(wire.logged).toEqual([["warn", "its last line has no end (40 bytes)"]]);
  });

  test("cannot be sent after the client has left", async () => {
    const wire = await opened();
    await wire.transport.send(ping as JSONRPCMessage);
    expect(wire.replies()).toEqual([ping]);
    wire.output.destroy(new Error("broken pipe"));
    await new Promise((resolve) => wire.output.once("close", resolve));
    await expect(wire.transport.send(ping as JSONRPCMessage)).rejects.toThrow("The client has closed the stream.");
  });
});
