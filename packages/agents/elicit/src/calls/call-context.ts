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
