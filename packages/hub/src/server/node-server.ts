import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { AskboxError, type Clock, type Log } from "@askbox/core";
import { answerUnread, type ConnectionLimits, limitConnections, limitTimes, serverOptions } from "./connection-limits.ts";
import type { TlsFiles } from "./hub-options.ts";
import { type Listening, listenAt, listenInFiles } from "./listening.ts";
import { type NodeBindings, nodeListener } from "./node-exchange.ts";

/** The maximum number of requests on a connection that have no response yet: clients send one, and HTTP would allow any number. */
const maxPipelined = 2;
/** Connections of the socket in files. */
const mostInFiles = 1_024;

/** A Node server around a hub. */
export interface NodeServer {
  /** Its address; undefined before `listen`. */
  readonly at: { host: string; port: number; origin: string } | undefined;
  listen(at: { host: string; port: number }): Promise<string>;
  /** Also listens on a socket in the file system, without TLS. Rejects with Node's error. */
  listenOnSocket(path: string): Promise<void>;
  /** The certificate in use, as PEM. */
  readonly certificate: string | undefined;
  renewTls(tls: TlsFiles): void;
  /** Whether a connection came by that socket, which no browser can open. */
  isInFiles(socket: Socket): boolean;
  /** A request on this connection had a valid token or login. */
  authenticated(socket: Socket): void;
  /** Accepts no more connections and resolves once the existing ones have ended. */
  close(): Promise<void>;
  /** Cuts the remaining connections. */
  cut(): void;
}

export interface NodeServerOptions {
  fetch(request: Request, bindings: NodeBindings): Promise<Response>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  tls: TlsFiles | undefined;
  connectionLimits: ConnectionLimits | undefined;
  clock: Clock;
  log: Log;
}

export function nodeServer({ fetch, upgrade, tls, connectionLimits, clock, log }: NodeServerOptions): NodeServer {
  let certificate = tls?.cert;
  let served: Listening | undefined;
  let at: NodeServer["at"];
  let isClosing = false;
  const listener = nodeListener(fetch);
  let socketServer: Server | undefined;
  const socketsInFiles = new WeakSet<Socket>();
  const options: ServerOptions = { ...upgradeToWebSocketAlone, ...serverOptions(connectionLimits) };
  const tlsServer = tls && createTlsServer({ ...options, ...secure(tls) });
  const server: Server = tlsServer ?? createServer(options);
  const places = limitConnections(server, connectionLimits, () => clock.monotonic());
  /** Requests in progress, by connection. */
  const pipelined = new WeakMap<Socket, number>();
  const onRequest: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    if (socket.destroyed) return;
    const before = pipelined.get(socket) ?? 0;
    if (before === maxPipelined) return void socket.destroy();
    pipelined.set(socket, before + 1);
    outgoing.once("close", () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
      // Connections that were busy when the hub began to close would be kept alive by HTTP's rules, and delay closing.
      if (isClosing) setImmediate(() => all().forEach((each) => each.closeIdleConnections()));
    });
    listener(incoming, outgoing);
  };
  const all = () => [server, socketServer].filter((each) => each !== undefined);
  const serve = (on: Server) => {
    answerUnread(on);
    on.on("request", onRequest).on("upgrade", upgrade);
  };
  serve(server);
  return {
    get at() {
      return at;
    },
    async listen({ host, port }) {
      served = await listenAt(server, { host, port }, log);
      const origin = `${tls === undefined ? "http" : "https"}://${nameOf(host)}:${served.port}`;
      at = { host, port: served.port, origin };
      return origin;
    },
    async listenOnSocket(path) {
      const inFiles = createServer(options);
      limitTimes(inFiles, connectionLimits);
      inFiles.maxConnections = connectionLimits?.connections ?? mostInFiles;
      serve(inFiles);
      inFiles.on("connection", (socket) => void socketsInFiles.add(socket));
      await listenInFiles(inFiles, path);
      socketServer = inFiles;
    },
    get certificate() {
      return certificate;
    },
    renewTls(renewed) {
      if (tlsServer === undefined) throw new AskboxError("VALIDATION", "This hub was started without TLS; start it with a certificate.");
      tlsServer.setSecureContext(secure(renewed));
      certificate = renewed.cert;
    },
    isInFiles: (socket) => socketsInFiles.has(socket),
    authenticated: places.authenticated,
    async close() {
      isClosing = true;
      const ended = [
        served?.close(),
        new Promise<void>((resolve) => (socketServer === undefined ? resolve() : socketServer.close(() => resolve()))),
      ];
      places.closeUnused();
      await Promise.all(ended);
    },
    cut: () => all().forEach((each) => each.closeAllConnections()),
  };
}

/** The TLS versions that Node supports, without those before 1.2, which are broken. */
const secure = ({ cert, key }: TlsFiles) => ({ cert, key, minVersion: "TLSv1.2" as const });

/**
 * Some clients, such as Java's, offer HTTP/2 with every request; the offer is ignored, and the request answered. Node has this option since
 * 24.9; in older versions the wire's server rejects the request.
 */
const upgradeToWebSocketAlone: ServerOptions & { shouldUpgradeCallback(request: IncomingMessage): boolean } = {
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
};

/** The address as written in a URL; a server that listens on all addresses is reached over loopback. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
