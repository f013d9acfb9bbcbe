import { type CancelTimer, type Clock, limits } from "@askbox/core";
import { cut } from "@askbox/core/questions";
import type * as sdk from "@modelcontextprotocol/server";

/** What a tool call says of itself, for both generations of the SDK. */
export interface CallContext {
  signal: AbortSignal;
  progressToken: string | number | undefined;
  /** The client's description of itself in this call (revisions since 2026-07-28); undefined if it came with the handshake. */
  envelope: Readonly<Record<string, unknown>> | undefined;
  inputResponses: Readonly<Record<string, unknown>> | undefined;
  droppedInputResponseKeys: readonly string[] | undefined;
  /** The same for all copies of a context; different if the SDK restarts the handler. */
  pass: unknown;
  /** The call's token and MCP session over HTTP; otherwise the connection. */
  owner(connection: string): string;
  /** Sends `elicitation/create` and resolves with the client's response, not validated. */
  show(params: Record<string, unknown>, options: SendOptions): Promise<unknown>;
  progress(progress: number, message: string): Promise<void>;
}

export interface Notification {
  method: string;
  params: Record<string, unknown>;
}
export interface SendOptions {
  signal: AbortSignal;
  /** Milliseconds. */
  timeout: number;
}

export interface AuthFacts {
  clientId?: string;
  token?: string;
}

/** The part of SDK v2's `ServerContext` that is used. */
export interface ContextOfV2 {
  sessionId?: string | undefined;
  http?: { authInfo?: AuthFacts | undefined } | undefined;
  mcpReq: {
    signal: AbortSignal;
    _meta?: { progressToken?: string | number } | undefined;
    envelope?: object | undefined;
    inputResponses?: object | undefined;
    droppedInputResponseKeys?: readonly string[] | undefined;
    requestState?: unknown;
    send(request: { method: "elicitation/create"; params: never }, options: SendOptions): Promise<unknown>;
    notify(notification: never): Promise<void>;
  };
}

/** The call of a handler's context of SDK v2. */
export function callOf({ mcpReq, http, sessionId }: ContextOfV2): CallContext {
  const { signal, _meta, envelope, inputResponses, droppedInputResponseKeys, requestState } = mcpReq;
  const progressToken = _meta?.progressToken;
  return {
    signal,
    progressToken,
    // Typed empty, and passed on as received.
    envelope: envelope === undefined ? undefined : { ...envelope },
    inputResponses: inputResponses === undefined ? undefined : { ...inputResponses },
    droppedInputResponseKeys,
    pass: requestState,
    owner: (connection) => ownerOf({ http, sessionId }, connection),
    show: (params, options) => mcpReq.send({ method: "elicitation/create", params: params as never }, options),
    progress: (progress, message) =>
      mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message } } as never),
  };
}

/** How a call arrived. */
type Origin = Pick<ContextOfV2, "http" | "sessionId">;

export function ownerOf({ http, sessionId }: Origin, connection: string): string {
  if (http === undefined) return JSON.stringify(["connection", connection]);
  const { authInfo } = http;
  return JSON.stringify(["http", authInfo?.clientId ?? null, authInfo?.token ?? null, sessionId ?? null]);
}

// Not imported, so that `elicit()` loads no SDK; the types ensure that the names match.
const clientInfoKey: typeof sdk.CLIENT_INFO_META_KEY = "io.modelcontextprotocol/clientInfo";
const clientCapabilitiesKey: typeof sdk.CLIENT_CAPABILITIES_META_KEY = "io.modelcontextprotocol/clientCapabilities";

/** The client that calls a tool: from this request since revision 2026-07-28, from the handshake before. */
export interface McpCaller {
  client: { name: string; version?: string | undefined };
  declared: DeclaredElicitation;
  /** Whether the call uses a revision in which a server asks with its result rather than a request. */
  modern: boolean;
}

/** What the client can show, according to its capabilities. An empty `elicitation: {}` comes from revisions that only have forms. */
export interface DeclaredElicitation {
  form: boolean;
  url: boolean;
}

