import { createMcpHandler, InMemoryServerEventBus, type McpServerFactory, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/server";
import { keepAlive, type ModernHandler, type ModernHandlerOptions } from "./servers.ts";

/**
 * Revision 2026-07-28 with the SDK's handler. A call that waits for a person is streamed from the start, since it may take any time.
 * Everything else is answered with the HTTP status of its outcome: on a stream it would always be 200.
 */
export function modernHandler(factory: McpServerFactory, { log, blocks = () => true }: ModernHandlerOptions): ModernHandler {
  const shared = {
    legacy: "reject",
    keepAliveMs: keepAlive,
    bus: new InMemoryServerEventBus(),
    onerror: ({ message }: Error) => log("debug", message),
  } as const;
  const streaming = createMcpHandler(factory, { ...shared, responseMode: "sse" });
  const prompt = createMcpHandler(factory, { ...shared, responseMode: "auto" });
  return {
    serve(request, message, authInfo) {
      const tool = calledTool(message);
      const handler = tool !== undefined && blocks(tool) ? streaming : prompt;
      return handler.fetch(request, { authInfo, parsedBody: message });
    },
    close: async () => void (await Promise.all([streaming.close(), prompt.close()])),
    notify: prompt.notify,
  };
}

/** Whether the message names its revision, which no message of an older one does. */
export function claimsRevision(message: unknown): boolean {
  const { params } = Object(message) as { params?: unknown };
  const { _meta } = Object(params) as { _meta?: unknown };
  return !Array.isArray(message) && Object.hasOwn(Object(_meta), PROTOCOL_VERSION_META_KEY);
}

/** The name of the tool that the message calls. */
export function calledTool(message: unknown): string | undefined {
  const { method, params } = Object(message) as { method?: unknown; params?: unknown };
  const { name } = Object(params) as { name?: unknown };
  return method === "tools/call" && typeof name === "string" ? name : undefined;
}
