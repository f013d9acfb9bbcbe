import { AskboxError, type Broker, type CancelTimer, type Clock, type Log, type SharedState } from "@askbox/core";
import type { JSONRPCMessage, JSONRPCRequest, RequestId } from "@modelcontextprotocol/server";
import * as z from "zod";
import { type EventLog, isResponse, streamOf } from "./event-log.ts";
import type { AsyncContext } from "./servers.ts";

/**
 * A call of an MCP session that is carried from one hub to another: several hubs serve the sessions of older revisions, and a client whose
 * connection was cut resumes the stream of its call wherever it connects next. A call runs at one hub at a time.
 *
 * 1. A call begins (`CarriedCalls.begin`): before its client learns what to resume, it is stored for the other hubs, under a name that
 *    contains the id of its request (`nameFor`), with the hub that runs it.
 * 2. Its connection is cut, and the client resumes the stream at some hub (`CarriedCalls.resume`).
 * 3. That hub looks up the call (`SharedCalls.resume`). If another one runs it, it asks that one to release it, every 200 ms, until it has, or
 *    counts as dead. The other hub leaves the call without an answer (`yield`); once nothing of it is left there, it is `release`d.
 * 4. The call starts over here as if its client had posted it once more: the ask is joined, so that the person is asked once.
 * 5. Its response is written (`finish`), and kept: a client that did not receive it although the connection was open gets it again.
 *
 * What can go wrong:
 * - The hub that runs a call is killed: the call is taken over once the hub counts as dead, after 8 s.
 * - Two hubs take over at once: one swap of the stored call succeeds, the other looks again.
 * - A hub releases nothing for 40 s: `ABORTED`, and its client resumes once more.
 * - A call can't be stored, or is too large: it runs all the same, but only here. A client that resumes it elsewhere gets a failed result by
 *   the name of its stream, with the questions left open, and asks again, which joins them.
 * - The log here is from before another hub took over: it is dropped, so that no event is sent twice, or under an old number.
 */

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
    const stream = streamOf(lastEventId);
    const isHere = this.#events.has(stream) || this.#calls.has(stream);
    const found = await this.#across.calls.resume(this.#session, stream, isHere, request.signal);
    this.#events.goOnAfter(lastEventId);
    if (found.kind === "here") return undefined;
    await this.#dropStale(stream);
    if (found.kind === "taken") return this.#takeUp(request, stream, found.call);
    await this.#events.storeEvent(stream, found.response);
    return undefined;
  }

  /** What is here of a call is from before another hub took it over. */
  async #dropStale(stream: string): Promise<void> {
    const stale = this.#take(stream);
    if (stale !== undefined) this.#leave(stale.call.id);
    this.#events.drop(stream);
    if (stale !== undefined) await this.#free(stale);
  }

  /** The call starts over here, for the client that resumes its stream. */
  #takeUp(request: Request, stream: string, kept: KeptCall): Carried {
    const carried = { stream, call: kept.request, request: postLike(request) };
    this.#calls.set(stream, carried);
    this.#across.onTakenUp(carried.request, kept, this.#events);
    return carried;
  }

  /** Stops a call that its client resumes at another hub, which waits for its release. */
  yield(stream: string): void {
    const carried = this.#calls.get(stream);
    if (carried === undefined) return;
    this.#leave(carried.call.id);
    this.#events.drop(stream);
  }

  /** Leaves a call to the next hub that its client connects to, once its local state is gone. */
  async release(stream: string): Promise<void> {
    const carried = this.#take(stream);
    if (carried === undefined) return;
    await this.#free(carried);
    await this.#across.calls.release(this.#session, stream);
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

/** How long a call without a hub, and a result that was sent, are kept, in ms. */
const keptFor = 600_000;
const renewEvery = 120_000;
/** A larger call is not stored, in characters of JSON. Its client asks again, and joins the open questions. */
const maxCharacters = 1_048_576;
/**
 * How often, in ms, the hub that runs a call is asked to release it, and the maximum number of attempts: five times as long as a dead hub
 * counts as alive.
 */
const askEvery = 200;
const maxAsks = 200;

const message = z.record(z.string(), z.unknown());
const callSchema = z.object({
  /** The hub that runs it; null if none. */
  hub: z.string().nullable(),
  /** When it began: wall time, ms since the epoch. */
  at: z.number(),
  request: message,
  /** Its response, once it has been sent to a client. */
  done: message.optional(),
});

export interface KeptCall {
  at: number;
  request: JSONRPCRequest;
}

/** Where a resumed stream continues: in the log here, if anywhere; as a call that was taken over; or with its result. */
type Resumption = { kind: "here" } | { kind: "taken"; call: KeptCall } | { kind: "done"; response: JSONRPCMessage };

export interface SharedCallsOptions {
  shared: Pick<SharedState, "get" | "swap">;
  broker: Pick<Broker, "id" | "isAlive">;
  clock: Clock;
  log: Log;
  /** Asks the hub that runs a call to release it. */
  want(session: string, stream: string): Promise<void>;
}

/** The stored calls, as all hubs see them: which hub runs each, and what came of it. */
export class SharedCalls {
  readonly #options: SharedCallsOptions;
  /** The last written state of calls that run here. */
  readonly #running = new Map<string, string>();
  #cancelRenewal: CancelTimer = () => {};

  constructor(options: SharedCallsOptions) {
    this.#options = options;
    this.#renewLater();
  }

  /** Stores a new call. Never rejects: a call that cannot be stored runs all the same. */
  async begin(session: string, stream: string, request: JSONRPCRequest): Promise<void> {
    const { broker, clock } = this.#options;
    const value = JSON.stringify({ hub: broker.id, at: clock.now(), request });
    if (value.length > maxCharacters) return;
    await this.#write(keyOf(session, stream), undefined, value);
  }

  /** No hub runs the call now; the next hub that its client connects to takes over. */
  async release(session: string, stream: string): Promise<void> {
    await this.#replace(keyOf(session, stream), (call) => ({ ...call, hub: null }));
  }

  /** The call's response has been sent to its client. */
  async finish(session: string, stream: string, done: JSONRPCMessage): Promise<void> {
    const isSmall = JSON.stringify(done).length <= maxCharacters;
    await this.#replace(keyOf(session, stream), (call) => (isSmall ? { ...call, hub: null, done } : undefined));
  }

  /**
   * Decides where a stream continues. Waits until the hub that runs its call has released it, or counts as dead. Throws `ABORTED` on the
   * signal, and `STORE_UNAVAILABLE`.
   */
  async resume(session: string, stream: string, isHere: boolean, signal: AbortSignal): Promise<Resumption> {
    const { shared, broker } = this.#options;
    const key = keyOf(session, stream);
    for (let asks = 0; asks < maxAsks && !signal.aborted; asks += 1) {
      const text = await shared.get(key);
      const call = text === undefined ? undefined : callSchema.safeParse(JSON.parse(text)).data;
      if (text === undefined || call === undefined) return isHere ? { kind: "here" } : unknownCall(stream);
      if (call.done !== undefined) return { kind: "done", response: call.done as JSONRPCMessage };
      if (call.hub === broker.id && isHere) return { kind: "here" };
      const isFree = call.hub === null || call.hub === broker.id || !(await broker.isAlive(call.hub));
      if (!isFree) {
        await this.#options.want(session, stream);
        await this.#pause(signal);
        continue;
      }
      const value = JSON.stringify({ ...call, hub: broker.id });
      // Another hub may be faster.
      if (!(await shared.swap(key, text, value, keptFor))) continue;
      this.#running.set(key, value);
      return { kind: "taken", call: { at: call.at, request: call.request as JSONRPCRequest } };
    }
    throw new AskboxError("ABORTED", "The call is still run by another hub; resume its stream once more.");
  }

  close(): void {
    this.#cancelRenewal();
  }

  /** Updates the stored state of a call that runs here, unless another hub has taken over. */
  async #replace(key: string, next: (call: z.output<typeof callSchema>) => object | undefined): Promise<void> {
    const present = this.#running.get(key);
    if (present === undefined) return;
    this.#running.delete(key);
    const value = next(callSchema.parse(JSON.parse(present)));
    await this.#write(key, present, value === undefined ? undefined : JSON.stringify(value), false);
  }

  async #write(key: string, expected: string | undefined, value: string | undefined, runs = true): Promise<void> {
    try {
      const isWritten = await this.#options.shared.swap(key, expected, value, keptFor);
      if (isWritten && runs && value !== undefined) this.#running.set(key, value);
    } catch (error) {
      this.#options.log("warn", "A call could not be stored for other hubs", { error: String(error) });
    }
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#options.clock.setTimer(askEvery, () => {
        signal.removeEventListener("abort", stop);
        resolve();
      });
      const stop = () => {
        cancel();
        resolve();
      };
      signal.addEventListener("abort", stop, { once: true });
    });
  }

  #renewLater(): void {
    this.#cancelRenewal = this.#options.clock.setTimer(renewEvery, () => {
      for (const [key, value] of this.#running) void this.#write(key, value, value);
      this.#renewLater();
    });
  }
}

