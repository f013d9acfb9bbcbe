import type { Duplex } from "node:stream";
import { MAX_HELLO_BYTES, type WebSocketLike } from "@askbox/wire";
import type { WebSocket } from "ws";
import { type Holding, heldBy } from "../limits/held-bytes.ts";

/** A WebSocket of which the hub counts what it holds: the message that is arriving, and what was sent and not read yet. */
export interface CountedSocket extends WebSocketLike {
  /** It has authenticated: from now on, it counts for its token. Throws `RATE_LIMITED`. */
  countFor(holding: Holding): void;
}

/** Messages up to this many bytes are always sent, and as many may always be unread on a connection. */
const small = 16_384;

/**
 * Counts bytes as they arrive, since a message is assembled in memory before it can be checked. `onTooMuch` is called if that, or what is
 * not read, is too much for its token; before it has authenticated, a socket that sends more than a hello is destroyed.
 */
export function countedSocket(webSocket: WebSocket, socket: Duplex, onTooMuch: () => void): CountedSocket {
  let holding: Holding | undefined;
  /** Of the message that is arriving. */
  let arriving = 0;
  const onData = ({ length }: Buffer) => {
    arriving += length;
    if (holding === undefined) return arriving > MAX_HELLO_BYTES ? socket.destroy() : undefined;
    return holding.add(length) || arriving <= small ? undefined : onTooMuch();
  };
  const onMessage = () => {
    holding?.drop(arriving);
    arriving = 0;
  };
  // Before the WebSocket reads a chunk, and emits the message that it completes.
  socket.prependListener("data", onData);
  webSocket.on("message", onMessage);
  webSocket.once("close", () => {
    socket.off("data", onData);
    holding?.end();
  });
  return {
    get readyState() {
      return webSocket.readyState;
    },
    get bufferedAmount() {
      return webSocket.bufferedAmount;
    },
    send(text) {
      if (holding === undefined) return webSocket.send(text);
      const bytes = Buffer.byteLength(text);
      const isTooMuch = !holding.add(bytes) && (bytes > small || webSocket.bufferedAmount > small);
      if (isTooMuch) return onTooMuch();
      const owned = holding;
      webSocket.send(text, () => owned.drop(bytes));
    },
    close: (code, reason) => webSocket.close(code, reason),
    addEventListener: webSocket.addEventListener.bind(webSocket) as WebSocketLike["addEventListener"],
    countFor(owner) {
      owner.hold(heldBy.connection + arriving);
      holding = owner;
    },
  };
}
