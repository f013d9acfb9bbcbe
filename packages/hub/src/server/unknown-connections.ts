import type { Duplex } from "node:stream";
import { MAX_HELLO_BYTES } from "@askbox/wire";
import type { ConnectionLimits } from "./connection-limits.ts";

/** Limits the WebSockets that have not authenticated: their number, and the bytes that each may send. */
export interface UnknownConnections {
  /** Whether this address may open another one. */
  hasRoom(address: string): boolean;
  /**
   * Holds a place until the returned function is called or the socket is closed. Destroys the socket if it sends more than a hello before
   * that.
   */
  admit(address: string, socket: Duplex): () => void;
}

export function unknownConnections({ unknown = 1_024, unknownPerAddress = 512 }: ConnectionLimits = {}): UnknownConnections {
  const byAddress = new Map<string, number>();
  let total = 0;
  const count = (address: string, change: 1 | -1) => {
    const left = (byAddress.get(address) ?? 0) + change;
    total += change;
    if (left === 0) byAddress.delete(address);
    else byAddress.set(address, left);
  };
  return {
    hasRoom: (address) => total < unknown && (byAddress.get(address) ?? 0) < unknownPerAddress,
    admit(address, socket) {
      let bytes = 0;
      let isKnown = false;
      // Counts the bytes received rather than complete messages: a message is assembled in memory before it can be checked.
      const onData = (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_HELLO_BYTES) socket.destroy();
      };
      const leave = () => {
        if (isKnown) return;
        isKnown = true;
        socket.off("data", onData);
        socket.off("close", leave);
        count(address, -1);
      };
      count(address, 1);
      socket.on("data", onData);
      socket.once("close", leave);
      return leave;
    },
  };
}
