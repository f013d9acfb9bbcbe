import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type Answerer, type AskboxError, type Broker, type Log, type Platform, toAskboxError } from "@askbox/core";
import {
  closeCodes,
  type Identity,
  MAX_HELLO_BYTES,
  serveWire,
  type WebSocketLike,
  type WireConnection,
  type WireHandlerOptions,
  webSocketChannel,
} from "@askbox/wire";
import { type WebSocket, WebSocketServer } from "ws";
import type { Access, Uses } from "../auth/access.ts";
import type { Devices } from "../auth/devices.ts";
import type { HostCheck } from "../auth/host-check.ts";
import { accessOf, type Verify } from "../auth/verify.ts";
import { type AskLimits, type LimitedAsker, limitedAsker } from "../limits/ask-limits.ts";
import { type HeldBytes, type Holding, heldBy, parsedFactor } from "../limits/held-bytes.ts";
import type { RequestLimit } from "../limits/request-limit.ts";
import type { RequestSources } from "../rest/exchange.ts";
import { problemOf } from "../rest/problem.ts";
import type { HubAdvice } from "./advice.ts";
import { type ConnectionLimits, unknownConnections } from "./connection-limits.ts";
import { asGuest, sourceOf } from "./hub-fetch.ts";
import { targetOf, upgradeRequest } from "./node-exchange.ts";

/** Above the handler's own limit, so that the handler can give the reason for closing. */
const largestFrame = 5 * 1_024 * 1_024;
/** How long the other side may take to complete the closing handshake, in ms; after that the connection is cut. */
const shutdownGrace = 1_000;
/** Why a connection is closed whose token has too much in progress. */
const tooMuch = "This token has too many requests and replies in progress.";
/** More pieces than any client splits a message into; each takes memory of its own. */
const maxPieces = { maxFragments: 1_000, maxBufferedChunks: 10_000 };
/** A separate object, since the types of `ws` do not know the option yet. */
const timeouts = { closeTimeout: shutdownGrace };

interface WireServerOptions {
  broker: Broker;
  platform: Platform;
  verify: Verify;
  uses: Uses;
  limits: AskLimits;
  rate: RequestLimit;
  held: HeldBytes;
  hub: WireHandlerOptions["hub"];
  control: WireHandlerOptions["control"];
  advice: HubAdvice;
  hosts: HostCheck;
  basePath: string;
  visits: RequestSources;
  connectionLimits: ConnectionLimits | undefined;
  /** Called for a connection that has authenticated. */
  onAuthenticated(socket: Socket): void;
  /** The logged-in browsers. */
  logins: Pick<Devices, "challenge" | "list" | "revoke" | "touch">;
  log: Log;
}

/** What fits in an `Authorization` header; empty without a token. */
const tokenText = /^[!-~]*$/;

interface ConnectionUse {
  /** Ends the connection when its access ends. */
  cut(): void;
  /** It has authenticated. Throws `RATE_LIMITED` if there is no room for it. */
  greeted(holding: Holding): void;
}

/** The hub's side of the wire: accepts upgrades at `/ws`. */
export interface WireServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Connected askers. */
  readonly askers: number;
  /** Calls waiting over these connections. */
  readonly waits: number;
  /** Connected surfaces. */
  readonly desks: readonly Answerer[];
  /** Connected devices. */
  readonly devices: ReadonlySet<string>;
  /** Notifies all clients that the hub is closing, finishes requests in progress, and accepts no more. */
  close(reason: string): Promise<void>;
  /** Resolves when nothing is connected. */
  ended(): Promise<void>;
  /** Cuts the remaining connections. */
  terminate(): void;
}

