import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/server";
import type { AsyncContext } from "./cluster.ts";
import type { KeptCall, SharedCalls } from "./shared-calls.ts";

/** What a session needs of the other hubs that know it. */
export interface SessionAcross {
  calls: SharedCalls;
  /** Follows a call to the stream that the SDK begins for it. */
  carried: AsyncContext<Carried>;
  /** This hub's id. */
  self: string;
  /** A call is taken up that another hub ran before; `request` stands for the one that began it. */
  onTakenUp(request: Request, call: KeptCall, session: { written(id: RequestId): Promise<boolean> }): void;
  /** Tells the other hubs what its client has said, which may be meant for a call of theirs. */
  publish(message: JSONRPCMessage): void;
  /** Resolves when the calls of the request have ended here, and other hubs may have what they had. */
  whenFree(request: Request): Promise<void>;
}

/** The call that a request carries, for what the SDK does about it. */
export interface Carried {
  /** The name of the stream that continues with it; undefined if it begins. */
  stream?: string | undefined;
  call: JSONRPCRequest;
  request: Request;
}

/** A request that posts, beside everything that another one says of itself. */
export function postLike({ url, headers, signal }: Request): Request {
  const own = new Headers(headers);
  own.delete("last-event-id");
  own.set("accept", "application/json, text/event-stream");
  own.set("content-type", "application/json");
  return new Request(url, { method: "POST", headers: own, signal });
}
