import {
  type EventStore,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";

/** What one connection's streams may take up together, in characters of JSON, and how many of them are remembered. */
const mostCharacters = 1_048_576;
const mostStreams = 128;

interface StoredEvent {
  number: number;
  message: JSONRPCMessage;
  size: number;
}

/**
 * The events of one MCP session, for clients that come back with `Last-Event-ID`. Of progress only the last is kept, and the streams that
 * were begun first make way when it is too much. It also knows which responses have reached a client, at once or after a resumption.
 */
export class EventLog implements EventStore {
  readonly #streams = new Map<string, StoredEvent[]>();
  readonly #responses = new Map<string, RequestId>();
  readonly #written = new Map<RequestId, PromiseWithResolvers<boolean>>();
  #last = 0;
  #size = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1;
    const eventId = `${streamId}.${this.#last}`;
    const stored = (this.#streams.get(streamId) ?? []).filter((event) => !this.#isSuperseded(event, message));
    stored.push({ number: this.#last, message, size: JSON.stringify(message).length });
    this.#size += stored.at(-1)?.size ?? 0;
    this.#streams.set(streamId, stored);
    if (isJSONRPCResultResponse(message) && message.id !== undefined) this.#responses.set(eventId, message.id);
    this.#makeRoom();
    return eventId;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    const { streamId } = parts(eventId);
    return this.#streams.has(streamId) ? streamId : undefined;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const { streamId, number: last } = parts(lastEventId);
    for (const { number, message } of this.#streams.get(streamId) ?? []) {
      // The event that opens a stream has no message in it.
      if (number > last && "jsonrpc" in message) await send(`${streamId}.${number}`, message);
    }
    return streamId;
  }

  /** Whether the response to this request has reached the client; resolves when it has, or can no longer. */
  written(id: RequestId): Promise<boolean> {
    const known = this.#written.get(id) ?? Promise.withResolvers<boolean>();
    this.#written.set(id, known);
    return known.promise;
  }

  /** These events have been written to a connection that stood. */
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

  #isSuperseded({ message, size }: StoredEvent, next: JSONRPCMessage): boolean {
    const isProgress = "method" in message && message.method === "notifications/progress";
    if (!isProgress || ("method" in next && next.method !== "notifications/progress")) return false;
    this.#size -= size;
    return true;
  }

  #makeRoom(): void {
    for (const [streamId, events] of this.#streams) {
      if (this.#streams.size <= mostStreams && this.#size <= mostCharacters) return;
      // What has just been stored stays, however large it is.
      if (events.at(-1)?.number === this.#last) continue;
      this.#streams.delete(streamId);
      for (const { number, size } of events) {
        this.#size -= size;
        this.#settle(`${streamId}.${number}`, false);
      }
    }
  }
}

/** An event's id is its stream's id and a number that grows over the session. */
function parts(eventId: string): { streamId: string; number: number } {
  const dot = eventId.lastIndexOf(".");
  return { streamId: eventId.slice(0, dot), number: Number(eventId.slice(dot + 1)) };
}

/** The stream that an event belongs to. */
export const streamOf = (eventId: string): string => parts(eventId).streamId;

/** Whether a message ends its request. */
export const isResponse = (message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