export function createWireServer(options: WireServerOptions): WireServer {
  const {
    broker,
    platform,
    verify,
    uses,
    limits,
    rate,
    held,
    hub,
    control,
    advice,
    hosts,
    basePath,
    visits,
    connectionLimits,
    onAuthenticated,
    logins,
    log,
  } = options;
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: largestFrame, ...maxPieces, ...timeouts });
  const unknown = unknownConnections(connectionLimits, () => platform.clock.monotonic());
  const connections = new Set<WireConnection>();
  const desks = new Set<Answerer>();
  /** Authenticated clients, by connection. */
  const admitted = new Map<WebSocket, { access: Access; holding: Holding; release: () => void }>();
  const askers = new Set<LimitedAsker>();
  let closing = false;

  const shared: Omit<WireHandlerOptions, "authenticate" | "admit" | "asker"> = {
    hub,
    control,
    makeWay: advice.makeWay,
    agents: broker.agents,
    grants: broker.grants,
    clock: platform.clock,
    ids: platform.ids,
    log,
    maxMessageBytes: limits.requestBytes,
    desk(by) {
      const present = { ...by };
      desks.add(present);
      return closedOnce(broker.desk(by), () => desks.delete(present));
    },
  };
  const admit = (webSocket: WebSocket, access: Access | undefined, use: ConnectionUse): Identity | undefined => {
    // A client that has disconnected in the meantime holds nothing to release.
    if (access === undefined || webSocket.readyState !== webSocket.OPEN) return undefined;
    const { owner, scopes, device, person = device?.name, name, onBehalf } = access;
    const holding = held.open(owner);
    use.greeted(holding);
    admitted.set(webSocket, { access, holding, release: uses.begin(access, use.cut) });
    return { owner, scopes: scopes.filter((scope) => scope !== "metrics"), name: person, tokenName: name, onBehalf };
  };
  /** The options of one channel. */
  const handlerFor = (webSocket: WebSocket, request: IncomingMessage, use: ConnectionUse): WireHandlerOptions => ({
    ...shared,
    // Without a token, the connection itself may identify its owner, for example by a cookie.
    async authenticate(token) {
      // Nothing else can be a token, and an error about a header would have it in its message.
      if (!tokenText.test(token)) return undefined;
      const shown = upgradeRequest(request, token);
      const isGuest = hosts.isGuest(request.headers.origin);
      const visitor = isGuest ? asGuest(shown) : shown;
      visits.set(visitor, { incoming: request, own: isGuest ? undefined : request, exchange: undefined });
      return admit(webSocket, await verify(token || undefined, visitor), use);
    },
    async challenge(login) {
      // A proxy between a page and the hub has its own origin.
      if (!hosts.isOwnPage({ ...sourceOf(upgradeRequest(request, "")), origin: login.origin })) return undefined;
      const asked = await logins.challenge(login);
      return (
        asked && {
          challenge: asked.challenge,
          async admit(proof) {
            const device = await asked.admit(proof);
            return admit(webSocket, device && accessOf(device), use);
          },
        }
      );
    },
    devices: {
      async list() {
        const own = admitted.get(webSocket)?.access.device?.id;
        return (await logins.list()).map((device) => ({ ...device, current: device.id === own }));
      },
      revoke: (id) => logins.revoke(id),
    },
    admit(bytes) {
      const { access, holding } = admitted.get(webSocket) ?? {};
      if (access === undefined || holding === undefined) return undefined;
      rate.take(access.owner);
      const taken = heldBy.call + parsedFactor * bytes;
      holding.hold(taken);
      return () => holding.drop(taken);
    },
    asker(owner) {
      const { agentId, shared } = admitted.get(webSocket)?.access ?? {};
      const port = limitedAsker(broker, limits, { owner, agentId, shared });
      askers.add(port);
      return closedOnce(port, () => askers.delete(port));
    },
    desk: (by) => shared.desk(admitted.get(webSocket)?.access.device === undefined ? by : { ...by, surface: "web" }),
  });

  return {
    upgrade(request, socket, head) {
      socket.on("error", () => socket.destroy());
      const address = request.socket.remoteAddress ?? "";
      // First, since it costs the least.
      if (closing || !unknown.hasRoom(address)) return refuse(socket, 503, "");
      const source = sourceOf(upgradeRequest(request, ""));
      const unnamed = refusalOf(() => hosts.checkHost(source));
      if (unnamed !== undefined) {
        const { status, body } = problemOf(unnamed);
        return refuse(socket, status, JSON.stringify(body));
      }
      // Compared as text, since a URL parser throws on invalid input.
      if (targetOf(request)?.split("?")[0] !== `${basePath}/ws`) return refuse(socket, 404, "");
      const strange = refusalOf(() => hosts.checkOrigin(source));
      server.handleUpgrade(request, socket, head, (webSocket) => {
        // A page cannot read why a WebSocket was not opened, and would retry forever.
        const leave = unknown.admit(address, socket);
        const onTooMuch = () => {
          webSocket.close(closeCodes.unresponsive, tooMuch);
          setImmediate(() => webSocket.terminate());
        };
        const counted = countedSocket(webSocket, socket, onTooMuch);
        if (strange !== undefined) return refuseSocket(webSocket, strange, leave);
        const use = {
          cut: () => connection.cut("This token or login is no longer valid."),
          greeted(holding: Holding) {
            counted.countFor(holding);
            leave();
            onAuthenticated(request.socket);
          },
        };
        const connection: WireConnection = serveWire(webSocketChannel(counted), handlerFor(webSocket, request, use));
        connections.add(connection);
        void connection.closed.then(() => {
          connections.delete(connection);
          const { access, release } = admitted.get(webSocket) ?? {};
          admitted.delete(webSocket);
          release?.();
          if (access?.device !== undefined) logins.touch(access.device.id);
        });
      });
    },
    get askers() {
      return askers.size;
    },
    get waits() {
      return [...askers].reduce((waits, { waiting }) => waits + waiting, 0);
    },
    get desks() {
      return [...desks];
    },
    get devices() {
      return new Set([...admitted.values()].flatMap(({ access }) => access.device?.id ?? []));
    },
    async close(reason) {
      closing = true;
      await Promise.all([...connections].map((connection) => connection.bye(reason)));
    },
    async ended() {
      await Promise.all([...connections].map(({ closed }) => closed));
    },
    terminate() {
      for (const client of server.clients) client.terminate();
    },
  };
}

