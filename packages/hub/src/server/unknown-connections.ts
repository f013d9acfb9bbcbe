import type { Duplex } from "node:stream";
import { type ConnectionLimits, minStay } from "./connection-limits.ts";

/** Limits the WebSockets that have not authenticated: their number. */
export interface UnknownConnections {
  /** Whether this address may open another one; closes an older one for it if necessary. */
  hasRoom(address: string): boolean;
  /** Holds a place until the returned function is called or the socket is closed. */
  admit(address: string, socket: Duplex): () => void;
}

export function unknownConnections(
  { unknown = 1_024, unknownPerAddress = 512 }: ConnectionLimits = {},
  now: () => number,
): UnknownConnections {
  /** When each was opened, in that order. */
  const byAddress = new Map<string, Map<Duplex, number>>();
  let total = 0;
  const sizeOf = (address: string) => byAddress.get(address)?.size ?? 0;
  /** Closes the oldest one of the address, unless it may still be about to authenticate. */
  const closeOldest = (address: string): boolean => {
    const [oldest] = byAddress.get(address) ?? [];
    if (oldest === undefined || oldest[1] > now() - minStay) return false;
    leave(address, oldest[0]);
    oldest[0].destroy();
    return true;
  };
  const leave = (address: string, socket: Duplex) => {
    const ofAddress = byAddress.get(address);
    if (ofAddress?.delete(socket)) total -= 1;
    if (ofAddress?.size === 0) byAddress.delete(address);
  };
  return {
    hasRoom(address) {
      if (sizeOf(address) >= unknownPerAddress && !closeOldest(address)) return false;
      if (total < unknown) return true;
      const largest = [...byAddress.keys()].reduce((most, next) => (sizeOf(next) > sizeOf(most) ? next : most), address);
      return closeOldest(largest);
    },
    admit(address, socket) {
      const end = () => {
        socket.off("close", end);
        leave(address, socket);
      };
      byAddress.set(address, (byAddress.get(address) ?? new Map<Duplex, number>()).set(socket, now()));
      total += 1;
      socket.once("close", end);
      return end;
    },
  };
}
