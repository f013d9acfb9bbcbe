// The hub's side of the wire, from an upgrade at `/ws` to the end of a connection:
//
// 1. A program asks for a WebSocket. There may be too many that nobody knows yet (503), its host may be a stranger's, or its path another.
//    A page of another origin gets its socket, since it could not read the refusal otherwise, and is told there why it is closed.
// 2. The wire is spoken on it. Until its hello is accepted, it counts as unknown and holds little.
// 3. The hello says who it is: a token, a cookie, or a browser's login, to which the hub proves itself first.
// 4. It is admitted. From now on everything that it holds counts for its token, and the connection is cut when that is revoked or expires.
// 5. Its requests go to the broker's ports, an asker's with the hub's limits. A token that has too much in progress loses the connection.
//
// When the hub closes, it says so to all (`close`), finishes what has begun (`ended`), and cuts what is left (`terminate`).

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
  /** Whether a request came by the hub's socket in the file system: no browser does, so its host name doesn't matter. */
  isInFiles(request: IncomingMessage): boolean;
  /** The logged-in browsers. */
  logins: Pick<Devices, "challenge" | "list" | "revoke" | "touch">;
  log: Log;
}

/** What fits in an `Authorization` header; empty without a token. */
const tokenText = /^[!-~]*$/;

/** A client that has authenticated: what it may do, what is counted for its token, and how its use of that ends. */
interface Client {
  access: Access;
  holding: Holding;
  release: () => void;
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
    isInFiles,
    logins,
    log,
  } = options;
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: largestFrame, ...maxPieces, ...timeouts });
  const unknown = unknownConnections(connectionLimits, () => platform.clock.monotonic());
  const connections = new Set<WireConnection>();
  const clients = new Set<Client>();
  const askers = new Set<LimitedAsker>();
  const desks = new Set<Answerer>();
  let closing = false;

  /** 1. A program asks for a WebSocket. What costs the least is refused first. */
  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const address = request.socket.remoteAddress ?? "";
    if (closing || !unknown.hasRoom(address)) return refuse(socket, 503, "");
    const source = sourceOf(upgradeRequest(request, ""));
    const unnamed = isInFiles(request) ? undefined : refusalOf(() => hosts.checkHost(source));
    if (unnamed !== undefined) {
      const { status, body } = problemOf(unnamed);
      return refuse(socket, status, JSON.stringify(body));
    }
    // Compared as text, since a URL parser throws on invalid input.
    if (targetOf(request)?.split("?")[0] !== `${basePath}/ws`) return refuse(socket, 404, "");
    const strange = refusalOf(() => hosts.checkOrigin(source));
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const leave = unknown.admit(address, socket);
      // A page cannot read why a WebSocket was not opened, and would retry forever.
      if (strange === undefined) serve(webSocket, request, socket, leave);
      else refuseSocket(webSocket, strange, leave);
    });
  }

  /** 2. It has one: the wire is spoken on it until either side closes it. Until its hello is accepted, it counts as unknown. */
  function serve(webSocket: WebSocket, request: IncomingMessage, socket: Duplex, leave: () => void): void {
    let client: Client | undefined;
    const counted = countedSocket(webSocket, socket, () => {
      webSocket.close(closeCodes.unresponsive, tooMuch);
      setImmediate(() => webSocket.terminate());
    });
    /** 4. The hello was accepted. Throws `RATE_LIMITED` if its token holds too much already, and `UNAUTHORIZED` if it has just ended. */
    const admit = (access: Access | undefined): Identity | undefined => {
      // A client that has disconnected in the meantime holds nothing to release.
      if (access === undefined || webSocket.readyState !== webSocket.OPEN) return undefined;
      const { owner, scopes, device, person = device?.name, name, onBehalf } = access;
      const holding = held.open(owner);
      counted.countFor(holding);
      leave();
      onAuthenticated(request.socket);
      client = { access, holding, release: uses.begin(access, () => connection.cut("This token or login is no longer valid.")) };
      clients.add(client);
      return { owner, scopes: scopes.filter((scope) => scope !== "metrics"), name: person, tokenName: name, onBehalf };
    };
    const connection: WireConnection = serveWire(webSocketChannel(counted), {
      ...common,
      ...greeting(request, admit),
      ...portsOf(() => client),
    });
    connections.add(connection);
    void connection.closed.then(() => {
      connections.delete(connection);
      if (client === undefined) return;
      clients.delete(client);
      client.release();
      if (client.access.device !== undefined) logins.touch(client.access.device.id);
    });
  }

  /** 3. Who it is: by the token of its hello, by what it was opened with, such as a cookie, or by a browser's proof that it has its secret. */
  function greeting(
    request: IncomingMessage,
    admit: (access: Access | undefined) => Identity | undefined,
  ): Pick<WireHandlerOptions, "authenticate" | "challenge"> {
    return {
      async authenticate(token) {
        // Nothing else can be a token, and an error about a header would have it in its message.
        if (!tokenText.test(token)) return undefined;
        const shown = upgradeRequest(request, token);
        const isGuest = hosts.isGuest(request.headers.origin);
        const visitor = isGuest ? asGuest(shown) : shown;
        visits.set(visitor, { incoming: request, own: isGuest ? undefined : request, exchange: undefined });
        return admit(await verify(token || undefined, visitor));
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
              return admit(device && accessOf(device));
            },
          }
        );
      },
    };
  }

  /** 5. What it may call: each request counts for its token until it is over, and the ports are closed with the connection. */
  function portsOf(client: () => Client | undefined): Pick<WireHandlerOptions, "admit" | "asker" | "desk" | "devices"> {
    return {
      admit(bytes) {
        const { access, holding } = client() ?? {};
        if (access === undefined || holding === undefined) return undefined;
        rate.take(access.owner);
        const taken = heldBy.call + parsedFactor * bytes;
        holding.hold(taken);
        return () => holding.drop(taken);
      },
      asker(owner) {
        const port = limitedAsker(broker, limits, { ...client()?.access, owner });
        askers.add(port);
        return closedOnce(port, () => askers.delete(port));
      },
      desk(by) {
        const present: Answerer = client()?.access.device === undefined ? { ...by } : { ...by, surface: "web" };
        desks.add(present);
        return closedOnce(broker.desk(present), () => desks.delete(present));
      },
      devices: {
        async list() {
          const own = client()?.access.device?.id;
          return (await logins.list()).map((device) => ({ ...device, current: device.id === own }));
        },
        revoke: (id) => logins.revoke(id),
      },
    };
  }

  const common: Omit<WireHandlerOptions, "authenticate" | "asker" | "desk"> = {
    hub,
    control,
    makeWay: advice.makeWay,
    agents: broker.agents,
    grants: broker.grants,
    ran: broker.ran,
    clock: platform.clock,
    ids: platform.ids,
    log,
    maxMessageBytes: limits.requestBytes,
  };
  return {
    upgrade,
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
      return new Set([...clients].flatMap(({ access }) => access.device?.id ?? []));
    },
    async close(reason) {
      closing = true;
      await Promise.all([...connections].map((connection) => connection.bye(reason)));
    },
    async ended() {
      await Promise.all([...connections].map(({ closed }) => closed));
    },
    terminate() {
      for (const webSocket of server.clients) webSocket.terminate();
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
