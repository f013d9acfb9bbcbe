import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/server";
import type { AsyncContext } from "./cluster.ts";
import type { KeptCall, SharedCalls } from "./shared-calls.ts";

/** What a session needs from the other hubs that know it. */
export interface SessionAcross {
  calls: SharedCalls;
  /** Associates a call with the stream that the SDK starts for it. */
  carried: AsyncContext<Carried>;
  /** This hub's id. */
  self: string;
  /** A call that another hub ran before continues here; `request` stands for the original one. */
  onTakenUp(request: Request, call: KeptCall, session: { written(id: RequestId): Promise<boolean> }): void;
  /** Forwards a client's message to the other hubs, which may be meant for one of their calls. */
  publish(message: JSONRPCMessage): void;
  /** Resolves when the request's calls have ended here, and other hubs can take them over. */
  whenFree(request: Request): Promise<void>;
}

/** The call of a request, while the SDK handles it. */
export interface Carried {
  /** The name of the stream that it continues; undefined for a new one. */
  stream?: string | undefined;
  call: JSONRPCRequest;
  request: Request;
}

/** A POST with this body and the other request's headers and URL. */
export function postLike({ url, headers, signal }: Request): Request {
  const own = new Headers(headers);
  own.delete("last-event-id");
  own.set("accept", "application/json, text/event-stream");
  own.set("content-type", "application/json");
  return new Request(url, { method: "POST", headers: own, signal });
}