/** What the handshake reported about the client. */
interface Handshake {
  getClientVersion(): object | undefined;
  getClientCapabilities(): object | undefined;
}

/** The client behind a call. `server` is the SDK's `Server`, which has the handshake. */
export function readCaller(server: Handshake, { envelope }: Pick<CallContext, "envelope">): McpCaller {
  const info: unknown = envelope?.[clientInfoKey] ?? server.getClientVersion();
  const { name, version } = Object(info) as Record<string, unknown>;
  return {
    client: {
      // Truncated rather than rejected: it came with the handshake, where the model that asks cannot change it.
      name: nameOf(name, limits.asker.clientName) ?? "unknown",
      version: nameOf(version, limits.asker.clientVersion),
    },
    declared:
      envelope === undefined ? declaredBefore(server.getClientCapabilities()) : readDeclared(Object(envelope[clientCapabilitiesKey])),
    modern: envelope !== undefined,
  };
}

const nameOf = (text: unknown, max: number) => (typeof text === "string" && text !== "" ? cut(text, max, "").toWellFormed() : undefined);

/** A client's response to a form that an earlier call returned. */
export interface FormResponse {
  /** The form's key without its prefix. */
  id: string;
  /** As received; undefined if the SDK dropped it as malformed. */
  response: unknown;
}

/** The response in this call to a form whose key has the prefix; undefined if there is none. */
export function formResponseOf(
  { inputResponses = {}, droppedInputResponseKeys = [] }: Pick<CallContext, "inputResponses" | "droppedInputResponseKeys">,
  prefix: string,
): FormResponse | undefined {
  const key = [...Object.keys(inputResponses), ...droppedInputResponseKeys].find((name) => name.startsWith(prefix));
  return key === undefined ? undefined : { id: key.slice(prefix.length), response: inputResponses[key] };
}

/**
 * Before 2026-07-28 a client may also declare `experimental.elicitation` (`elicitation` contract, "Client Compatibility"). Since then forms
 * are part of results, which the SDK only sends to clients that declare `elicitation`.
 */
function declaredBefore(capabilities: unknown): DeclaredElicitation {
  const declared = readDeclared(Object(capabilities));
  if (declared.form || declared.url) return declared;
  const { elicitation } = Object(Object(capabilities).experimental) as { elicitation?: unknown };
  return readDeclared({ elicitation: elicitation === true ? {} : elicitation });
}

function readDeclared({ elicitation: declared }: { elicitation?: unknown }): DeclaredElicitation {
  if (typeof declared !== "object" || declared === null) return { form: false, url: false };
  const url = "url" in declared && Boolean(declared.url);
  return { url, form: ("form" in declared && Boolean(declared.form)) || !url };
}

/** Shows a client that its call is still running. */
export interface Heartbeat {
  /** Sends this message now, and with every heartbeat from now on. */
  say(message: string): void;
  stop(): void;
}

/** Milliseconds. askbox promises at least one every 15 s; clients that need progress time out after 60 s without it. */
const interval = 10_000;

/** For a caller that takes no progress: nothing is sent. */
export const noHeartbeat: Heartbeat = Object.freeze({ say: () => {}, stop: () => {} });

/**
 * Sends progress at once and then every 10 s, if the client asked for it. MCP requires `progress` to increase with each notification; the
 * number has no other meaning.
 */
export function heartbeatOf(call: Pick<CallContext, "progressToken" | "progress">, clock: Clock, message: string): Heartbeat {
  if (call.progressToken === undefined) return noHeartbeat;
  let progress = 0;
  let current = message;
  let cancel: CancelTimer;
  const beat = () => {
    progress += 1;
    // A closed stream accepts no more progress, and the call has been aborted by then.
    call.progress(progress, current).catch(() => {});
    cancel = clock.setTimer(interval, beat);
  };
  beat();
  return {
    say(next) {
      cancel();
      current = next;
      beat();
    },
    stop: () => cancel(),
  };
}
