import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/server";
import type { AsyncContext } from "./cluster.ts";
import { type EventLog, isResponse, streamOf } from "./event-log.ts";
import type { KeptCall, SharedCalls } from "./shared-calls.ts";
import { nameFor } from "./stream-name.ts";

/** What a session needs from the other hubs that know it. */
export interface SessionAcross {
  calls: SharedCalls;
  /** Associates a call with the stream that the SDK starts for it. */
  carried: AsyncContext<Carried>;
  /** This hub's id. */
  self: string;
  /** A call that another hub ran before continues here; `request` stands for the original one. */
  onTakenUp(request: Request, call: KeptCall, session: Pick<EventLog, "written">): void;
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

/** The calls of a session that run here and are known to other hubs, by the names of their streams. A call runs at one hub at a time. */
export class CarriedCalls {
  readonly #session: string;
  readonly #across: SessionAcross;
  readonly #events: EventLog;
  readonly #leave: (id: RequestId) => void;
  readonly #calls = new Map<string, Carried>();

  /** `leave` ends a request here, if it is open; its questions stay open for another hub. */
  constructor(session: string, across: SessionAcross, events: EventLog, leave: (id: RequestId) => void) {
    this.#session = session;
    this.#across = across;
    this.#events = events;
    this.#leave = leave;
  }

  /** A new stream: its call is published to the other hubs before the client learns what to resume. Resolves with the stream's name. */
  async begin(stream: string, first: JSONRPCMessage): Promise<string | undefined> {
    const carried = this.#across.carried.getStore();
    if (carried?.stream !== undefined) return carried.stream;
    if (carried === undefined || isResponse(first)) return undefined;
    const name = nameFor(stream, carried.call.id);
    this.#calls.set(name, carried);
    await this.#across.calls.begin(this.#session, name, carried.call);
    return name;
  }

  /** The call of a resumed stream, if it continues here after running at another hub; undefined if the log has what there is of it. */
  async resume(request: Request, lastEventId: string): Promise<Carried | undefined> {
    const { calls, onTakenUp } = this.#across;
    const stream = streamOf(lastEventId);
    const isHere = this.#events.has(stream) || this.#calls.has(stream);
    const found = await calls.resume(this.#session, stream, isHere, request.signal);
    this.#events.goOnAfter(lastEventId);
    if (found.kind === "here") return undefined;
    // The local state is from before another hub took over.
    const stale = this.#take(stream);
    if (stale !== undefined) this.#leave(stale.call.id);
    this.#events.drop(stream);
    if (stale !== undefined) await this.#free(stale);
    if (found.kind === "done") {
      await this.#events.storeEvent(stream, found.response);
      return undefined;
    }
    const carried = { stream, call: found.call.request, request: postLike(request) };
    this.#calls.set(stream, carried);
    onTakenUp(carried.request, found.call, this.#events);
    return carried;
  }

  /** Leaves a call to the next hub that its client connects to, once its local state is gone. */
  async release(stream: string): Promise<void> {
    const carried = this.#take(stream);
    if (carried === undefined) return;
    await this.#free(carried);
    await this.#across.calls.release(this.#session, stream);
  }

  /** Releases a call that its client resumes at another hub. */
  yield(stream: string): void {
    const carried = this.#calls.get(stream);
    if (carried === undefined) return;
    this.#leave(carried.call.id);
    this.#events.drop(stream);
  }

  /** Keeps what was written, for a client that did not receive it although the connection was open. */
  async finish(sent: Iterable<string>): Promise<void> {
    for (const eventId of sent) {
      const stream = streamOf(eventId);
      const response = this.#events.responseIn(eventId);
      if (response === undefined || this.#take(stream) === undefined) continue;
      await this.#across.calls.finish(this.#session, stream, response);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#calls.keys()].map((stream) => this.release(stream)));
  }

  #take(stream: string): Carried | undefined {
    const carried = this.#calls.get(stream);
    this.#calls.delete(stream);
    return carried;
  }

  /** Resolves when a stopped call has no local state left. */
  async #free({ request }: Carried): Promise<void> {
    // The effects of its end have started by then.
    await new Promise((resolve) => globalThis.setTimeout(resolve));
    await this.#across.whenFree(request);
  }
}

/** A POST with this body and the other request's headers and URL. */
export function postLike({ url, headers, signal }: Request): Request {
  const own = new Headers(headers);
  own.delete("last-event-id");
  own.set("accept", "application/json, text/event-stream");
  own.set("content-type", "application/json");
  return new Request(url, { method: "POST", headers: own, signal });
}
