import { WebSocket } from "ws";
import { type Notification, type RequestId, readMessage, type ServerRequest, socketLimits } from "./messages.ts";

/**
 * A connection to the daemon of Codex: JSON-RPC over a WebSocket on a socket file. Requests have deadlines, and a message that is too long
 * or not understood ends the connection or is left out; the daemon owes us nothing.
 */

/** Milliseconds in which the daemon must answer. */
const defaultTimeout = 20_000;

/** A text channel to the daemon. */
export interface AppServerChannel {
  send(text: string): void;
  close(): void;
  onMessage(listener: (text: string) => void): void;
  /** Called once, also if the channel was closed from here. */
  onClose(listener: () => void): void;
}

/** A connection to Codex' app-server: JSON-RPC 2.0 without its version, a message in each frame. */
export interface AppServer {
  /** Rejects with the daemon's error, if it doesn't answer in time (in ms), and when the connection ends. */
  request(method: string, params: object, timeout?: number): Promise<unknown>;
  notify(method: string): void;
  /** Answers a request of the daemon. */
  respond(id: RequestId, result: object): void;
  close(): void;
  isOpen(): boolean;
  readonly closed: Promise<void>;
}

export interface AppServerEvents {
  onRequest(request: ServerRequest): void;
  onNotification(notification: Notification): void;
}

export function createAppServer(channel: AppServerChannel, { onRequest, onNotification }: AppServerEvents): AppServer {
  const open = new Map<number, { resolve(result: unknown): void; reject(error: Error): void; timer: NodeJS.Timeout }>();
  const closed = Promise.withResolvers<void>();
  let last = 0;
  let isOpen = true;
  const take = (id: number) => {
    const call = open.get(id);
    open.delete(id);
    clearTimeout(call?.timer);
    return call;
  };
  channel.onMessage((text) => {
    const message = readMessage(text);
    switch (message?.kind) {
      case "request":
        return onRequest(message.request);
      case "notification":
        return onNotification(message.notification);
      case "response":
        return take(message.id)?.resolve(message.result);
      case "failure":
        return take(message.id)?.reject(new Error(message.message));
    }
  });
  channel.onClose(() => {
    isOpen = false;
    for (const id of [...open.keys()]) take(id)?.reject(new Error("Codex' daemon closed the connection."));
    closed.resolve();
  });
  const send = (message: object) => {
    if (isOpen) channel.send(JSON.stringify(message));
  };
  return {
    request(method, params, timeout = defaultTimeout) {
      if (!isOpen) return Promise.reject(new Error("There is no connection to Codex' daemon."));
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      last += 1;
      const id = last;
      const timer = setTimeout(() => take(id)?.reject(new Error(`Codex' daemon did not answer ${method}.`)), timeout);
      timer.unref();
      open.set(id, { resolve, reject, timer });
      send({ id, method, params });
      return promise;
    },
    notify: (method) => send({ method }),
    respond: (id, result) => send({ id, result }),
    close: () => channel.close(),
    isOpen: () => isOpen,
    closed: closed.promise,
  };
}

/** Connects to the daemon. Rejects if nobody listens at the path, or not in time (in ms). */
export async function openSocket(path: string, handshakeTimeout = 5_000): Promise<AppServerChannel> {
  const socket = new WebSocket(`ws+unix:${path}:/`, {
    perMessageDeflate: false,
    maxPayload: socketLimits.message,
    handshakeTimeout,
    followRedirects: false,
  });
  const opened = Promise.withResolvers<void>();
  const listeners: ((text: string) => void)[] = [];
  const early: string[] = [];
  socket.on("open", opened.resolve);
  // The end is reported by `close` as well.
  socket.on("error", opened.reject);
  socket.on("message", (data, isBinary) => {
    if (isBinary) return;
    const text = data.toString();
    if (listeners.length === 0) early.push(text);
    for (const listener of listeners) listener(text);
  });
  await opened.promise;
  return {
    send: (text) => socket.send(text),
    close: () => socket.terminate(),
    onMessage(listener) {
      listeners.push(listener);
      for (const text of early.splice(0)) listener(text);
    },
    onClose(listener) {
      if (socket.readyState === WebSocket.CLOSED) listener();
      else socket.once("close", listener);
    },
  };
}

/** The first request of a connection, without which the daemon answers no other. */
export async function introduce(server: AppServer, version: string, timeout?: number): Promise<void> {
  const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: unneeded };
  await server.request("initialize", { clientInfo: { name: "askbox", title: "askbox", version }, capabilities }, timeout);
}

/** Frequent notifications about what an agent says and does. */
const unneeded = [
  ...["item/agentMessage/delta", "item/plan/delta", "item/completed", "item/fileChange/outputDelta", "item/fileChange/patchUpdated"],
  ...["item/reasoning/summaryTextDelta", "item/reasoning/summaryPartAdded", "item/reasoning/textDelta", "item/mcpToolCall/progress"],
  ...["item/commandExecution/outputDelta", "command/exec/outputDelta", "process/outputDelta", "thread/tokenUsage/updated"],
  ...["account/rateLimits/updated", "turn/diff/updated", "turn/plan/updated", "rawResponse/completed", "rawResponseItem/completed"],
];
