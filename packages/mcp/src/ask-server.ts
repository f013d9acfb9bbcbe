import type { CallToolResult, McpServerFactory, ServerContext } from "@modelcontextprotocol/server";
import { AskMcpServer } from "./ask-mcp-server.ts";
import type { Call, CallServer, Reply } from "./calls/call.ts";
import { callLimit } from "./clients.ts";
import type { ToolDefinition } from "./dialects/dialect.ts";
import { dialectOf } from "./dialects/index.ts";
import { getAnswer } from "./get-answer.ts";
import { type Heartbeat, noHeartbeat, startHeartbeat } from "./heartbeat.ts";
import { instructions } from "./instructions.ts";
import type { AskServerOptions, CallEnd } from "./options.ts";
import { publishedSchema } from "./published-schema.ts";
import { createTickets } from "./tickets.ts";

/** The contract's default timeout in ms; a test holds it equal to the core's, which is not loaded to list the tools. */
const contractTimeout = 300_000;

/** askbox's tools over MCP. */
export interface AskServer {
  /** Makes one server for a connection (`serveStdio`) or a request (`createMcpHandler`), of either protocol era. */
  factory: McpServerFactory;
  /** Loads what the first call needs. */
  warmUp(): Promise<void>;
  /** Resolves when no call runs and every delivery is recorded. */
  whenIdle(): Promise<void>;
}

const loadCalls = () => import("./calls/index.ts");
type Calls = Awaited<ReturnType<typeof loadCalls>>;
type Run = (calls: Calls, call: Call, args: unknown) => Promise<Reply>;

/** Binds an asker to MCP: the dialects' tools and `get_answer`. Nothing is connected, and no asker asked for, before the first call. */
export function createAskServer(options: AskServerOptions): AskServer {
  const names = options.tools ?? ["ask_user"];
  const defaultTimeout = options.defaultTimeout ?? contractTimeout;
  const running = new Set<Promise<unknown>>();
  const shared: CallServer = {
    platform: options.platform,
    defaultTimeout,
    onCancel: options.onCancel ?? "keep",
    askTool: names[0] ?? "ask_user",
    tickets: createTickets(),
    log: options.log ?? (() => {}),
  };

  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    running.add(work);
    const forget = () => void running.delete(work);
    work.then(forget, forget);
    return work;
  };

  const limitOf = (server: AskMcpServer, ctx: ServerContext, progress: boolean) =>
    callLimit(server.clientOf(ctx).name, { maxWait: options.maxWait, progress });

  const begin = (server: AskMcpServer, ctx: ServerContext): Call => {
    const client = server.clientOf(ctx);
    const { authInfo: auth, req: request } = ctx.http ?? {};
    const caller = { client, roots: () => server.roots(ctx), auth, request, meta: { ...ctx.mcpReq._meta } };
    const { clock, ids } = options.platform;
    return {
      id: ids.session(),
      client,
      startedAt: clock.monotonic(),
      signal: ctx.mcpReq.signal,
      limit: limitOf(server, ctx, progressToken(ctx) !== undefined),
      heartbeat: heartbeatOf(ctx, clock),
      asker: () => options.asker(caller),
      identity: () => options.identity(caller),
      server: shared,
    };
  };

  const serve = async (server: AskMcpServer, ctx: ServerContext, { name: tool }: ToolDefinition, run: Run, args: unknown) => {
    const call = begin(server, ctx);
    let end: CallEnd = { tool, status: "aborted" };
    try {
      const { result, written, error } = await run(await loadCalls(), call, args);
      end = { tool, status: error === undefined ? "ok" : "error", error };
      if (written !== undefined) server.whenWritten(ctx, () => void track(written()));
      return result;
    } finally {
      call.heartbeat.stop();
      options.onCallEnd?.(end);
    }
  };

  const tools = new Map<ToolDefinition, Run>(
    names.map((name) => [dialectOf(name).definition({ defaultTimeout }), (calls, call, args) => calls.ask(call, dialectOf(name), args)]),
  );
  tools.set(getAnswer, (calls, call, args) => calls.getAnswer(call, args));

  const factory = () => {
    const server = new AskMcpServer(
      { name: options.name ?? "askbox", version: options.version },
      { capabilities: { tools: { listChanged: false } }, instructions: instructions(names) },
      options.written,
    );
    for (const [tool, run] of tools) register(server, tool, (args, ctx) => track(serve(server, ctx, tool, run, args)));
    // Replaces the SDK's own list, which cannot depend on who asks for it.
    server.server.setRequestHandler("tools/list", (_request, ctx) => ({
      tools: [...tools.keys()].filter((tool) => tool !== getAnswer || limitOf(server, ctx, true).ticketAfter !== null) as never,
    }));
    return server;
  };

  return {
    factory,
    warmUp: async () => void (await loadCalls()),
    whenIdle: async () => {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

function register(server: AskMcpServer, tool: ToolDefinition, run: (args: unknown, ctx: ServerContext) => Promise<CallToolResult>): void {
  const { name, title, description, inputSchema, outputSchema, annotations, _meta } = tool;
  server.registerTool(
    name,
    {
      title,
      description,
      inputSchema: publishedSchema(inputSchema),
      ...(outputSchema === undefined ? {} : { outputSchema: publishedSchema(outputSchema) }),
      annotations,
      _meta,
    },
    run,
  );
}

const progressToken = (ctx: ServerContext) => ctx.mcpReq._meta?.progressToken;

function heartbeatOf(ctx: ServerContext, clock: AskServerOptions["platform"]["clock"]): Heartbeat {
  const token = progressToken(ctx);
  if (token === undefined) return noHeartbeat;
  return startHeartbeat(clock, "Putting the question to a person.", (progress, message) => {
    const params = { progressToken: token, progress, message };
    // A stream that has ended takes no more of them, and the call is aborted by then.
    ctx.mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  });
}
