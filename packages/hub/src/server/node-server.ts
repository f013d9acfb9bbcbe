import { createServer, type IncomingMessage, type Server, type ServerOptions } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { Duplex } from "node:stream";
import { AskboxError, type Log } from "@askbox/core";
import { type ConnectionLimits, limitConnections, serverOptions } from "./connection-limits.ts";
import type { TlsFiles } from "./hub-options.ts";
import { type Listening, listenAt } from "./listening.ts";
import { type NodeBindings, nodeListener } from "./node-exchange.ts";

/** Node's own server around a hub. */
export interface NodeServer {
  /** Where it serves; undefined before `listen`. */
  readonly at: { host: string; port: number; origin: string } | undefined;
  listen(at: { host: string; port: number }): Promise<string>;
  /** The certificate that is served, as PEM. */
  readonly certificate: string | undefined;
  renewTls(tls: TlsFiles): void;
  /** Takes no more connections and resolves when those that were taken have ended. */
  close(): Promise<void>;
  /** Cuts what is still connected. */
  cut(): void;
}

export interface NodeServerOptions {
  fetch(request: Request, bindings: NodeBindings): Promise<Response>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  tls: TlsFiles | undefined;
  connectionLimits: ConnectionLimits | undefined;
  log: Log;
}

export function nodeServer({ fetch, upgrade, tls, connectionLimits, log }: NodeServerOptions): NodeServer {
  let certificate = tls?.cert;
  let served: Listening | undefined;
  let at: NodeServer["at"];
  let isClosing = false;
  const listener = nodeListener(fetch);
  const options: ServerOptions = { ...upgradeToWebSocketAlone, ...serverOptions(connectionLimits) };
  const tlsServer = tls && createTlsServer({ ...options, ...secure(tls) });
  const server: Server = tlsServer ?? createServer(options);
  const closeUnused = limitConnections(server, connectionLimits);
  server.on("request", (incoming, outgoing) => {
    // What was busy when the hub began to close is kept alive by HTTP's own rules, which would hold up the end.
    outgoing.once("close", () => isClosing && setImmediate(() => server.closeIdleConnections()));
    listener(incoming, outgoing);
  });
  server.on("upgrade", upgrade);
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
    get certificate() {
      return certificate;
    },
    renewTls(renewed) {
      if (tlsServer === undefined) throw new AskboxError("VALIDATION", "This hub was started without TLS; start it with a certificate.");
      tlsServer.setSecureContext(secure(renewed));
      certificate = renewed.cert;
    },
    async close() {
      isClosing = true;
      const ended = served?.close();
      closeUnused();
      await ended;
    },
    cut: () => server.closeAllConnections(),
  };
}

/** What Node's TLS takes; revisions before 1.2 have been broken. */
const secure = ({ cert, key }: TlsFiles) => ({ cert, key, minVersion: "TLSv1.2" as const });

/**
 * Java's own client, for one, offers HTTP/2 with every request; that is left, and the request answered. Node has the option since 24.9; where it
 * has not, the wire's server refuses the request.
 */
const upgradeToWebSocketAlone: ServerOptions & { shouldUpgradeCallback(request: IncomingMessage): boolean } = {
  shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
};

/** How the address is written in a URL; who listens everywhere is reached at home. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
