import { knownClient } from "@askbox/core/clients";
import { callOf, heartbeatOf, type McpCaller, noHeartbeat, readCaller } from "@askbox/elicit/tool-call";
import type { McpServerFactory, ServerContext } from "@modelcontextprotocol/server";
import { AskMcpServer, movedElsewhere, type RunTool } from "./ask-mcp-server.ts";
import { createTickets, createTurns } from "./between-calls.ts";
import type { Call, CallServer, Reply } from "./calls/call.ts";
import { formChannelOf } from "./calls/form-channel.ts";
import { callLimit, unknownClient } from "./clients.ts";
import type { ToolDefinition } from "./dialects/dialect.ts";
import { contractTimeout, type DialectName, defaultTool, dialectOf, dialectTraits } from "./dialects/index.ts";
import { serveEvents } from "./events.ts";
import { once } from "./once.ts";
import type { AskServerOptions, CallEnd } from "./options.ts";
import { serveTasks, type TaskPort, takesTasks } from "./tasks.ts";
import { getAnswerFor, getFilesTool, withoutReferences } from "./tool-definitions.ts";

/** askbox's tools over MCP. */
export interface AskServer {
  /** Creates one server for a connection (`serveStdio`) or a request (`createMcpHandler`), of either protocol era. */
  factory: McpServerFactory;
  /** Loads what the first call needs. */
  warmUp(): Promise<void>;
  /** Resolves when no call is running and every delivery is recorded. */
  whenIdle(): Promise<void>;
  /** Resolves when the calls of an HTTP request have ended, and their deliveries are recorded. */
  whenOver(request: Request): Promise<void>;
}

const loadCalls = once(() => import("./calls/index.ts"));
type Calls = Awaited<ReturnType<typeof loadCalls>>;
type Run = (calls: Calls, call: Call, args: unknown) => Promise<Reply>;

/**
 * Binds an asker to MCP: the dialects' tools and `get_answer`. Nothing is connected, and no asker is requested, before the first call.
 *
 * @example
 * ```ts
 * import { type Asker, standardPlatform } from "@askbox/core";
 * import { createAskServer } from "@askbox/mcp";
 * import { serveStdio } from "@modelcontextprotocol/server/stdio";
 *
 * export const serve = (asker: Asker) =>
 *   serveStdio(
 *     createAskServer({
 *       platform: standardPlatform(globalThis),
 *       version: "1.0.0",
 *       asker: async () => asker,
 *       identity: async () => ({ project: process.cwd() }),
 *     }).factory,
 *   );
 * ```
 */
