import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";

/** Limits on connections that have not sent a complete request. */
export interface ConnectionLimits {
  /** Milliseconds until a request's headers are complete. Default 10,000. */
  headers?: number | undefined;
  /** Milliseconds until a request is complete with its body; the response is not limited. Default 30,000. */
  request?: number | undefined;
  /** Milliseconds between checks of these times. Default 5,000. */
  look?: number | undefined;
  /**
   * Maximum number of connections. For a new one, the oldest that has not sent a request is closed; if there is none, the new one is.
   * Default 4,096.
   */
  connections?: number | undefined;
  /** Maximum number of unauthenticated WebSockets. Default 1,024. */
  unknown?: number | undefined;
  /** The same for one address. Default 512: the agents on one machine reconnect together after the hub restarts. */
  unknownPerAddress?: number | undefined;
}

/**
 * Limits what a client that sends slowly, or nothing, can hold. Node answers a late request with 408 and closes its connection. Returns a
 * function that closes the connections without a request: Node's own `closeIdleConnections` leaves them open, and they would delay closing.
 */
export function limitConnections(server: Server, limits: ConnectionLimits = {}): () => void {
  server.headersTimeout = limits.headers ?? 10_000;
  server.requestTimeout = limits.request ?? 30_000;
  const max = limits.connections ?? 4_096;
  /** In the order in which they connected, keyed by their remote address, since TLS wraps the socket. */
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
    // The last one has just connected.
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

/** Options that Node needs when it creates the server. */
export const serverOptions = ({ look = 5_000 }: ConnectionLimits = {}) => ({ connectionsCheckingInterval: look });
