import type { Transport } from "@modelcontextprotocol/client";
import type { RawAgent, RawAnswer } from "../../requirements/requirement.ts";

const revision = "2026-07-28";
const tasksExtension = "io.modelcontextprotocol/tasks";

/** A request of revision 2026-07-28. */
function requestOf(id: number, method: string, params: Record<string, unknown>, clientName: string, takesTasks: boolean) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": revision,
    "io.modelcontextprotocol/clientInfo": { name: clientName, version: "1.2.3" },
    "io.modelcontextprotocol/clientCapabilities": takesTasks ? { extensions: { [tasksExtension]: {} } } : {},
  };
  return { jsonrpc: "2.0" as const, id, method, params: { ...params, _meta } };
}

/** Over a message channel. */
export async function rawAgent(transport: Transport, clientName: string): Promise<RawAgent> {
  const waiting = new Map<unknown, (answer: RawAnswer) => void>();
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message)) waiting.get(message.id)?.(message as RawAnswer);
  };
  await transport.start();
  let last = 0;
  return {
    request(method, params, { takesTasks = true } = {}) {
      last += 1;
      const { promise, resolve } = Promise.withResolvers<RawAnswer>();
      waiting.set(last, resolve);
      return transport.send(requestOf(last, method, params, clientName, takesTasks)).then(() => promise);
    },
    close: () => transport.close(),
  };
}

/** Over HTTP. */
export function rawHttpAgent(url: URL, token: string, clientName: string): RawAgent {
  const closing = new AbortController();
  let last = 0;
  return {
    async request(method, params, { takesTasks = true } = {}) {
      last += 1;
      const name = params["name"] ?? params["taskId"];
      const response = await fetch(url, {
        method: "POST",
        signal: closing.signal,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "mcp-protocol-version": revision,
          "mcp-method": method,
          ...(typeof name === "string" && { "mcp-name": name }),
        },
        body: JSON.stringify(requestOf(last, method, params, clientName, takesTasks)),
      });
      const text = await response.text();
      const final = text.split("\n").findLast((line) => line.startsWith("data: {"));
      return JSON.parse(final === undefined ? text : final.slice("data: ".length));
    },
    close: async () => closing.abort(),
  };
}
