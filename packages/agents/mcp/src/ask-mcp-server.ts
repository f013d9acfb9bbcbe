import {
  type CallToolResult,
  type Implementation,
  type InputRequiredResult,
  type JSONRPCMessage,
  McpServer,
  type McpServerOptions,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type ServerContext,
  type Transport,
} from "@modelcontextprotocol/server";
import type { ToolDefinition } from "./dialects/dialect.ts";

/** Milliseconds. A client that has not listed its roots by then is treated as having none. */
const rootsTimeout = 1_000;

/** Whether the response to an HTTP request has reached the client's connection. */
export type Written = (request: Request, id: RequestId) => Promise<boolean>;

interface Receipt {
  signal: AbortSignal;
  request: Request | undefined;
  give(): void;
  giveBack(): void;
}

/** Runs one call of a tool. It validates the arguments itself, because the SDK's error message would hide the contract's own. */
export type RunTool = (server: AskMcpServer, args: unknown, ctx: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

/** An `McpServer` that reports when a response was written, accepts `arguments: null`, and caches its client's roots. */
export class AskMcpServer extends McpServer {
  readonly #receipts = new Map<RequestId, Receipt>();
  readonly #written: Written | undefined;
  #roots: Promise<string[]> | undefined;

  constructor(info: Implementation, options: McpServerOptions, written?: Written) {
    super(info, options);
    this.#written = written;
    this.server.setNotificationHandler("notifications/roots/list_changed", () => {
      this.#roots = undefined;
    });
  }

  /**
   * Serves these tools, as `listed` for the client that asks, or all of them; call it once, before connecting. They are not registered one by one: that takes 2 KB a tool, in memory as long as a
   * call waits, and the SDK's list would lack their output schemas.
   */
  serveTools(
    tools: ReadonlyMap<ToolDefinition, RunTool>,
    listed: (ctx: ServerContext) => Iterable<ToolDefinition> = () => tools.keys(),
  ): void {
    this.server.registerCapabilities({ tools: { listChanged: false } });
    this.server.setRequestHandler("tools/list", (_request, ctx) => ({ tools: [...listed(ctx)] as never }));
    this.server.setRequestHandler("tools/call", ({ params }, ctx) => {
      for (const [{ name }, run] of tools) if (name === params.name) return run(this, params.arguments ?? {}, ctx).catch(failed);
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
    });
  }

  override async connect(transport: Transport): Promise<void> {
    const send = transport.send.bind(transport);
    transport.send = async (message, options) => {
      const settle = this.#takeReceipt(message);
      await send(message, options);
      settle?.();
    };
    const before = transport.onmessage;
    // The SDK calls an existing handler of the transport before its own.
    transport.onmessage = (message, extra) => {
      mendArguments(message);
      before?.(message, extra);
    };
    await super.connect(transport);
  }

  /** Calls `give` once the request's result has been written, or `giveBack` if the request is cancelled or its stream ends before that. */
  whenWritten(ctx: ServerContext, give: () => void, giveBack: () => void): void {
    const { id, signal } = ctx.mcpReq;
    if (signal.aborted) return giveBack();
    const receipt = { signal, request: ctx.http?.req, give, giveBack };
    this.#receipts.set(id, receipt);
    const forget = () => {
      if (this.#receipts.get(id) !== receipt) return;
      this.#receipts.delete(id);
      giveBack();
    };
    signal.addEventListener("abort", forget, { once: true });
  }

  /** URIs of the client's roots; cached until the client reports a change. */
  roots(ctx: ServerContext): Promise<string[]> {
    const revisionHasThem = ctx.mcpReq.envelope === undefined;
    if (!revisionHasThem || this.server.getClientCapabilities()?.roots === undefined) return Promise.resolve([]);
    this.#roots ??= this.server.listRoots({}, { timeout: rootsTimeout }).then(
      ({ roots }) => roots.map(({ uri }) => uri),
      () => [],
    );
    return this.#roots;
  }

  /** What to do once the transport has accepted the message. */
  #takeReceipt(message: JSONRPCMessage): (() => void) | undefined {
    if (!("result" in message) || message.id === undefined) return undefined;
    const receipt = this.#receipts.get(message.id);
    this.#receipts.delete(message.id);
    if (receipt === undefined) return undefined;
    const { signal, request, give, giveBack } = receipt;
    if (this.#written === undefined || request === undefined) return () => (signal.aborted ? giveBack() : give());
    // Read at once: over HTTP the exchange, and with it the signal, ends as soon as the result is sent.
    const written = this.#written(request, message.id);
    return () => void written.then((isWritten) => (isWritten ? give() : giveBack()));
  }
}

const failed = (error: unknown): CallToolResult => ({
  content: [{ type: "text", text: error instanceof Error ? error.message : String(error) }],
  isError: true,
});

/** The SDK answers `arguments: null` with a protocol error; the contract's own message is more useful to a model. */
function mendArguments(message: JSONRPCMessage): void {
  if (!("method" in message) || message.method !== "tools/call") return;
  const params: Record<string, unknown> | undefined = message.params;
  if (params?.["arguments"] === null) params["arguments"] = {};
}

/** The abort reason of a call that continues at another hub: it leaves the questions open, even if cancelling would not. */
export const movedElsewhere = "The call continues at another hub.";
