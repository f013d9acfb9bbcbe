import { AskboxError, cut } from "@askbox/core/transport";
import { closeCodes } from "../protocol/messages.ts";
import { byteLength, type Channel, createInbox } from "./channel.ts";

/** The part of the standard `WebSocket` that is used here; compatible with browsers, Node, and both socket types of the `ws` package. */
export interface WebSocketLike {
  /** 0 connecting, 1 open, 2 closing, 3 closed. */
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number; reason: string }) => void): void;
  addEventListener(type: "error", listener: (event: object) => void): void;
}

const open = 1;
const closed = 3;
/** RFC 6455, section 5.5.1: a close frame has room for 123 bytes of reason. */
const reasonBytes = 123;

/** A channel over an open WebSocket. A binary message closes it, since the protocol is text only. */
export function webSocketChannel(socket: WebSocketLike): Channel {
  const inbox = createInbox();
  const channel: Channel = {
    send(text) {
      if (socket.readyState === open) socket.send(text);
    },
    onMessage: inbox.onMessage,
    onClose: inbox.onClose,
    close(code, reason) {
      inbox.mute();
      socket.close(code ?? closeCodes.done, shortened(reason ?? ""));
    },
    get bufferedAmount() {
      return socket.bufferedAmount;
    },
  };
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") return inbox.message(data);
    socket.close(closeCodes.malformed, "The protocol is text only.");
    inbox.end({ code: closeCodes.malformed });
  });
  socket.addEventListener("close", ({ code, reason }) => inbox.end({ code, reason }));
  // A close event follows every error; without a listener, sockets of the `ws` package would throw.
  socket.addEventListener("error", () => {});
  if (socket.readyState === closed) inbox.end({});
  return channel;
}

/** Resolves with a channel once the socket is open. Throws `HUB_UNREACHABLE` if it closes before. */
export function openWebSocket(socket: WebSocketLike): Promise<Channel> {
  const channel = webSocketChannel(socket);
  if (socket.readyState === open) return Promise.resolve(channel);
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve(channel));
    channel.onClose(({ code }) => {
      const because = code === undefined ? "" : ` (WebSocket code ${code})`;
      reject(new AskboxError("HUB_UNREACHABLE", `The connection to the hub was not accepted${because}; check that the hub is running.`));
    });
  });
}

function shortened(reason: string): string {
  let short = reason;
  while (byteLength(short) > reasonBytes) short = cut(short, short.length - 1, "");
  return short;
}
