/// <reference lib="esnext.disposable" preserve="true" />
import { AskboxError } from "@askbox/core";
import { type CallToolResult, type ElicitRequestParams, InMemoryTransport, type McpServer } from "@modelcontextprotocol/server";
import { byMetaKey } from "./question.ts";

/** The form that a handler gets: as on the wire, including mode and page. */
export type ElicitationRequest = ElicitRequestParams;

/** A host's response to a form, as MCP defines it. */
export interface ElicitationResponse {
  action: "accept" | "decline" | "cancel";
  /** Only with `accept`; validated against the tool's schema. */
  content?: Record<string, unknown> | undefined;
}

/** Answers the forms that a server sends to a host. */
export type ElicitationHandler = (request: ElicitationRequest) => ElicitationResponse | Promise<ElicitationResponse>;

/** A server's tools in the same process, for host programs and tests. */
export interface DirectClient extends AsyncDisposable {
  /** Calls a tool. Throws if the server does not know it; an error inside the tool is a result with `isError`. */
  callTool(name: string, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<CallToolResult>;
  /** Sets the handler for the tools' questions, replacing the previous one. The returned function restores that. */
  onElicitation(handler: ElicitationHandler): () => void;
  /** Closes the connection; running calls fail. */
  close(): Promise<void>;
}

/** Milliseconds. A person may take long, and the caller has a signal. */
const timeout = 2_000_000_000;

/** Connects to a server without a transport. Without a handler, questions are declined, with `by: "none"`. */
export async function connectDirect(server: McpServer, options: { name?: string; version?: string } = {}): Promise<DirectClient> {
  // Loaded here, since most users of this package do not need a client.
  const { Client } = await import("@modelcontextprotocol/client");
  const handlers: ElicitationHandler[] = [];
  const client = new Client(
    { name: options.name ?? "askbox-direct", version: options.version ?? "1" },
    { capabilities: { elicitation: { form: {}, url: {} } } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const handler = handlers.at(-1);
    if (handler === undefined) return { action: "decline", _meta: { [byMetaKey]: "none" } };
    return { ...(await handler(params as ElicitationRequest)) } as never;
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  try {
    await client.connect(near);
  } catch (cause) {
    throw new AskboxError("INTERNAL", "The server could not be connected to; see the cause.", { cause });
  }
  return {
    callTool: async (name, args = {}, { signal } = {}) => {
      const limits = { timeout: timeout, signal };
      return (await client.callTool({ name, arguments: args }, limits)) as CallToolResult;
    },
    onElicitation(handler) {
      // A separate wrapper, so that a handler that is set twice is removed once.
      const own: ElicitationHandler = (request) => handler(request);
      handlers.push(own);
      return () => {
        const index = handlers.indexOf(own);
        if (index !== -1) handlers.splice(index, 1);
      };
    },
    close: () => client.close(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
