import { describe, expect, test } from "vitest";
import { parseMessage } from "../src/parse-message.ts";

const request = { jsonrpc: "2.0", id: 1, method: "tools/call" };
const refused = (id: unknown) => ({
  refusal: { jsonrpc: "2.0", id, error: { code: -32_600, message: expect.stringMatching(/^Invalid Request: /) } },
});

describe("a client's message", () => {
  test.each([
    [{ ...request, params: null }, request],
    [
      { ...request, params: { _meta: null, arguments: null } },
      { ...request, params: {} },
    ],
    [
      { ...request, params: { _meta: { progressToken: null }, cursor: null } },
      { ...request, params: { _meta: {} } },
    ],
    [
      { ...request, params: { capabilities: { roots: null }, list: [null] } },
      { ...request, params: { capabilities: {}, list: [null] } },
    ],
    [
      { jsonrpc: "2.0", id: null, method: "notifications/initialized", params: null },
      { jsonrpc: "2.0", method: "notifications/initialized" },
    ],
    [
      { jsonrpc: "2.0", id: 1, result: { roots: [] }, error: null, method: null },
      { jsonrpc: "2.0", id: 1, result: { roots: [] } },
    ],
    [
      { jsonrpc: "2.0", id: 1, result: null },
      { jsonrpc: "2.0", id: 1, result: {} },
    ],
    [
      { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "No" } },
      { jsonrpc: "2.0", error: { code: -32_700, message: "No" } },
    ],
  ])("with nulls is read as if they were not there: %j", (value, message) => {
    expect(parseMessage(value)).toEqual({ message });
  });

  test("keeps the nulls in a call's arguments", () => {
    const call = { ...request, params: { name: "ask_user", arguments: { questions: null, context: [{ a: null }] } } };
    expect(parseMessage(structuredClone(call))).toEqual({ message: call });
  });

  test.each([
    [{ ...request, jsonrpc: "1.0" }, 1],
    [{ id: "a", method: "ping" }, "a"],
    [{ ...request, method: 5 }, 1],
    [{ ...request, params: [] }, 1],
    [{ ...request, params: { _meta: "none" } }, 1],
    [{ ...request, params: { _meta: { progressToken: {} } } }, 1],
    [{ ...request, params: { cursor: 5 } }, 1],
    [{ ...request, id: 1.5 }, 1.5],
    [{ ...request, id: null }, null],
    [{ ...request, id: {} }, null],
    [{}, null],
    ["text", null],
    [null, null],
    [[], null],
  ])("that is no message gets an error with its id: %j", (value, id) => {
    expect(parseMessage(value)).toEqual(refused(id));
  });

  test("that is nested too deeply gets an error", () => {
    const text = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`;
    expect(parseMessage(JSON.parse(text))).toEqual(refused(1));
  });

  test("a notification that cannot be read gets no response", () => {
    expect(parseMessage({ jsonrpc: "2.0", method: "notifications/initialized", params: 5 })).toEqual({});
  });

  test("a response that cannot be read fails the request that waits for it, and nothing is sent back", () => {
    expect(parseMessage({ jsonrpc: "2.0", id: 1, result: "no" })).toEqual({ message: refused(1).refusal });
    expect(parseMessage({ jsonrpc: "2.0", id: null, result: "no" })).toEqual({});
  });
});
