import { AskboxError, type Broker, type CancelTimer, type Clock, type Log, type SharedState } from "@askbox/core";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import * as z from "zod";
import { failure, requestIn } from "./stream-name.ts";

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
export type Resumption = { kind: "here" } | { kind: "taken"; call: KeptCall } | { kind: "done"; response: JSONRPCMessage };

export interface SharedCallsOptions {
  shared: Pick<SharedState, "get" | "swap">;
  broker: Pick<Broker, "id" | "isAlive">;
  clock: Clock;
  log: Log;
  /** Asks the hub that runs a call to release it. */
  want(session: string, stream: string): Promise<void>;
}

/** Calls of MCP sessions whose streams can be resumed at any of several hubs. A call runs at one hub at a time. */
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
      if (text === undefined || call === undefined) {
        const id = isHere ? undefined : requestIn(stream);
        if (id === undefined) return { kind: "here" };
        return { kind: "done", response: failure(id, "its connection was lost for too long") };
      }
      if (call.done !== undefined) return { kind: "done", response: call.done as JSONRPCMessage };
      if (call.hub === broker.id && isHere) return { kind: "here" };
      if (call.hub === null || call.hub === broker.id || !(await broker.isAlive(call.hub))) {
        const value = JSON.stringify({ ...call, hub: broker.id });
        if (!(await shared.swap(key, text, value, keptFor))) continue;
        this.#running.set(key, value);
        return { kind: "taken", call: { at: call.at, request: call.request as JSONRPCRequest } };
      }
      await this.#options.want(session, stream);
      await this.#pause(signal);
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