const keyOf = (session: string, stream: string) => `mcp-call:${session.slice(0, 200)}:${stream.slice(0, 200)}`;

/** Nothing is stored of a call any more: it ends with a failed result, if its name says which request it was. */
function unknownCall(stream: string): Resumption {
  const id = requestIn(stream);
  return id === undefined ? { kind: "here" } : { kind: "done", response: failure(id, "its connection was lost for too long") };
}

/** Longer request ids are not included in a name, in characters of JSON. */
const maxIdCharacters = 100;

/**
 * A stream name that contains the request that it answers, so that the call can be ended for a client that resumes it after everything else
 * about it was lost.
 */
function nameFor(stream: string, id: RequestId): string {
  const text = JSON.stringify(id);
  return text.length > maxIdCharacters ? stream : `${stream}~${encodeURIComponent(text).replaceAll(".", "%2E")}`;
}

/** The request that a stream with this name answers; undefined if the name does not contain it. */
function requestIn(name: string): RequestId | undefined {
  try {
    const id: unknown = JSON.parse(decodeURIComponent(name.slice(name.indexOf("~") + 1)));
    return name.includes("~") && (typeof id === "string" || typeof id === "number") ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The result of a call that does not continue, but whose questions stay open. */
export const failure = (id: RequestId, why: string): JSONRPCMessage => {
  const text = `Failed: ${why}. The questions stay open; ask again to keep waiting.`;
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError: true } };
};
