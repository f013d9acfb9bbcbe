import { AskboxError } from "@askbox/core";
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { callerOf, formResponseOf, ownerOf } from "../mcp-call.ts";
import { publishedSchema } from "../published-schema.ts";
import { CallRun, type Reason } from "./call-run.ts";
import { canonicalJson } from "./canonical.ts";
import { createHost, type Host } from "./host.ts";
import type { ElicitationOptions } from "./options.ts";
import { givenBy, inputRequestOf } from "./paths/ask-in-client.ts";
import { pendingResult } from "./paths/ask-through-model.ts";
import { choosePath } from "./paths/choose-path.ts";
import type { OpenCall, StoredAnswer } from "./record.ts";
import type { Suspension } from "./run.ts";
import { failedResult, readSentResult, type SentResult, sendElicitationResult } from "./send-elicitation-result.ts";

type Result = CallToolResult | InputRequiredResult;
interface ToolCall {
  params: { name: string; arguments?: unknown };
}
type CallTool = (request: ToolCall, ctx: ServerContext) => Promise<Result>;
type ListTools = (request: unknown, ctx: ServerContext) => Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;

const idPrefix = "elicit-";

/**
 * Lets the tools of a server ask their callers' people with `elicit()`; to be called before the server is connected. Returns the same server. Where
 * only the model can pass a question on, the server also has the tool `sendElicitationResult`. Throws `VALIDATION` for a secret that is too short.
 */
export function withElicitation<Server extends McpServer>(server: Server, options: ElicitationOptions = {}): Server {
  const host = createHost(server, options);
  const { name, ...definition } = sendElicitationResult;
  // Its calls are answered below; registered, the server has tools, and the SDK's own handlers for them stand.
  server.registerTool(name, { ...definition, inputSchema: publishedSchema(definition.inputSchema) }, () => ({ content: [] }));
  const handlers = handlersOf(server);
  const listTools = handlers.get("tools/list") as ListTools;
  const calls = new ElicitingCalls(host, handlers.get("tools/call") as CallTool, listTools);
  const call: CallTool = (request, ctx) => calls.call(request, ctx);
  const list: ListTools = async (request, ctx) => {
    const listed = await listTools(request, ctx);
    return isModelAsked(host, ctx) ? listed : { ...listed, tools: listed.tools.filter((tool) => tool.name !== name) };
  };
  handlers.set("tools/call", call);
  handlers.set("tools/list", list);
  return server;
}

/**
 * The handlers that the SDK has registered for its tools. There is no public way to put something around them; set again with `setRequestHandler`, a handler
 * would be checked, and its request's state decoded, twice.
 */
function handlersOf({ server }: McpServer): Map<string, unknown> {
  const handlers: unknown = Reflect.get(server, "_requestHandlers");
  if (handlers instanceof Map && typeof handlers.get("tools/call") === "function" && typeof handlers.get("tools/list") === "function") {
    return handlers;
  }
  throw new AskboxError("INTERNAL", "This version of the MCP SDK keeps its handlers elsewhere; use the version that askbox names.");
}

const isModelAsked = (host: Host, ctx: ServerContext) => choosePath(host.options, callerOf(host.server, ctx), "form") === "model";

class ElicitingCalls {
  readonly #host: Host;
  readonly #callTool: CallTool;
  readonly #listTools: ListTools;

  constructor(host: Host, callTool: CallTool, listTools: ListTools) {
    this.#host = host;
    this.#callTool = callTool;
    this.#listTools = listTools;
  }

  async call(request: ToolCall, ctx: ServerContext): Promise<Result> {
    const name: unknown = Object(request.params).name;
    // What is no proper request is refused by the SDK, in its words.
    if (typeof name !== "string") return this.#callTool(request, ctx);
    try {
      if (name === sendElicitationResult.name) return await this.#sent(request, ctx);
      return await this.#called(request, ctx);
    } catch (error) {
      if (error instanceof AskboxError) return failedResult(error);
      throw error;
    }
  }

