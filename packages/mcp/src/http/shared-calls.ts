import { AskboxError, type Broker, type CancelTimer, type Clock, type Log, type SharedState } from "@askbox/core";
import type { JSONRPCMessage, JSONRPCRequest } from "@modelcontextprotocol/server";
import * as z from "zod";

/** How long a call is kept that no hub runs any more, and a result that was written, in ms. */
const keptFor = 600_000;
const renewEvery = 120_000;
/** A larger call is not kept, in characters of JSON. Its client asks again, and is joined to what is open. */
const maxCharacters = 1_048_576;
/** How often the hub that runs a call is asked for it, in ms, and how often at most: five times as long as a dead one counts as alive. */
const askEvery = 200;
const maxAsks = 200;

const message = z.record(z.string(), z.unknown());
const callSchema = z.object({
  /** The hub that runs it; null when none does. */
  hub: z.string().nullable(),
  /** When it began: wall time, ms since the epoch. */
  at: z.number(),
  request: message,
  /** Its response, once that has been written to a client. */
  done: message.optional(),
});

export interface KeptCall {
  at: number;
  request: JSONRPCRequest;
}

/** What a stream that is to be resumed is here: this hub's, taken over by it, done, or not known. */
export type Resumption =
  | { kind: "here" }
  | { kind: "unknown" }
  | { kind: "taken"; call: KeptCall }
  | { kind: "done"; response: JSONRPCMessage };

export interface SharedCallsOptions {
  shared: Pick<SharedState, "get" | "swap">;
  broker: Pick<Broker, "id" | "isAlive">;
  clock: Clock;
  log: Log;
  /** Asks the hub that runs a call to let it go. */
  want(session: string, stream: string): Promise<void>;
}

/** The calls of MCP sessions whose streams can be resumed at any of several hubs. One hub runs a call at a time. */
export class SharedCalls {
  readonly #options: SharedCallsOptions;
  /** What was last written of those that run here. */
  readonly #running = new Map<string, string>();
  #cancelRenewal: CancelTimer = () => {};

  constructor(options: SharedCallsOptions) {
    this.#options = options;
    this.#renewLater();
  }

  /** Keeps a call that begins. Never rejects: one that cannot be kept is run all the same. */
  async begin(session: string, stream: string, request: JSONRPCRequest): Promise<void> {
    const { broker, clock } = this.#options;
    const value = JSON.stringify({ hub: broker.id, at: clock.now(), request });
    if (value.length > maxCharacters) return;
    await this.#write(keyOf(session, stream), undefined, value);
  }

  /** No hub runs the call now; whoever its client comes to next takes it up. */
  async letGo(session: string, stream: string): Promise<void> {
    await this.#replace(keyOf(session, stream), (call) => ({ ...call, hub: null }));
  }

  /** The call's response has been written to its client. */
  async finish(session: string, stream: string, done: JSONRPCMessage): Promise<void> {
    const isSmall = JSON.stringify(done).length <= maxCharacters;
    await this.#replace(keyOf(session, stream), (call) => (isSmall ? { ...call, hub: null, done } : undefined));
  }

  /**
   * Decides where a stream goes on. Waits until a hub that still runs its call has let it go, or counts as dead. Throws `ABORTED` by the
   * signal, and `STORE_UNAVAILABLE`.
   */
  async resume(session: string, stream: string, isHere: boolean, signal: AbortSignal): Promise<Resumption> {
    const { shared, broker } = this.#options;
    const key = keyOf(session, stream);
    for (let asks = 0; asks < maxAsks && !signal.aborted; asks += 1) {
      const text = await shared.get(key);
      const call = text === undefined ? undefined : callSchema.safeParse(JSON.parse(text)).data;
      if (text === undefined || call === undefined) return { kind: "unknown" };
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

  /** Changes what is kept of a call that runs here, unless another hub has it by now. */
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
      this.#options.log("warn", "What other hubs are to know of a call could not be written", { error: String(error) });
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
