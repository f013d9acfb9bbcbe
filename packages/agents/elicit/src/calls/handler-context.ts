import * as z from "zod";
import {
  type AuthFacts,
  type CallContext,
  type ContextOfV2,
  callOf,
  type Notification,
  ownerOf,
  type SendOptions,
} from "./call-context.ts";

/** The context of a tool's handler: `ctx` of SDK v2, `extra` of `@modelcontextprotocol/sdk` 1.x. */
export type ElicitContext =
  | { readonly mcpReq: { readonly signal: AbortSignal } }
  | { readonly signal: AbortSignal; readonly sendRequest: unknown };

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

/** The key of a run in its handler's context; it survives copies of the context. */
const runKey = Symbol("askbox elicitation run");

/** The call of a context; undefined if it is not a context of either SDK. */
export function readContext(ctx: unknown): CallContext | undefined {
  const context: object = Object(ctx);
  if ("mcpReq" in context) return callOf(context as ContextOfV2);
  return "sendRequest" in context ? callOfV1(context as ExtraOfV1) : undefined;
}

/** The context with a run on it. */
export function withRun<Context>(ctx: Context, run: object): Context {
  const context = ctx as object;
  if ("mcpReq" in context) return { ...context, mcpReq: { ...(context.mcpReq as object), [runKey]: run } } as Context;
  return { ...context, [runKey]: run } as Context;
}

/** The run in this context. Undefined if the server was not set up. */
export function runOf(ctx: unknown): unknown {
  const context: object = Object(ctx);
  const carrier = ("mcpReq" in context ? context.mcpReq : context) as { [runKey]?: unknown };
  return Object(carrier)[runKey];
}

function callOfV1(extra: ExtraOfV1): CallContext {
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
