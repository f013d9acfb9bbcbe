import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** How long and how many connections may take up without having asked for anything. */
export interface ConnectionLimits {
  /** Milliseconds until a request's headers are complete. Default 10,000. */
  headers?: number | undefined;
  /** Milliseconds until a request is complete with its body; what is answered to it may take as long as it likes. Default 30,000. */
  request?: number | undefined;
  /** Milliseconds between two looks at these times. Default 5,000. */
  look?: number | undefined;
  /** Connections at once; for one more the oldest makes way that has asked for nothing, or else it is closed as it comes. Default 4,096. */
  connections?: number | undefined;
  /** WebSockets at once that have not said who they are. Default 1,024. */
  unknown?: number | undefined;
  /** The same from one address. Default 512: one machine's agents that come back together after the hub was restarted. */
  unknownPerAddress?: number | undefined;
}

/**
 * Bounds what a client that sends slowly, or nothing, can hold. Node answers a late request with 408 and closes its connection. Returns how
 * to close the connections on which no request has come yet: Node's own `closeIdleConnections` leaves them, and they would hold up the end.
 */
export function limitConnections(server: Server, limits: ConnectionLimits = {}): () => void {
  server.headersTimeout = limits.headers ?? 10_000;
  server.requestTimeout = limits.request ?? 30_000;
  const max = limits.connections ?? 4_096;
  /** In the order in which they came; by where they come from, since TLS wraps a socket in another. */
  const unused = new Map<string, Socket>();
  let open = 0;
  const use = ({ socket }: IncomingMessage) => unused.delete(placeOf(socket));
  server.on("connection", (socket) => {
    const place = placeOf(socket);
    open += 1;
    unused.set(place, socket);
    socket.once("close", () => {
      open -= 1;
      if (unused.get(place) === socket) unused.delete(place);
    });
    if (open <= max) return;
    // The last of them is the one that has just come.
    for (const [oldest, idle] of unused) {
      unused.delete(oldest);
      return void idle.destroy();
    }
  });
  server.on("request", use);
  server.on("upgrade", use);
  return () => {
    for (const socket of unused.values()) socket.destroy();
  };
}

const placeOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** What has to be known before there is a server. */
export const serverOptions = ({ look = 5_000 }: ConnectionLimits = {}) => ({ connectionsCheckingInterval: look });
