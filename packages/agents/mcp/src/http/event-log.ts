import {
  type EventStore,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";

/** The maximum size of all stored streams of one session, in characters of JSON, and their maximum number. */
const maxCharacters = 1_048_576;
const maxStreams = 128;
/** What a session may always store, in characters, however much the others of its owner have stored. */
const guaranteed = 65_536;

/** The SDK's id for the stream without a request. */
const ownStream = "_GET_stream";

/** Called for each new stream, before its first event is sent; resolves with its name, if that differs from the SDK's id. */
export type OnStream = (id: string, first: JSONRPCMessage) => Promise<string | undefined> | undefined;

interface StoredEvent {
  number: number;
  message: JSONRPCMessage;
  size: number;
}

/**
 * The events of one MCP session, for clients that resume with `Last-Event-ID`. Only the last progress is kept, and the oldest streams are
 * dropped if there is too much. It also knows which responses have reached a client, at once or after a resumption.
 */
export class EventLog implements EventStore {
  readonly #onStream: OnStream;
  readonly #onGone: (streamId: string) => void;
  readonly #free: () => number;
  /** The names of streams by the SDK's ids, and the reverse: a stream that continues at another hub keeps its name. */
  readonly #names = new Map<string, string>();
  readonly #ids = new Map<string, string>();
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #responses = new Map<string, RequestId>();
  readonly #written = new Map<RequestId, PromiseWithResolvers<boolean>>();
  #last = 0;
  #size = 0;

  /** `onGone` is called for each dropped stream; `free` returns how much more all sessions of the owner may store, in characters. */
  constructor(onStream: OnStream = () => undefined, onGone: (streamId: string) => void = () => {}, free = () => maxCharacters) {
    this.#onStream = onStream;
    this.#onGone = onGone;
    this.#free = free;
  }

  /** What is stored, in characters. */
  get size(): number {
    return this.#size;
  }

  async storeEvent(id: string, message: JSONRPCMessage): Promise<string> {
    const streamId = this.#names.get(id) ?? (await this.#begin(id, message));
    this.#last += 1;
    const eventId = `${streamId}.${this.#last}`;
    const stored = (this.#streams.get(streamId) ?? []).filter((event) => !this.#isSuperseded(event, message));
    stored.push({ number: this.#last, message, size: JSON.stringify(message).length });
    this.#size += stored.at(-1)?.size ?? 0;
    this.#streams.set(streamId, stored);
    if (isResponse(message) && message.id !== undefined) this.#responses.set(eventId, message.id);
    this.#makeRoom();
    return eventId;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    const { streamId } = parts(eventId);
    return this.#streams.has(streamId) ? (this.#ids.get(streamId) ?? streamId) : undefined;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const { streamId, number: last } = parts(lastEventId);
    for (const { number, message } of this.#streams.get(streamId) ?? []) {
      // The event that opens a stream has no message.
      if (number > last && "jsonrpc" in message) await send(`${streamId}.${number}`, message);
    }
    return this.#ids.get(streamId) ?? streamId;
  }

  has(streamId: string): boolean {
    return this.#streams.has(streamId);
  }

  /** New events are numbered after this one, which another hub's log has sent. */
  goOnAfter(eventId: string): void {
    const { streamId, number } = parts(eventId);
    if (Number.isSafeInteger(number)) this.#last = Math.max(this.#last, number);
    // The stream without a request continues, and nothing in it is repeated.
    if (streamId === ownStream && !this.#streams.has(streamId)) this.#streams.set(streamId, []);
  }

  /** Drops a stream: unsent events will not be sent by this log. */
  drop(streamId: string): void {
    this.#remove(streamId, this.#streams.get(streamId) ?? []);
  }

  /** The response of an event, unless it is known whether it was sent. */
  responseIn(eventId: string): JSONRPCMessage | undefined {
    if (!this.#responses.has(eventId)) return undefined;
    const { streamId, number } = parts(eventId);
    return this.#streams.get(streamId)?.find((event) => event.number === number)?.message;
  }

  /** Whether the response to this request has reached the client; resolves when it has, or no longer can. */
  written(id: RequestId): Promise<boolean> {
    const known = this.#written.get(id) ?? Promise.withResolvers<boolean>();
    this.#written.set(id, known);
    return known.promise;
  }

  /** These events have been written to an open connection. */
  reached(eventIds: Iterable<string>): void {
    for (const eventId of eventIds) this.#settle(eventId, true);
  }

  close(): void {
    for (const { resolve } of this.#written.values()) resolve(false);
    this.#written.clear();
    this.#streams.clear();
    this.#responses.clear();
  }

  #settle(eventId: string, isWritten: boolean): void {
    const id = this.#responses.get(eventId);
    if (id === undefined) return;
    this.#responses.delete(eventId);
    this.#written.get(id)?.resolve(isWritten);
    this.#written.delete(id);
  }

  async #begin(id: string, message: JSONRPCMessage): Promise<string> {
    const name = (id === ownStream ? undefined : await this.#onStream(id, message)) ?? id;
    this.#names.set(id, name);
    this.#ids.set(name, id);
    return name;
  }

  #remove(streamId: string, events: readonly StoredEvent[]): void {
    this.#streams.delete(streamId);
    this.#names.delete(this.#ids.get(streamId) ?? streamId);
    this.#ids.delete(streamId);
    for (const { number, size } of events) {
      this.#size -= size;
      this.#settle(`${streamId}.${number}`, false);
    }
    this.#onGone(streamId);
  }

  #isSuperseded({ message, size }: StoredEvent, next: JSONRPCMessage): boolean {
    const isProgress = "method" in message && message.method === "notifications/progress";
    if (!isProgress || ("method" in next && next.method !== "notifications/progress")) return false;
    this.#size -= size;
    return true;
  }

  #makeRoom(): void {
    const max = this.#size <= guaranteed ? guaranteed : Math.max(guaranteed, Math.min(maxCharacters, this.#size + this.#free()));
    for (const [streamId, events] of this.#streams) {
      if (this.#streams.size <= maxStreams && this.#size <= max) return;
      // The newest event is kept, however large it is.
      if (events.at(-1)?.number === this.#last) continue;
      this.#remove(streamId, events);
    }
  }
}

/** An event's id: its stream's id and a number that increases over the session. */
function parts(eventId: string): { streamId: string; number: number } {
  const dot = eventId.lastIndexOf(".");
  return { streamId: eventId.slice(0, dot), number: Number(eventId.slice(dot + 1)) };
}

/** The stream that an event belongs to. */
export const streamOf = (eventId: string): string => parts(eventId).streamId;

/** Whether a message ends its request. */
export const isResponse = (message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