export function createAskServer(options: AskServerOptions): AskServer {
  const names = options.tools ?? [defaultTool];
  const defaultTimeout = options.defaultTimeout ?? contractTimeout;
  const getAnswer = getAnswerFor(names);
  const running = new Map<Promise<unknown>, Request | undefined>();
  const hinted = new Set<string>();
  const shared: CallServer = {
    platform: options.platform,
    defaultTimeout,
    onCancel: options.onCancel ?? "keep",
    fallback: options.fallback ?? "tool",
    timeout: options.timeout,
    askTool: names[0] ?? defaultTool,
    // One whose results are objects, since `get_answer` returns objects too.
    answerTool: names.find((name) => dialectTraits(name).format === "json") ?? names[0] ?? defaultTool,
    namesAgents: names.some((name) => dialectTraits(name).agentId),
    tickets: createTickets(),
    ticketHint(client) {
      if (hinted.has(client)) return undefined;
      hinted.add(client);
      return options.ticketHint?.(client);
    },
    files: options.files,
    turns: createTurns(),
    log: options.log ?? (() => {}),
  };

  const track = <Result>(work: Promise<Result>, ctx: ServerContext): Promise<Result> => {
    running.set(work, ctx.http?.req);
    const forget = () => void running.delete(work);
    work.then(forget, forget);
    return work;
  };

  /** Names of clients that have cancelled a call after the time limit of an unknown client. */
  const gaveUp = new Set<string>();
  const limitOf = ({ name }: McpCaller["client"], progress: boolean) =>
    callLimit(name, { maxWait: options.maxWait, progress, gaveUp: gaveUp.has(name) });

  const begin = (server: AskMcpServer, ctx: ServerContext, name: string, heartbeat = noHeartbeat): Call => {
    const sent = callOf(ctx);
    const { client, declared } = readCaller(server.server, sent);
    const { authInfo: auth, req: request } = ctx.http ?? {};
    const caller = { client, roots: () => server.roots(ctx), auth, request, meta: { ...ctx.mcpReq._meta } };
    const { clock, ids } = options.platform;
    return {
      id: ids.call(),
      name,
      takesTasks: takesTasks(ctx),
      client,
      startedAt: clock.monotonic() - (request === undefined ? 0 : (options.elapsed?.(request) ?? 0)),
      signal: sent.signal,
      limit: limitOf(client, sent.progressToken !== undefined),
      heartbeat,
      form: options.surfaces?.includes("client") && declared.form ? formChannelOf(server, sent) : undefined,
      asker: (within) => options.asker({ ...caller, within }),
      identity: () => options.identity(caller),
      server: shared,
    };
  };

  const serve = async (server: AskMcpServer, ctx: ServerContext, tool: string, run: Run, args: unknown) => {
    const call = begin(server, ctx, tool, heartbeatOf(callOf(ctx), options.platform.clock, "Putting the question to a person."));
    let end: CallEnd = { tool, status: "aborted" };
    try {
      const { result, written, unwritten, error } = await run(await loadCalls(), call, args);
      end = { tool, status: error === undefined ? "ok" : "error", error };
      server.whenWritten(
        ctx,
        () => void (written && track(written(), ctx)),
        () => void (unwritten && track(unwritten(), ctx)),
      );
      return result;
    } finally {
      const lasted = options.platform.clock.monotonic() - call.startedAt;
      const isMoved = call.signal.reason === movedElsewhere;
      if (call.signal.aborted && !isMoved && lasted >= (unknownClient.ticketAfter ?? 0)) gaveUp.add(call.client.name);
      call.heartbeat.stop();
      // It ends where it continues.
      if (!isMoved) options.onCallEnd?.(end);
    }
  };

  const tasksOf = (server: AskMcpServer): TaskPort => ({
    get: (taskId, ctx) =>
      track(
        loadCalls().then(async (calls) => {
          const { result, written, unwritten } = await calls.getTask(begin(server, ctx, "tasks/get"), taskId);
          server.whenWritten(
            ctx,
            () => void (written && track(written(), ctx)),
            () => void (unwritten && track(unwritten(), ctx)),
          );
          return result;
        }),
        ctx,
      ),
    watch: (taskId, give, ctx) =>
      track(
        loadCalls().then((calls) => calls.watchTask(begin(server, ctx, "tasks/get"), taskId, give)),
        ctx,
      ),
    update: (taskId, _responses, ctx) =>
      track(
        loadCalls().then((calls) => calls.updateTask(begin(server, ctx, "tasks/update"), taskId)),
        ctx,
      ),
    cancel: (taskId, ctx) =>
      track(
        loadCalls().then((calls) => calls.cancelTask(begin(server, ctx, "tasks/cancel"), taskId)),
        ctx,
      ),
  });

  const tools = new Map<ToolDefinition, RunTool>();
  const offer = (tool: ToolDefinition, run: Run) =>
    tools.set(tool, (server, args, ctx) => track(serve(server, ctx, tool.name, run, args), ctx));
  for (const name of names) {
    const definition = dialectOf(name).definition({ defaultTimeout: options.timeout ?? defaultTimeout });
    offer(definition, (calls, call, args) => calls.ask(call, name, args));
  }
  offer(getAnswer, (calls, call, args) => calls.getAnswer(call, args));

  if (options.files !== undefined) offer(getFilesTool, (calls, call, args) => calls.getFiles(call, args));

  /** For a client of which nothing is known. */
  const plain = [...tools.keys()].map(withoutReferences);
  const listed = (server: AskMcpServer, ctx: ServerContext): Iterable<ToolDefinition> =>
    knownClient(readCaller(server.server, callOf(ctx)).client.name)?.readsReferences === true ? tools.keys() : plain;

  const info = { name: options.name ?? "askbox", version: options.version };
  const about = { instructions: instructions(names) };
  const factory: McpServerFactory = ({ era }) => {
    const server = new AskMcpServer(info, about, options.written);
    server.serveTools(tools, (ctx) => listed(server, ctx));
    // Clients of older revisions do not support these tasks.
    if (era !== "modern") return server;
    serveTasks(server, tasksOf(server));
    const { events } = options;
    if (events !== undefined) {
      serveEvents(
        server,
        (asked, ctx) => track(events(asked), ctx),
        async (ctx, name) => (await loadCalls()).namedAsker(begin(server, ctx, name)),
      );
    }
    return server;
  };

  return {
    factory,
    warmUp: async () => void (await Promise.all([loadCalls(), ...names.map((name) => dialectOf(name).codec())])),
    whenIdle: async () => {
      while (running.size > 0) await Promise.allSettled(running.keys());
    },
    whenOver: async (request) => {
      const mine = () => [...running].flatMap(([work, of]) => (of === request ? [work] : []));
      for (let works = mine(); works.length > 0; works = mine()) await Promise.allSettled(works);
    },
  };
}

const inFields = `Only answered: true is an answer. cancelled and timedOut are not consent. pending: true means the person has not answered yet: call get_answer with the sessionId to keep waiting. askedBack holds what they want to know first: reply with get_answer {sessionId, reply}.`;
const inWords = `A rejection, a timeout and whatever begins with "Failed:" are not consent. "Pending:" means the person has not answered yet: call get_answer with the sessionId to keep waiting. "Asked back:" is the person's own question: reply as it says.`;

/** What the server tells a model when it connects. */
export function instructions(tools: readonly DialectName[]): string {
  const tool = tools[0] ?? defaultTool;
  const { advice } = dialectOf(tool);
  const formats = new Set(tools.map((name) => dialectTraits(name).format));
  const meaning = [...(formats.has("text") && formats.size === 1 ? [] : [inFields]), ...(formats.has("text") ? [inWords] : [])].join(" ");
  return `askbox puts your questions to the person you work for and brings back their answer in the same call, wherever they answer from.

Call ${tool} when a decision, a missing fact or a confirmation would change what you do next and you cannot find it out yourself, and always before something destructive or hard to undo. ${advice} and go on with the answer.

${meaning}`;
}
