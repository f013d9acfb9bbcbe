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
    [
      { ...request, params: { _meta: { "io.modelcontextprotocol/clientInfo": { name: "a", title: null } } } },
      { ...request, params: { _meta: { "io.modelcontextprotocol/clientInfo": { name: "a" } } } },
    ],
  ])("with nulls is read as if they were not there: %j", (value, message) => {
    expect(parseMessage(value)).toEqual({ message });
  });

  test.each([
    ["a call's arguments", { ...request, params: { name: "ask_user", arguments: { questions: null, context: [{ a: null }] } } }],
    ["what others write into _meta", { ...request, params: { _meta: { "example.com/trace": { parent: null } } } }],
    ["a result", { jsonrpc: "2.0", id: 1, result: { data: { a: null }, list: [{ b: null }], arguments: { c: null } } }],
    ["an error's data", { jsonrpc: "2.0", id: 1, error: { code: -32_000, message: "No", data: { a: null } } }],
  ])("keeps the nulls in %s", (_where, said) => {
    expect(parseMessage(structuredClone(said))).toEqual({ message: said });
  });

  test.each([
    [
      { action: "accept", content: { name: "Ada", note: null }, _meta: null },
      { action: "accept", content: { name: "Ada" } },
    ],
    [{ action: "decline", content: null }, { action: "decline" }],
    [{ roots: [{ uri: "file:///a", name: null, _meta: null }] }, { roots: [{ uri: "file:///a" }] }],
  ])("that answers a form or lists roots has no nulls: %j", (result, read) => {
    expect(parseMessage({ jsonrpc: "2.0", id: 1, result })).toEqual({ message: { jsonrpc: "2.0", id: 1, result: read } });
  });

  test("loses the nulls of the protocol's members that are only called arguments", () => {
    const params = { ref: { type: "ref/prompt", name: "a", title: null }, context: { arguments: { b: null } } };
    const read = { ref: { type: "ref/prompt", name: "a" }, context: { arguments: {} } };
    expect(parseMessage({ ...request, params })).toEqual({ message: { ...request, params: read } });
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
