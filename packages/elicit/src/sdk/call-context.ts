import * as z from "zod";
import { ownerOf } from "../../mcp-call.ts";

/** The context of a tool's handler: `ctx` of SDK v2, `extra` of `@modelcontextprotocol/sdk` 1.x. */
export type ElicitContext =
  | { readonly mcpReq: { readonly signal: AbortSignal } }
  | { readonly signal: AbortSignal; readonly sendRequest: unknown };

/** What `elicit()` needs from a call, for both generations of the SDK. */
export interface CallContext {
  signal: AbortSignal;
  progressToken: string | number | undefined;
  /** The client's description of itself in this call (revisions since 2026-07-28); undefined if it came with the handshake. */
  envelope: Readonly<Record<string, unknown>> | undefined;
  inputResponses: Readonly<Record<string, unknown>> | undefined;
  droppedInputResponseKeys: readonly string[] | undefined;
  /** The same for all copies of a context; different if the SDK restarts the handler. */
  pass: unknown;
  owner(connection: string): string;
  /** Sends `elicitation/create` and resolves with the client's response, not validated. */
  show(params: Record<string, unknown>, options: { signal: AbortSignal; timeout: number }): Promise<unknown>;
  progress(progress: number, message: string): Promise<void>;
}

interface Notification {
  method: string;
  params: Record<string, unknown>;
}
interface SendOptions {
  signal: AbortSignal;
  timeout: number;
}

/** The part of SDK v2's `ServerContext` that is used. */
interface ContextOfV2 {
  sessionId?: string | undefined;
  http?: { authInfo?: AuthFacts | undefined } | undefined;
  mcpReq: {
    signal: AbortSignal;
    _meta?: { progressToken?: string | number } | undefined;
    envelope?: object | undefined;
    inputResponses?: Record<string, unknown> | undefined;
    droppedInputResponseKeys?: readonly string[] | undefined;
    requestState?: unknown;
    send(request: { method: string; params: Record<string, unknown> }, options: SendOptions): Promise<unknown>;
    notify(notification: Notification): Promise<void>;
  };
}

/** The part of SDK 1.x's `RequestHandlerExtra` that is used. */
interface ExtraOfV1 {
  signal: AbortSignal;
  sessionId?: string | undefined;
  authInfo?: AuthFacts | undefined;
  requestInfo?: unknown;
  _meta?: { progressToken?: string | number } | undefined;
  sendRequest(request: { method: string; params: Record<string, unknown> }, schema: unknown, options: SendOptions): Promise<unknown>;
  sendNotification(notification: Notification): Promise<void>;
}

interface AuthFacts {
  clientId?: string;
  token?: string;
}

/** The key of a run in its handler's context; it survives copies of the context. */
const runKey = Symbol("askbox elicitation run");

/** The call of a context; undefined if it is not a context of either SDK. */
export function readContext(ctx: unknown): CallContext | undefined {
  const given: object = Object(ctx);
  if ("mcpReq" in given) return ofV2(given as ContextOfV2);
  return "sendRequest" in given ? ofV1(given as ExtraOfV1) : undefined;
}

/** The context with a run on it. */
export function withRun<Context>(ctx: Context, run: object): Context {
  const given = ctx as object;
  if ("mcpReq" in given) return { ...given, mcpReq: { ...(given.mcpReq as object), [runKey]: run } } as Context;
  return { ...given, [runKey]: run } as Context;
}

/** The run in this context. Undefined if the server was not set up. */
export function runOf(ctx: unknown): unknown {
  const given: object = Object(ctx);
  const carrier = ("mcpReq" in given ? given.mcpReq : given) as { [runKey]?: unknown };
  return Object(carrier)[runKey];
}

function ofV2({ mcpReq, http, sessionId }: ContextOfV2): CallContext {
  const { signal, _meta, envelope, inputResponses, droppedInputResponseKeys, requestState } = mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    signal,
    progressToken,
    envelope: envelope === undefined ? undefined : { ...envelope },
    inputResponses,
    droppedInputResponseKeys,
    pass: requestState,
    owner: (connection) => ownerOf({ http, sessionId }, connection),
    show: (params, options) => mcpReq.send({ method: "elicitation/create", params }, options),
    progress: (progress, message) => mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } }),
  };
}

function ofV1(extra: ExtraOfV1): CallContext {
  const { signal, _meta, authInfo, requestInfo, sessionId } = extra;
  const progressToken = _meta?.progressToken;
  const http = authInfo === undefined && requestInfo === undefined ? undefined : { authInfo };
  return {
    signal,
    progressToken,
    envelope: undefined,
    inputResponses: undefined,
    droppedInputResponseKeys: undefined,
    pass: undefined,
    owner: (connection) => ownerOf({ http, sessionId }, connection),
    // Not validated here: anything that is not clearly an answer is a dismissal.
    show: (params, options) => extra.sendRequest({ method: "elicitation/create", params }, z.looseObject({}), options),
    progress: (progress, message) =>
      extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress, message } }),
  };
}
