// What a connection may hold before it has authenticated: how long it may take, how many there may be, and what a request that cannot be
// read is answered.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/** Limits on connections that have not sent a complete request. */
export interface ConnectionLimits {
  /** Milliseconds until a request's headers are complete. Default 10,000. */
  headers?: number | undefined;
  /** Milliseconds until a request is complete with its body; the response is not limited. Default 30,000. */
  request?: number | undefined;
  /** Milliseconds until the body of an unauthenticated request is complete. Default 5,000. */
  unknownBody?: number | undefined;
  /** Milliseconds between checks of these times. Default 5,000. */
  look?: number | undefined;
  /**
   * Maximum number of connections. For a new one, the oldest that has not authenticated is closed, of the address with the most of them;
   * one with a request is spared in its first `minStay`. If there is none, the new one is closed. Default 4,096.
   */
  connections?: number | undefined;
  /** Maximum number of unauthenticated WebSockets; beyond that, the oldest one is closed for a new one like a connection. Default 1,024. */
  unknown?: number | undefined;
  /** The same for one address. Default 512: the agents on one machine reconnect together after the hub restarts. */
  unknownPerAddress?: number | undefined;
}

/** How long an unauthenticated connection that has sent a request may stay, in ms, however many others come: enough for a quick response. */
const minStay = 500;

/** The connections of a server. */
interface Places {
  /** A request on this connection had a valid token or login: it is not closed to make room for others. */
  authenticated(socket: Socket): void;
  /** Closes the connections without a request: Node's own `closeIdleConnections` leaves them open, and they would delay closing. */
  closeUnused(): void;
}

type Address = Pick<Socket, "remoteAddress" | "remotePort">;

interface OpenConnection {
  at: Address;
  socket: Socket;
  /** Monotonic time in ms. */
  since: number;
  isUsed: boolean;
}

/**
 * Limits how long a request may take to arrive. With `maxConnections`, it is enough for a socket in files: a container or a tunnel can fill
 * that, but not the hub's other ways.
 */
export function limitTimes(server: Server, limits: ConnectionLimits = {}): void {
  server.headersTimeout = limits.headers ?? 10_000;
  server.requestTimeout = limits.request ?? 30_000;
}

/** Limits what a client that sends slowly, or nothing, can hold. Node answers a late request with 408 and closes its connection. */
export function limitConnections(server: Server, limits: ConnectionLimits = {}, now: () => number = () => performance.now()): Places {
  limitTimes(server, limits);
  const max = limits.connections ?? 4_096;
  /** Unauthenticated connections by address, in the order in which they came, keyed by their port, since TLS wraps the socket. */
  const strangers = new Map<string, Map<number, OpenConnection>>();
  let open = 0;
  const placeOf = ({ remoteAddress = "", remotePort = 0 }: Address) => strangers.get(remoteAddress)?.get(remotePort);
  const forget = ({ remoteAddress = "", remotePort = 0 }: Address) => {
    const ofAddress = strangers.get(remoteAddress);
    ofAddress?.delete(remotePort);
    if (ofAddress?.size === 0) strangers.delete(remoteAddress);
  };
  const makeRoom = () => {
    let most = new Map<number, OpenConnection>();
    for (const ofAddress of strangers.values()) if (ofAddress.size > most.size) most = ofAddress;
    const spared = now() - minStay;
    for (const { at, socket, since, isUsed } of most.values()) {
      if (isUsed && since > spared) continue;
      forget(at);
      socket.destroy();
      return true;
    }
    return false;
  };
  server.on("connection", (socket) => {
    const { remoteAddress = "", remotePort = 0 } = socket;
    // A closed socket no longer has an address.
    const place: OpenConnection = { at: { remoteAddress, remotePort }, socket, since: now(), isUsed: false };
    open += 1;
    strangers.set(remoteAddress, (strangers.get(remoteAddress) ?? new Map<number, OpenConnection>()).set(remotePort, place));
    socket.once("close", () => {
      open -= 1;
      if (placeOf(place.at) === place) forget(place.at);
    });
    if (open > max && !makeRoom()) socket.destroy();
  });
  const use = (incoming: IncomingMessage) => {
    const place = placeOf(incoming.socket);
    if (place !== undefined) place.isUsed = true;
  };
  server.on("request", (incoming) => {
    use(incoming);
    const { socket, headers } = incoming;
    if (placeOf(socket) === undefined) return;
    if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return;
    const late = setTimeout(() => {
      if (placeOf(socket) === undefined) return;
      socket.end(tooLate, () => socket.destroy());
    }, limits.unknownBody ?? 5_000);
    for (const end of ["end", "close"]) incoming.once(end, () => clearTimeout(late));
  });
  server.on("upgrade", use);
  return {
    authenticated: forget,
    closeUnused() {
      for (const ofAddress of strangers.values()) for (const { socket, isUsed } of ofAddress.values()) if (!isUsed) socket.destroy();
    },
  };
}

/** What Node answers to a late request. */
const tooLate = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n";

/**
 * Bytes of a request's headers, twice Node's limit: cookies don't know ports, so a browser sends those of every program on 127.0.0.1. More would
 * let 4,096 strangers hold too much memory.
 */
const maxHeaders = 32_768;

/** Options that Node needs when it creates the server. */
export const serverOptions = ({ look = 5_000 }: ConnectionLimits = {}) => ({
  connectionsCheckingInterval: look,
  maxHeaderSize: maxHeaders,
});

/** What to say about a request that Node cannot read, by its error's code. */
// keys: Node's own error codes.
const unread: Readonly<Record<string, readonly [status: string, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    `The headers of this request have more than ${maxHeaders / 1_024} KB, most likely cookies of other programs under this host name. Delete them in the browser, or open the page under another name of the hub.`,
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["413 Payload Too Large", "The chunk extensions of this request are too long; leave them out."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", ""],
};

/** Answers requests that Node cannot read as Node does, with a sentence. */
export function answerUnread(server: Server): void {
  const open = new WeakMap<Duplex, Set<ServerResponse>>();
  server.on("request", ({ socket }, outgoing) => {
    const ofSocket = open.get(socket) ?? new Set();
    open.set(socket, ofSocket.add(outgoing));
    outgoing.once("close", () => ofSocket.delete(outgoing));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Nothing may be written into a response that has begun.
    const hasBegun = [...(open.get(socket) ?? [])].some(({ headersSent }) => headersSent);
    if (!socket.writable || hasBegun) return void socket.destroy();
    const [status, sentence] = unread[error.code ?? ""] ?? ["400 Bad Request", ""];
    const about = sentence === "" ? "" : `Content-Type: text/plain; charset=utf-8\r\nContent-Length: ${sentence.length}\r\n`;
    socket.end(`HTTP/1.1 ${status}\r\n${about}Connection: close\r\n\r\n${sentence}`, () => socket.destroy());
  });
}

/** Limits the WebSockets that have not authenticated: their number. */
interface UnknownConnections {
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
