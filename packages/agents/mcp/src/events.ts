import type { Asker, AskerInfo } from "@askbox/core";
import { type McpServer, ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { anyObject } from "./tasks.ts";

/**
 * The Events extension (SEP-3415, revision 2026-07-28), as far as a server's connection goes: it is declared, and each `events/*` request is
 * answered by the hub, here or over HTTP.
 */

/** The name of MCP's extension for events. */
export const eventsExtension = "io.modelcontextprotocol/events";

const methods = ["events/list", "events/poll", "events/subscribe", "events/unsubscribe", "events/stream"] as const;
/** A request of the extension. */
export type EventMethod = (typeof methods)[number];

/** An asker with the identity it asks under. */
export interface NamedAsker {
  port: Asker;
  info: AskerInfo;
}

/** One request of a client. */
export interface EventRequest {
  method: EventMethod;
  /** As they were sent; nothing of them is checked. */
  params: Record<string, unknown>;
  /** The envelope of the request: its client, revision and capabilities, and what else the client says of it. */
  meta: Record<string, unknown>;
  signal: AbortSignal;
  /** Who asks. */
  asker(): Promise<NamedAsker>;
}

/** Answers a request with its result. Throws `ProtocolError`. */
export type AnswerEvents = (request: EventRequest) => Promise<Record<string, unknown>>;

/** Makes a server that is not connected yet serve the extension. Only for revisions since 2026-07-28. */
export function serveEvents(
  { server }: McpServer,
  answer: (request: EventRequest, ctx: ServerContext) => ReturnType<AnswerEvents>,
  askerOf: (ctx: ServerContext, method: EventMethod) => Promise<NamedAsker>,
): void {
  // ChatGPT and the AI SDK look for `events`, as the extension's design had it.
  server.registerCapabilities({ extensions: { [eventsExtension]: {} }, events: {} } as never);
  for (const method of methods) {
    server.setRequestHandler(method, { params: anyObject }, (params, ctx) => {
      const { _meta, envelope, signal } = ctx.mcpReq;
      return answer({ method, params, meta: { ..._meta, ...envelope }, signal, asker: () => askerOf(ctx, method) }, ctx);
    });
  }
}

/** The extension's own errors, with the codes that it took from those that MCP reserves. */
export const eventErrors = {
  invalid: (sentence: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, sentence),
  notFound: (kind: "event" | "subscription") => new ProtocolError(-32_023, "NotFound", { kind }),
  unsupported: (value: string) => new ProtocolError(-32_026, "Unsupported", { feature: "deliveryMode", value }),
  forbidden: (reason: string) => new ProtocolError(-32_024, "Forbidden", { reason }),
  exhausted: (limit: string, max: number) => new ProtocolError(-32_025, "ResourceExhausted", { limit, max }),
  callback: (reason: string) => new ProtocolError(-32_027, "CallbackEndpointError", { reason }),
} as const;
