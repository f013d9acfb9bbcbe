import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type TransportSendOptions,
  WebStandardStreamableHTTPServerTransport,
  type WebStandardStreamableHTTPServerTransportOptions,
} from "@modelcontextprotocol/server";
import { isResponse } from "./event-log.ts";

/** Whether a client's message may belong to a call at another hub than it was posted to. */
export function isRelayed(message: unknown): message is JSONRPCMessage {
  if (isJSONRPCNotification(message)) return message.method !== "notifications/initialized";
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

/**
 * The SDK's transport, which reports when a request has been answered. If several hubs serve a session, each marks the ids of its own
 * requests to the client, since every response may be posted to any of them.
 */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  onAnswered: (id: RequestId) => void = () => {};
  readonly #mark: string | undefined;

  /** `hub` is this hub's id, if it is one of several. */
  constructor(hub: string | undefined, options: WebStandardStreamableHTTPServerTransportOptions) {
    super(options);
    this.#mark = hub === undefined ? undefined : `${hub}:`;
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (isResponse(message)) this.onAnswered(message.id);
    await super.send(this.#marked(message), options);
  }

  /** The posted messages, with the SDK's original ids for this hub's own requests. */
  own<Body>(body: Body): Body {
    const mark = this.#mark;
    if (mark === undefined) return body;
    if (Array.isArray(body)) return body.map((message) => this.own(message)) as Body;
    const { id, method } = Object(body) as { id?: unknown; method?: unknown };
    const isOwn = method === undefined && typeof id === "string" && id.startsWith(mark);
    return isOwn ? { ...body, id: Number(id.slice(mark.length)) } : body;
  }

  /** The posted messages that may belong to a call at another hub. */
  forOthers(body: unknown): JSONRPCMessage[] {
    return [body]
      .flat()
      .filter(isRelayed)
      .filter((message) => !("id" in message && String(message.id).startsWith(this.#mark ?? "")));
  }

  #marked(message: JSONRPCMessage): JSONRPCMessage {
    if (this.#mark === undefined) return message;
    if (isJSONRPCRequest(message)) return { ...message, id: `${this.#mark}${message.id}` };
    const requestId =
      isJSONRPCNotification(message) && message.method === "notifications/cancelled" ? message.params?.["requestId"] : undefined;
    return requestId === undefined
      ? message
      : ({ ...message, params: { ...Object(message).params, requestId: `${this.#mark}${requestId}` } } as JSONRPCMessage);
  }
}
