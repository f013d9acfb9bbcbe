/// <reference lib="esnext.disposable" preserve="true" />
import { AskboxError } from "@askbox/core";
import { type CallToolResult, type ElicitRequestParams, InMemoryTransport, type McpServer } from "@modelcontextprotocol/server";
import { byMetaKey } from "./result.ts";

/** What a handler is asked: as on the wire, mode and page included. */
export type ElicitationRequest = ElicitRequestParams;

/** What a host answers to a form, as MCP defines it. */
export interface ElicitationResponse {
  action: "accept" | "decline" | "cancel";
  /** Only with `accept`; checked against the tool's schema. */
  content?: Record<string, unknown> | undefined;
}

/** Answers the forms that a server sends to a host. */
export type ElicitationHandler = (request: ElicitationRequest) => ElicitationResponse | Promise<ElicitationResponse>;

/** A server's tools in the same process, for host programs and tests. */
export interface DirectClient extends AsyncDisposable {
  /** Calls a tool. Throws when the server does not know it; what fails inside it is a result with `isError`. */
  callTool(name: string, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<CallToolResult>;
  /** Answers the tools' questions from now on, in place of the handler before. The returned function takes it back. */
  onElicitation(handler: ElicitationHandler): () => void;
  /** Ends the connection; calls that run fail. */
  close(): Promise<void>;
}

/** Milliseconds. A person may take long, and the caller has a signal. */
const timeout = 2_000_000_000;

/** Connects to a server without a transport. While no handler is there, questions are declined, and the tool is told that nobody did it: `by: "none"`. */
export async function connectDirect(server: McpServer, options: { name?: string; version?: string } = {}): Promise<DirectClient> {
  // Loaded here, since most who use this package have no use for a client.
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
      const limits = { timeout: timeout, ...(signal === undefined ? {} : { signal }) };
      return (await client.callTool({ name, arguments: args }, limits)) as CallToolResult;
    },
    onElicitation(handler) {
      // A wrapper of its own, so that a handler that is given twice is taken back once.
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
