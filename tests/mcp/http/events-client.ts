import type { McpHub, RequestOptions } from "./hub.ts";

const envelope = (clientName: string) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: clientName, version: "1.2.3" },
  "io.modelcontextprotocol/clientCapabilities": {
    extensions: { "io.modelcontextprotocol/events": {}, "io.modelcontextprotocol/tasks": {} },
  },
});

/** What the server said. */
export interface Told {
  // biome-ignore lint/suspicious/noExplicitAny: what comes over the wire is checked by each test.
  result?: any;
  error?: { code: number; message: string; data?: unknown };
}

interface ClientOptions {
  as?: RequestOptions["as"];
  clientName?: string;
  path?: string;
}

/** A client of the Events extension, from the shapes in SEP-3415. */
export function eventsClient(hub: Pick<McpHub, "post">, { as = "asker", clientName = "some-client", path = "/mcp" }: ClientOptions = {}) {
  const request = async (method: string, params: Record<string, unknown> = {}): Promise<Told> => {
    const { name } = params;
    const headers = {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": method,
      ...(method === "tools/call" && { "mcp-name": String(name) }),
    };
    const message = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: envelope(clientName) } };
    const text = await (await hub.post(message, { as, headers, path })).text();
    return JSON.parse(text.startsWith("{") ? text : (text.match(/^data: (\{.*)$/m)?.[1] ?? "{}"));
  };
  return {
    request,
    /** Asks, and does not wait; resolves with the session's id. */
    async ask(question = "Shall we?"): Promise<string> {
      const { result } = await request("tools/call", { name: "ask_user", arguments: { questions: [{ id: "a", question }] } });
      return String(result.taskId).split(".")[0] ?? "";
    },
    poll: (cursor: string | null, more: Record<string, unknown> = {}) =>
      request("events/poll", { name: "question.changed", arguments: {}, cursor, ...more }),
  };
}