function refusalOf(check: () => void): AskboxError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return toAskboxError(error);
  }
}

/** Sends the reason in the protocol's own format and closes; what the page sends is ignored. */
function refuseSocket(webSocket: WebSocket, error: AskboxError, leave: () => void): void {
  webSocket.on("error", () => {});
  webSocket.once("close", leave);
  webSocket.send(JSON.stringify({ error }));
  webSocket.close(closeCodes.refused);
}

function refuse(socket: Duplex, status: number, body: string): void {
  const head = [
    `HTTP/1.1 ${status} Refused`,
    "Connection: close",
    "Content-Type: application/problem+json",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  // Node's HTTP sockets stay half open until the other side ends them, too.
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}

/** The port, with a callback for when it is closed. */
function closedOnce<Port extends { close(): void }>(port: Port, done: () => void): Port {
  let open = true;
  const close = port.close.bind(port);
  port.close = () => {
    if (!open) return;
    open = false;
    close();
    done();
  };
  return port;
}

/** A WebSocket of which the hub counts what it holds: the message that is arriving, and what was sent and not read yet. */
interface CountedSocket extends WebSocketLike {
  /** It has authenticated: from now on, it counts for its token. Throws `RATE_LIMITED`. */
  countFor(holding: Holding): void;
}

/** Messages up to this many bytes are always sent, and as many may always be unread on a connection. */
const small = 16_384;

/**
 * Counts bytes as they arrive, since a message is assembled in memory before it can be checked. `onTooMuch` is called if that, or what is
 * not read, is too much for its token; before it has authenticated, a socket that sends more than a hello is destroyed.
 */
function countedSocket(webSocket: WebSocket, socket: Duplex, onTooMuch: () => void): CountedSocket {
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
