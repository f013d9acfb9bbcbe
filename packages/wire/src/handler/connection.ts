import type { Log } from "@askbox/core";
import { isTooManyValues, isTooManyValuesIn } from "@askbox/core/schemas";
import { AskboxError, cut, toAskboxError } from "@askbox/core/transport";
import { byteLength, type Channel } from "../channel/channel.ts";
import { cancelSchema, closeCodes, pingSchema, pongSchema, type Request, requestSchema } from "../protocol/messages.ts";
import { isOperation, type OperationName, operations, type Role } from "../protocol/operations.ts";
import { firstIssue, readJsonObject } from "../protocol/read-json.ts";
import type { CallContext, CallsOf } from "./calls.ts";

/** A request whose parameters have been parsed. */
type Started = Pick<Request, "id" | "op"> & { method: OperationName; params: Record<string, unknown> };
type AnyCall = (params: never, context: CallContext) => Promise<unknown>;

export interface ConnectionOptions {
  channel: Channel;
  role: Role;
  calls: Pick<CallsOf<Role>, "perform"> & { own: Readonly<Partial<Record<OperationName, AnyCall>>> };
  log: Log;
  maxMessageBytes: number;
  maxFrameBytes: number;
  maxBufferedBytes: number;
  maxActive: number;
  /** Throws for a request that is not accepted; the returned function is called when it is over. */
  admit?: ((bytes: number) => (() => void) | undefined) | undefined;
  /** Closes the channel with a reason for the other side. */
  hangUp(code: number, reason: string): void;
}

/** The hub's side of a channel after the welcome. */
export interface Connection {
  receive(text: string): void;
  /** Accepts no more requests and resolves once the running operations have been replied to. */
  finish(): Promise<void>;
  /** Aborts waits, ends watches and attendances, and sends nothing more. */
  end(): void;
}

/**
 * A channel with more than this multiple of the watch limit buffered belongs to a client that sends requests and never reads. The largest
 * reply, a page of a list, is a quarter of it.
 */
const unreadFactor = 16;
/** Replies up to this many characters are always sent. */
const smallReply = 16_384;

/** Why a channel is closed if its other side does not read. */
export const UNREAD = "Too much of what was sent is not being read.";

/** What to do about a request that is too large. */
const shorten = { asker: "Ask with less text", desk: "Put the text in a file and refer to it instead" };

