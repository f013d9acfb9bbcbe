import { globalAgent } from "node:https";
import type { Clock } from "@askbox/core";

/** Bytes of one frame; a longer one ends the connection. */
const maxFrame = 4_194_304;
/** Milliseconds until a connection that isn't accepted counts as failed. */
const openTimeout = 10_000;

/** An open connection for text. */
export interface Socket {
  send(text: string): void;
  /** Asks for a sign of life. */
  ping(): void;
  /** Ends it without waiting for the other side. */
  end(): void;
}

export interface SocketEvents {
  onText(text: string): void;
  /** Something came, which may be no text. */
  onSign(): void;
  /** Called once, with the code of the protocol (RFC 6455, section 7.4). */
  onClose(code: number): void;
}

/** Connects to an address, which may contain a ticket: no error names it. Rejects if the connection is not accepted. */
export type OpenSocket = (url: string, events: SocketEvents) => Promise<Socket>;

export const openSocket: OpenSocket = async (url, { onText, onSign, onClose }) => {
  const { WebSocket } = await import("ws");
  const socket = new WebSocket(url, {
    handshakeTimeout: openTimeout,
    maxPayload: maxFrame,
    perMessageDeflate: false,
    // Node's own knows of a proxy; without one, `ws` connects past it.
    ...(url.startsWith("wss:") && { agent: globalAgent }),
  });
  const opened = Promise.withResolvers<void>();
  socket.on("open", opened.resolve);
  socket.on("error", (error: Error & { code?: string }) => opened.reject(new Error(error.code ?? "it was not accepted")));
  socket.on("message", (data, isBinary) => {
    onSign();
    if (!isBinary) onText(data.toString());
  });
  socket.on("ping", onSign);
  socket.on("pong", onSign);
  await opened.promise;
  socket.on("close", onClose);
  return {
    send: (text) => socket.send(text),
    ping: () => socket.ping(),
    end: () => socket.terminate(),
  };
};

export interface WatchedSocket {
  socket: Socket;
  /** Resolves when it has ended, with its code; undefined if it fell silent. */
  ended: Promise<number | undefined>;
}

/** A connection that also ends when it falls silent, within twice `every` ms, and with the signal. Rejects as `openSocket` does. */
export async function openWatched(
  url: string,
  {
    openSocket: open,
    clock,
    every,
    signal,
    onText,
  }: { openSocket: OpenSocket; clock: Clock; every: number; signal: AbortSignal; onText(text: string): void },
): Promise<WatchedSocket> {
  const ended = Promise.withResolvers<number | undefined>();
  let sign = () => {};
  const socket = await open(url, { onText, onSign: () => sign(), onClose: ended.resolve });
  const dog = watchdog(clock, {
    every,
    ask: socket.ping,
    onSilent() {
      ended.resolve(undefined);
      socket.end();
    },
  });
  sign = dog.sign;
  if (signal.aborted) socket.end();
  else signal.addEventListener("abort", socket.end, { once: true });
  void ended.promise.then(() => {
    dog.stop();
    signal.removeEventListener("abort", socket.end);
  });
  return { socket, ended: ended.promise };
}

interface Watchdog {
  /** Something was heard. */
  sign(): void;
  stop(): void;
}

/** Asks for a sign of life every `every` ms, and reports a silence: nothing was heard since it asked last. */
export function watchdog(clock: Clock, { every, ask, onSilent }: { every: number; ask(): void; onSilent(): void }): Watchdog {
  let isHeard = true;
  let cancel = () => {};
  const look = () => {
    if (!isHeard) return onSilent();
    isHeard = false;
    cancel = clock.setTimer(every, look);
    ask();
  };
  cancel = clock.setTimer(every, look);
  return {
    sign() {
      isHeard = true;
    },
    stop: () => cancel(),
  };
}
