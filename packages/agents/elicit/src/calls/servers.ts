import { AskboxError } from "@askbox/core";

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