  /** A tool's call: its first, or the one that brings the answer to its form. */
  async #called(request: ToolCall, ctx: ServerContext): Promise<Result> {
    const { name: tool, arguments: args = {} } = request.params;
    const answered = formResponseOf(ctx, idPrefix);
    if (answered === undefined) return this.#run(new CallRun(this.#host, { tool }), request, ctx);
    const { book } = this.#host;
    const claimant = { owner: await this.#owner(ctx), via: "client", call: await this.#digest(tool, args), evenExpired: true } as const;
    const { call, expired } = await book.take(idPrefix + answered.id, claimant);
    const given = givenBy(answered.response);
    const answer: StoredAnswer = { asked: call.asked, message: call.message, ...given, ...(expired ? { status: "timedOut" } : {}) };
    return this.#run(new CallRun(this.#host, { tool, answers: [...call.answers, answer], done: call.done }), request, ctx);
  }

  /** A call of `sendElicitationResult`: the model says what the person said, and is given the result of the tool that asked. */
  async #sent(request: ToolCall, ctx: ServerContext): Promise<Result> {
    const host = this.#host;
    if (!isModelAsked(host, ctx)) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${request.params.name} not found`);
    const sent: SentResult = readSentResult(request.params.arguments);
    const { call } = await host.book.take(sent.elicitId, { owner: await this.#owner(ctx), via: "model" });
    const { action: status, content } = sent;
    const answer: StoredAnswer = { asked: call.asked, message: call.message, status, content, by: "model" };
    const { tool, answers, done } = call;
    const run = new CallRun(host, { tool, correctable: true, answers: [...answers, answer], done });
    const original = { ...request, params: { ...request.params, name: tool, arguments: call.args } };
    return this.#run(run, original, ctx, { elicitId: sent.elicitId, call });
  }

  async #run(run: CallRun, request: ToolCall, ctx: ServerContext, taken?: { elicitId: string; call: OpenCall }): Promise<Result> {
    const finished = this.#callTool(request, run.contextFor(ctx)).then((result) => ({ result }));
    const suspended = run.suspended.then((suspension) => ({ suspension }));
    const first = await Promise.race([finished, suspended]);
    if ("result" in first) return first.result;
    // The handler is left where it waits; whatever it still does is nobody's answer.
    finished.catch(() => {});
    await run.settled();
    return this.#suspend(run, request, ctx, first.suspension, taken);
  }

  async #suspend(
    run: CallRun,
    request: ToolCall,
    ctx: ServerContext,
    { index, reason }: Suspension<Reason>,
    taken: { elicitId: string; call: OpenCall } | undefined,
  ): Promise<Result> {
    const { book, platform, server } = this.#host;
    if (reason.kind === "refuse") {
      if (taken === undefined) throw new AskboxError("INVALID_ANSWER", reason.message);
      // What ran once in this run is kept too.
      await book.putBack(taken.elicitId, { ...taken.call, done: run.done });
      const details = { elicitId: taken.elicitId };
      throw new AskboxError(
        "INVALID_ANSWER",
        `${reason.message} Ask the user again, then call sendElicitationResult with the same elicitId: ${JSON.stringify(taken.elicitId)}`,
        {
          details,
        },
      );
    }
    const { name: tool, arguments: args = {} } = request.params;
    const elicitId = idPrefix + platform.ids.session();
    const { via, asked, question } = reason;
    await book.open(elicitId, {
      schema: 1,
      state: "open",
      owner: await this.#owner(ctx),
      tool,
      args,
      call: await this.#digest(tool, args),
      via,
      asked,
      message: question.message,
      ttl: question.ttl,
      expiresAt: platform.clock.now() + question.ttl,
      answers: run.answers.slice(0, index).filter((answer) => answer !== undefined),
      done: run.done,
    });
    if (via === "client") return inputRequired({ inputRequests: { [elicitId]: inputRequestOf(question, callerOf(server, ctx).declared) } });
    const { tools } = await this.#listTools({ method: "tools/list" }, ctx);
    const hasOutputSchema = tools.some((listed) => listed.name === tool && listed.outputSchema !== undefined);
    return pendingResult(elicitId, question, { hasOutputSchema });
  }

  #owner(ctx: ServerContext): Promise<string> {
    const { options, connection, platform } = this.#host;
    return platform.digest(options.owner?.(ctx) ?? ownerOf(ctx, connection));
  }

  #digest(tool: string, args: unknown): Promise<string> {
    return this.#host.platform.digest(canonicalJson([tool, args]));
  }
}
