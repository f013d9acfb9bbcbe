import { AskboxError } from "@askbox/core";
import * as z from "zod";
import {
  type AuthFacts,
  type CallContext,
  type ContextOfV2,
  callOf,
  type Notification,
  ownerOf,
  type SendOptions,
} from "./tool-call/tool-call.ts";

/**
 * What is needed of the SDKs, `@modelcontextprotocol/server` 2 and `@modelcontextprotocol/sdk` 1.x: the context of a handler, and a server whose
 * handlers can be wrapped. Neither is imported; their public shapes are recognized.
 */

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

/** The part of the SDK's `Server` that is used. */
interface ProtocolServer {
  setRequestHandler(...args: never[]): unknown;
  assertCanSetRequestHandler(method: string): void;
  getClientVersion(): object | undefined;
  getClientCapabilities(): object | undefined;
}

/** A server of either SDK: `McpServer` and `Server` of `@modelcontextprotocol/server` 2, and of `@modelcontextprotocol/sdk` 1.x. */
export type ElicitableServer = ProtocolServer | { readonly server: ProtocolServer };

/** The context that a server gives to its handlers. */
export type ContextOf<Server> = Server extends { readonly server: infer Inner extends { fallbackRequestHandler?: unknown } }
  ? ContextOf<Inner>
  : Server extends { fallbackRequestHandler?: ((request: never, ctx: infer Context) => unknown) | undefined }
    ? Context
    : never;

/** What the handshake reported about a server's client. */
export type ClientFacts = Pick<ProtocolServer, "getClientVersion" | "getClientCapabilities">;

type SetRequestHandler = (method: unknown, ...rest: unknown[]) => unknown;

const supported = "withElicitation takes an McpServer or Server of @modelcontextprotocol/server 2, or of @modelcontextprotocol/sdk 1.x.";
const tooLate =
  "Give the server to withElicitation before its first tool is registered, and leave tools out of the capabilities in its options: the SDK declares them with the first tool.";

/** The part of a server that both SDKs have in common. Throws `VALIDATION` for anything else. */
export function protocolServerOf(server: ElicitableServer): ProtocolServer {
  const candidate: unknown = "server" in Object(server) ? (server as { server: unknown }).server : server;
  const names = ["setRequestHandler", "assertCanSetRequestHandler", "getClientVersion", "getClientCapabilities"] as const;
  if (names.every((name) => typeof Object(candidate)[name] === "function")) return candidate as ProtocolServer;
  throw new AskboxError("VALIDATION", supported);
}

/**
 * Wraps the handlers that the SDK, or the server's author, sets for these methods from now on. `setRequestHandler` is the only public way
 * to do so, so a server that already has them is rejected. Throws `VALIDATION`.
 */
export function wrapHandlers(server: ProtocolServer, wraps: Readonly<Record<string, (handler: never) => unknown>>): void {
  const methods = Object.keys(wraps);
  for (const method of methods) {
    try {
      server.assertCanSetRequestHandler(method);
    } catch (cause) {
      throw new AskboxError("VALIDATION", tooLate, { cause });
    }
  }
  const set = server.setRequestHandler.bind(server) as SetRequestHandler;
  const setWrapped: SetRequestHandler = (method, handler, ...rest) => {
    const wrap = wraps[methods.find((name) => isMethod(method, name)) ?? ""];
    return wrap === undefined || typeof handler !== "function"
      ? set(method, handler, ...rest)
      : set(method, wrap(handler as never), ...rest);
  };
  server.setRequestHandler = setWrapped;
}

/** SDK v2 passes a method, 1.x the schema of its request. */
function isMethod(method: unknown, name: string): boolean {
  if (typeof method === "string") return method === name;
  const literal: { safeParse?(value: string): { success: boolean } } = Object(Object(Object(method).shape).method);
  return literal.safeParse?.(name).success ?? false;
}
