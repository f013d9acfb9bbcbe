import { AskboxError } from "@askbox/core";
import { canonicalJson } from "@askbox/core/schemas";
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { choosePath, inputRequestOf, pendingResult, resultOf } from "./paths.ts";
import type { ElicitationOptions } from "./question.ts";
import { createHost, type Host, type OpenCall, type StoredAnswer } from "./run/call-book.ts";
import { CallRun, type Reason } from "./run/run.ts";
import { type ContextOf, type ElicitableServer, type ElicitContext, protocolServerOf, readContext, withRun, wrapHandlers } from "./sdk.ts";
import { type CallContext, formResponseOf, type McpCaller, readCaller } from "./tool-call/tool-call.ts";

type Result = CallToolResult | InputRequiredResult;
interface ToolCall {
  params: { name: string; arguments?: unknown };
}
type CallTool = (request: ToolCall, ctx: ElicitContext) => Promise<Result>;
type ListTools = (request: unknown, ctx: ElicitContext) => Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;

/** A call that waited for the answer which now came. */
interface TakenCall {
  elicitId: string;
  call: OpenCall;
}

const idPrefix = "elicit-";

/**
 * Lets the tools of a server ask people with `elicit()`; call it before registering the first tool. Accepts an `McpServer` or `Server` of
 * `@modelcontextprotocol/server` 2 or `@modelcontextprotocol/sdk` 1.x, and returns it. If only the model can pass a question on, the server
 * also gets the tool `sendElicitationResult`. Throws `VALIDATION` for anything else, for a server that already has tools, and for a secret
 * that is too short.
 *
 * @example
 * ```ts
 * import { withElicitation } from "@askbox/elicit";
 * import { McpServer } from "@modelcontextprotocol/server";
 *
 * const server = withElicitation(new McpServer({ name: "files", version: "1.0.0" }));
 * ```
 */
export function withElicitation<Server extends ElicitableServer>(
  server: Server,
  options: ElicitationOptions<ContextOf<Server>> = {},
): Server {
  const protocolServer = protocolServerOf(server);
  // Only a handler's context shows which SDK the server uses.
  const calls = new ElicitingCalls(createHost(protocolServer, options as ElicitationOptions));
  wrapHandlers(protocolServer, {
    "tools/list": (list: ListTools) => calls.around({ list }).list,
    "tools/call": (call: CallTool) => calls.around({ call }).call,
  });
  return server;
}

class ElicitingCalls {
  readonly #host: Host;
  /** The handlers of the SDK, or of the server's author. */
  #inner: { call: CallTool; list: ListTools } = {
    call: () => Promise.reject(new AskboxError("INTERNAL", "The server has no handler for tools/call.")),
    list: async () => ({ tools: [] }),
  };

  constructor(host: Host) {
    this.#host = host;
  }

  /** Wrappers for these handlers. */
  around(inner: { call?: CallTool; list?: ListTools }): { call: CallTool; list: ListTools } {
    this.#inner = { ...this.#inner, ...inner };
    return { call: (request, ctx) => this.call(request, ctx), list: (request, ctx) => this.list(request, ctx) };
  }

  async list(request: unknown, ctx: ElicitContext): Promise<Awaited<ReturnType<ListTools>>> {
    const listed = await this.#inner.list(request, ctx);
    return this.#isModelAsked(contextOf(ctx)) ? { ...listed, tools: [...listed.tools, sendElicitationResult] } : listed;
  }

  async call(request: ToolCall, ctx: ElicitContext): Promise<Result> {
    const name: unknown = Object(request.params).name;
    // An invalid request is rejected by the SDK, with its own message.
    if (typeof name !== "string") return this.#inner.call(request, ctx);
    try {
      // If the model is not used, the tool does not exist.
      if (name === sendElicitationResult.name && this.#isModelAsked(contextOf(ctx))) return await this.#sent(request, ctx);
      return await this.#called(request, ctx);
    } catch (error) {
      if (error instanceof AskboxError) return failedResult(error);
      throw error;
    }
  }

  /** A tool call: the first, or the one with the answer to its form. */
  async #called(request: ToolCall, ctx: ElicitContext): Promise<Result> {
    const { name: tool, arguments: args = {} } = request.params;
    const answered = formResponseOf(contextOf(ctx), idPrefix);
    if (answered === undefined) return this.#run(new CallRun(this.#host, { tool }), request, ctx);
    const { book } = this.#host;
    const claimant = { owner: await this.#owner(ctx), via: "client", call: await this.#digest(tool, args), evenExpired: true } as const;
    const { call, expired } = await book.take(idPrefix + answered.id, claimant);
    const result = resultOf(answered.response);
    const answer: StoredAnswer = { asked: call.asked, message: call.message, ...result, ...(expired ? { status: "timed_out" } : {}) };
    return this.#run(new CallRun(this.#host, { tool, answers: [...call.answers, answer], done: call.done }), request, ctx);
  }

  /** A call of `sendElicitationResult`: the model passes the person's answer on, and gets the result of the tool that asked. */
  async #sent(request: ToolCall, ctx: ElicitContext): Promise<Result> {
    const host = this.#host;
    const sent: SentResult = readSentResult(request.params.arguments);
    const { call } = await host.book.take(sent.elicitId, { owner: await this.#owner(ctx), via: "model" });
    const { action: status, content } = sent;
    const answer: StoredAnswer = { asked: call.asked, message: call.message, status, content, by: "model" };
    const { tool, answers, done } = call;
    const run = new CallRun(host, { tool, correctable: true, answers: [...answers, answer], done });
    const original = { ...request, params: { ...request.params, name: tool, arguments: call.args } };
    return this.#run(run, original, ctx, { elicitId: sent.elicitId, call });
  }

  async #run(run: CallRun, request: ToolCall, ctx: ElicitContext, taken?: TakenCall): Promise<Result> {
    const finished = this.#inner.call(request, withRun(ctx, run)).then((result) => ({ result }));
    const suspended = run.suspended.then((suspension) => ({ suspension }));
    const first = await Promise.race([finished, suspended]);
    if ("result" in first) return first.result;
    // The handler stays suspended; its later result is not an answer.
    finished.catch(() => {});
    await run.settled();
    const { index, reason } = first.suspension;
    return reason.kind === "ask" ? this.#ask(run, request, ctx, { index, ...reason }) : this.#refuse(run, reason.message, taken);
  }

  /** The answer that the model passed on is not valid: its elicitId can be used again, for a corrected one. */
  async #refuse(run: CallRun, message: string, taken: TakenCall | undefined): Promise<never> {
    if (taken === undefined) throw new AskboxError("INVALID_ANSWER", message);
    const { elicitId, call } = taken;
    // Results of `once` in this run are stored too.
    await this.#host.book.putBack(elicitId, { ...call, done: run.done });
    const next = `Ask the user again, then call sendElicitationResult with the same elicitId: ${JSON.stringify(elicitId)}`;
    throw new AskboxError("INVALID_ANSWER", `${message} ${next}`, { details: { elicitId } });
  }

  /** Stores the call, and returns the result that asks the question. */
  async #ask(
    run: CallRun,
    request: ToolCall,
    ctx: ElicitContext,
    { index, via, asked, question }: Extract<Reason, { kind: "ask" }> & { index: number },
  ): Promise<Result> {
    const { book, platform } = this.#host;
    const { name: tool, arguments: args = {} } = request.params;
    const elicitId = idPrefix + platform.ids.session();
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
    if (via === "client") {
      const { declared } = this.#callerOf(contextOf(ctx));
      return { resultType: "input_required", inputRequests: { [elicitId]: inputRequestOf(question, declared) } } as InputRequiredResult;
    }
    const { tools } = await this.#inner.list({ method: "tools/list" }, ctx);
    const hasOutputSchema = tools.some((listed) => listed.name === tool && listed.outputSchema !== undefined);
    return pendingResult(elicitId, question, { hasOutputSchema });
  }

  #owner(ctx: ElicitContext): Promise<string> {
    const { options, connection, platform } = this.#host;
    return platform.digest(options.owner?.(ctx) ?? contextOf(ctx).owner(connection));
  }

  #digest(tool: string, args: unknown): Promise<string> {
    return this.#host.platform.digest(canonicalJson([tool, args]));
  }

  #callerOf(call: CallContext): McpCaller {
    return readCaller(this.#host.client, call);
  }

  #isModelAsked(call: CallContext): boolean {
    return choosePath(this.#host.options, this.#callerOf(call), { mode: "form", person: false }) === "model";
  }
}

