/** The wire over a message port: Electron's processes, a page and its worker, threads of Node. */
import type { Channel, ChannelEnd } from "@askbox/wire";

/** The common part of Node's and browsers' `MessagePort`. */
export interface Port {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  start(): void;
  close(): void;
}

type Frame = { text: string } | { end: ChannelEnd };

/** A port queues messages until it is started, so none are lost before the listener is attached. */
export function portChannel(port: Port): Channel {
  let closed = false;
  let ended: ChannelEnd | undefined;
  let onMessage: ((text: string) => void) | undefined;
  let onClose: ((end: ChannelEnd) => void) | undefined;
  port.addEventListener("message", ({ data }) => {
    if (closed) return;
    const frame = data as Frame;
    if ("text" in frame) return onMessage?.(frame.text);
    closed = true;
    ended = frame.end;
    port.close();
    onClose?.(frame.end);
  });
  return {
    send: (text) => {
      if (!closed) port.postMessage({ text } satisfies Frame);
    },
    onMessage(listener) {
      onMessage = listener;
      port.start();
    },
    onClose(listener) {
      onClose = listener;
      if (ended !== undefined) listener(ended);
    },
    close(code, reason) {
      if (closed) return;
      closed = true;
      // Not all ports report that they were closed, so the other side is told with a message.
      port.postMessage({ end: { code, reason } } satisfies Frame);
      port.close();
    },
  };
}
