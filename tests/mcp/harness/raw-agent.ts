import type { Transport } from "@modelcontextprotocol/client";
import type { RawAgent, RawAnswer, RawNotification } from "../../requirements/requirement.ts";

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
  const listening = new Set<RawNotification[]>();
  transport.onmessage = (message) => {
    if ("id" in message && !("method" in message)) waiting.get(message.id)?.(message as RawAnswer);
    else if (!("id" in message)) for (const heard of listening) heard.push(message as RawNotification);
  };
  await transport.start();
  let last = 0;
  return {
    request(method, params, { takesTasks = true, heard } = {}) {
      last += 1;
      if (heard !== undefined) listening.add(heard);
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
    async request(method, params, { takesTasks = true, heard } = {}) {
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
      const lines = text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice("data: ".length))] : []));
      heard?.push(...lines.filter((line) => "method" in line));
      return lines.at(-1) ?? JSON.parse(text);
    },
    close: async () => closing.abort(),
  };
}