/** A handler's context, which is one of the two known kinds, since the server is. */
function contextOf(ctx: ElicitContext): CallContext {
  const call = readContext(ctx);
  if (call === undefined)
    throw new AskboxError("INTERNAL", "The MCP SDK gave its handler a context that is unknown; use a version that askbox names.");
  return call;
}

const actions = ["accept", "decline", "cancel"] as const;

/** The tool with which a model submits its person's answer, if there is no other way (`elicitation` contract, "Fallback Elicitation"). */
export const sendElicitationResult = {
  name: "sendElicitationResult",
  title: "Send the user's answer",
  description:
    "Continue a tool that required user input: call this after the user has replied to its question, with the elicitId from the tool's result. Send only what the user said; never answer in the user's place. The result is that of the tool.",
  inputSchema: {
    type: "object",
    properties: {
      elicitId: { type: "string", description: "The elicitId from the result of the tool that asked" },
      action: {
        type: "string",
        enum: [...actions],
        description: "accept: the user answered; decline: the user refused to; cancel: the user dismissed the question",
      },
      content: { type: "object", description: "What the user answered, fitting the schema in the tool's result. Only with accept" },
    },
    required: ["elicitId", "action"],
  },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
};

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);
const sentSchema = z.object({
  elicitId: z.string({ error: "elicitId must be the text from the tool's result" }).min(1),
  action: z.enum(actions, { error: `action must be one of ${actions.join(", ")}` }),
  // Not a record, which would lose `__proto__`.
  content: z.preprocess(parsed, z.custom<Record<string, unknown>>(isObject, { error: "content must be an object" }).nullish()),
});

interface SentResult {
  elicitId: string;
  action: (typeof actions)[number];
  content: Record<string, unknown> | undefined;
}

/** Parses the tool's arguments; unknown fields are stripped. Throws `VALIDATION`. */
function readSentResult(args: unknown): SentResult {
  const read = sentSchema.safeParse(Object(args));
  if (!read.success)
    throw new AskboxError("VALIDATION", `Validation error: ${read.error.issues[0]?.message ?? "the arguments are not valid"}`);
  const { elicitId, action, content } = read.data;
  return { elicitId, action, content: action === "accept" ? (content ?? {}) : undefined };
}

/** Models sometimes send objects as JSON text. */
function parsed(content: unknown): unknown {
  if (typeof content !== "string") return content;
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}

/** An error as a result, with its code in a place where a program looks for it. */
function failedResult(error: AskboxError): CallToolResult {
  return { content: [{ type: "text", text: error.message }], isError: true, _meta: { "askbox/error": error.toJSON() } };
}