export function openConnection(options: ConnectionOptions): Connection {
  const { channel, role, calls, log, hangUp } = options;
  /** Cancels each request that is running, or open. */
  const active = new Map<number, () => void>();
  const unfinished = new Set<Promise<void>>();
  let finishing = false;
  let ended = false;

  const isUnread = () => (channel.bufferedAmount ?? 0) > unreadFactor * options.maxBufferedBytes;
  const reply = (id: number, body: string): void => {
    if (ended) return;
    // Requests that arrive together are answered together, even if something else was read in between.
    if (body.length > smallReply && isUnread()) {
      return fail(id, new AskboxError("RATE_LIMITED", "Too many replies wait to be read on this connection; read them and try again."));
    }
    // `body` is the JSON text of an object with the result or the error.
    channel.send(`{"id":${id},${body.slice(1)}`);
  };
  const fail = (id: number, error: AskboxError) => reply(id, JSON.stringify({ error }));

  const failed = (name: OperationName, thrown: unknown): string => {
    let error = toAskboxError(thrown);
    if (error.code === "INTERNAL") {
      // Internal errors may contain file names and the like, which must not leave the hub.
      log("error", "A request failed", { method: name, error: error.message });
      error = new AskboxError("INTERNAL", "The hub failed; its log says why.");
    }
    return JSON.stringify({ error });
  };

  /** Not an async function, which would keep the parameters in memory for as long as the call waits. */
  const execute = (name: OperationName, params: Record<string, unknown>, context: CallContext): Promise<string> => {
    const own = calls.own[name];
    try {
      // Each of them takes what its row's schema returned.
      const called: Promise<unknown> = own === undefined ? calls.perform(name, params, context) : own(params as never, context);
      return called.then(resultText).catch((thrown: unknown) => failed(name, thrown));
    } catch (thrown) {
      return Promise.resolve(failed(name, thrown));
    }
  };

  const start = ({ id, method, params, op }: Started, bytes: number) => {
    const leave = options.admit?.(bytes);
    const abort = new AbortController();
    let held = false;
    active.set(id, () => abort.abort());
    const context: CallContext = {
      id,
      op,
      opened: (opened) => reply(id, JSON.stringify({ opened })),
      signal: abort.signal,
      hold(end) {
        if (abort.signal.aborted) return end();
        held = true;
        active.set(id, () => {
          active.delete(id);
          leave?.();
          end();
        });
      },
    };
    const isOperation = operations[method].repeat === "operation";
    const done = execute(method, params, context).then((text) => {
      if (!held) {
        active.delete(id);
        leave?.();
      }
      reply(id, text);
    });
    if (!isOperation) return;
    unfinished.add(done);
    void done.then(() => unfinished.delete(done));
  };

  const request = (id: number, message: Record<string, unknown>, size: number) => {
    if (active.has(id)) return hangUp(closeCodes.malformed, `Request ${id} is under way already.`);
    if (isTooManyValues(message)) return fail(id, tooManyValues());
    const bytes = size > options.maxMessageBytes ? sizeOf(message, size) : size;
    if (bytes > options.maxMessageBytes) {
      const sentence = `The request has ${bytes} bytes; at most ${options.maxMessageBytes} are allowed. ${shorten[role]}.`;
      return fail(id, new AskboxError("PAYLOAD_TOO_LARGE", sentence, { details: { bytes, maxBytes: options.maxMessageBytes } }));
    }
    const read = requestSchema.safeParse(message);
    if (!read.success) return fail(id, new AskboxError("VALIDATION", `The request cannot be read: ${firstIssue(read.error)}.`));
    const { method } = read.data;
    if (!isOperation(method)) return fail(id, new AskboxError("VALIDATION", `There is no method ${JSON.stringify(cut(method, 60, ""))}.`));
    if (operations[method].role !== role) return fail(id, forbidden(role, method));
    if (finishing) return fail(id, new AskboxError("HUB_CLOSING", "The hub is closing; connect again and repeat the request."));
    if (active.size >= options.maxActive) {
      return fail(id, new AskboxError("RATE_LIMITED", `This connection has ${active.size} requests under way; wait for some to finish.`));
    }
    const params = operations[method].params.safeParse(read.data.params ?? {});
    if (!params.success)
      return fail(id, new AskboxError("VALIDATION", `The params of ${method} are refused: ${firstIssue(params.error)}.`));
    try {
      start({ ...read.data, method, params: params.data }, size);
    } catch (error) {
      fail(id, toAskboxError(error));
    }
  };

  return {
    receive(text) {
      if (ended) return;
      const bytes = byteLength(text);
      if (bytes > options.maxFrameBytes) return hangUp(closeCodes.tooLarge, "The message is too large.");
      if (isUnread()) return hangUp(closeCodes.unresponsive, UNREAD);
      // Parsing it would hold up everybody.
      if (isTooManyValuesIn(text)) {
        const [, id] = beginsWithId.exec(text.slice(0, 40)) ?? [];
        return id === undefined ? hangUp(closeCodes.malformed, "The message has too many values.") : fail(Number(id), tooManyValues());
      }
      const message = readJsonObject(text);
      const ping = pingSchema.safeParse(message);
      if (ping.success) return channel.send(JSON.stringify({ pong: ping.data.ping }));
      if (pongSchema.safeParse(message).success) return;
      const cancel = cancelSchema.safeParse(message);
      if (cancel.success) {
        const end = active.get(cancel.data.cancel);
        return end === undefined ? undefined : release(end);
      }
      const id = requestSchema.shape.id.safeParse(message?.["id"]);
      if (message === undefined || !id.success) return hangUp(closeCodes.malformed, "The message cannot be read.");
      return request(id.data, message, bytes);
    },
    async finish() {
      finishing = true;
      await Promise.all(unfinished);
    },
    end() {
      ended = true;
      for (const end of [...active.values()]) release(end);
      active.clear();
    },
  };

  function release(end: () => void) {
    try {
      end();
    } catch (error) {
      log("warn", "Ending a request failed", { error: String(error) });
    }
  }
}

/** As clients write a request. */
const beginsWithId = /^\{"id":(\d{1,15}),/;

const tooManyValues = () => new AskboxError("VALIDATION", "The request has too many values; send shorter lists.");

/**
 * The size of an ask's questions only, as over HTTP: the rest of the message has its own limits, and a value that equals its option's label
 * was added by the client.
 */
function sizeOf(message: Record<string, unknown>, size: number): number {
  const { request } = Object(message["params"]) as { request?: unknown };
  if (request === undefined) return size;
  const once = function (this: { label?: unknown }, key: string, value: unknown) {
    return key === "value" && value === this.label ? undefined : value;
  };
  return byteLength(JSON.stringify(request, once));
}

function forbidden(role: Role, method: string): AskboxError {
  return new AskboxError("FORBIDDEN", `A connection opened as ${role} cannot call ${method}; it takes a token of the other scope.`);
}

const resultText = (result: unknown): string => JSON.stringify({ result });
