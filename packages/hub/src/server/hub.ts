// A hub: what people and agents reach of a broker, over HTTP and WebSockets, in one process. In this order:
//
// 1. Where it is reached, and from which pages. Another host or origin is refused, which prevents DNS rebinding.
// 2. Who may do what: the hub's tokens, named ones, browsers that have logged in, the embedding program's sessions, and last a vault. When an
//    access ends, so do its requests, its connections, its login codes, and the tokens made with it.
// 3. How much: asks, requests, and memory for each token.
// 4. The ways in: the wire at `/ws`, the routes of REST, login and page, and mounts.
// 5. The server in front of them, or the embedding program's own.
// 6. The end.
//
// With a `cluster`, browsers, tokens and codes are shared with the other hubs of the store; if that cannot be reached, access is denied with
// `STORE_UNAVAILABLE`. Parts that need each other's later state ask for it when they use it: `server` and `wire` are made last.

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { AskboxError, silentLog } from "@askbox/core";
import { wireProtocol } from "@askbox/wire";
import { usesOfAccess } from "../auth/access.ts";
import { Devices, forgetfulStorage } from "../auth/devices.ts";
import { hostCheck } from "../auth/host-check.ts";
import { loginAttempts, loginDesk } from "../auth/login.ts";
import { loginCodes } from "../auth/login-codes.ts";
import { NamedTokens, tokenList } from "../auth/named-tokens.ts";
import { deviceOwner, slowWrongTokens, type Verify, verifier } from "../auth/verify.ts";
import { askLimits } from "../limits/ask-limits.ts";
import { heldBytes } from "../limits/held-bytes.ts";
import { requestLimit } from "../limits/request-limit.ts";
import { nodePlatform } from "../node-platform.ts";
import type { Exchange, RequestSources } from "../rest/exchange.ts";
import { sharedCodes, sharedDevices, sharedTokens } from "../shared/shared-state.ts";
import { hostHead } from "../web/host-page.ts";
import { webFiles } from "../web/web-files.ts";
import { adviceOf } from "./advice.ts";
import { createApp } from "./app.ts";
import { hubAddress, hubFetch, sourceOf } from "./hub-fetch.ts";
import type { FetchBindings, Hub, HubOptions } from "./hub-options.ts";
import { mountContext } from "./mount.ts";
import { nodeServer } from "./node-server.ts";
import { createWireServer, type WireServer } from "./wire-server.ts";

/** How long `close` waits before connections are cut, in ms; in total it takes at most 5 s. */
const grace = 4_000;

/**
 * A hub over a broker: the page at `/`, the wire at `/ws`, REST at `/api/sessions` and `/auth`, `/healthz` and `/readyz`, and mounts. It
 * does not use a home folder.
 *
 * @example
 * ```ts
 * import { createBroker, memoryStore } from "@askbox/core";
 * import { createHub, nodePlatform } from "@askbox/hub";
 *
 * const broker = await createBroker({ store: memoryStore(), ...nodePlatform() });
 * const hub = createHub({ broker, authenticate: () => ({ owner: "me", scopes: ["desk"] }) });
 * console.log(await hub.listen({ port: 0 }));
 * ```
 */
export function createHub(options: HubOptions): Hub {
  const { broker, platform = nodePlatform(), tokens, vault, authenticate, version = "0.0.0", instance = platform.ids.session() } = options;
  const { identity = instance, prove, control = embedded, allowedHosts = [], allowedOrigins = [], log = silentLog, cluster } = options;
  const { clock } = platform;
  const advice = adviceOf(options.advice);
  const about = { version, instance, protocol: wireProtocol };
  /** Aborts when the hub begins to close: what waits stops waiting. */
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  // 1. Where it is reached, and from which pages.
  const address = hubAddress(options, () => server);
  const { basePath, publicPath } = address;
  const tls = options.tls !== undefined;
  const hosts = hostCheck({ allowedHosts, allowedOrigins, origin: address.configured, tls, at: () => server.at, advice });
  const site = () => cluster?.name ?? server.at?.port ?? "app";

  // 2. Who may do what. Whatever runs with an access is a use of it, and ends with it.
  const uses = usesOfAccess(clock);
  const devices = new Devices({
    hub: identity,
    storage: cluster === undefined ? (options.devices ?? forgetfulStorage) : sharedDevices(cluster.shared),
    clock,
    log,
    max: options.limits?.browsers,
    connected: () => wire.devices,
    onRevoked: (id) => uses.end(deviceOwner(id)),
  });
  const browsers = async () => (await import("../auth/browsers.ts")).browsersOf({ devices, hosts, hub: identity, clock, sourceOf });
  const named = new NamedTokens({
    store: cluster === undefined ? (options.tokenStore ?? tokenList()) : sharedTokens(cluster.shared),
    clock,
    uses,
    log,
  });
  const login = loginDesk({
    codes: cluster === undefined ? loginCodes(clock) : sharedCodes(cluster.shared, clock),
    devices,
    hasPage: options.web !== undefined,
    addresses: address.ofPage,
    wasRevoked: (owner) => named.wasRevoked(owner),
    advice,
  });
  /** The requests in progress, with where they came from. */
  const visits: RequestSources = new WeakMap();
  const known = verifier({
    tokens,
    named,
    devices,
    vault,
    site,
    pageOf: async (request, token) => (await import("../auth/browsers.ts")).pageOf(await browsers(), request, token),
    // Middleware has already read the cookie from Node's request, so a page of another origin has only what `asGuest` left of it.
    authenticate: authenticate && ((request) => authenticate(request, { incoming: visits.get(request)?.own })),
  });
  const verify = slowWrongTokens(clock, known, (request) => visits.get(request)?.incoming?.socket.remoteAddress ?? "");
  const unsubscribe = [
    uses.onEnded((owner) => {
      login.withdraw(owner);
      void named.revokeOf(owner);
    }),
    ...[tokens, vault].map((each) => each?.onRevoked?.((owner) => uses.end(owner, { forGood: false })) ?? (() => {})),
  ];

  // 3. How much: asks, requests, and what is held in memory for a token. Each refuses with `RATE_LIMITED` or `TOO_MANY_PENDING`.
  const allPending = () => broker.stats().pending;
  const pending = options.pending ?? { ofToken: () => ({ sessions: allPending(), bytes: 0 }), ofAgent: allPending };
  const limits = askLimits({ limits: options.limits ?? {}, clock, pending, closing: closing.signal, shared: cluster?.shared });
  const rate = requestLimit(clock, options.limits?.requestsPerMinute);
  const held = heldBytes(options.limits?.heldBytesPerToken);
  /** For HTTP, where each request carries its token, is counted, and waits for its turn. */
  const verifyRequest: Verify = async (token, request) => {
    const access = await verify(token, request);
    if (access === undefined) return undefined;
    rate.take(access.owner);
    const { incoming, exchange } = visits.get(request) ?? {};
    if (incoming !== undefined) server.authenticated(incoming.socket);
    // A larger body is refused without being read.
    const bodyBytes = Math.min(Number(request.headers.get("content-length") ?? 0) || 0, limits.requestBytes);
    const holding = held.open(access.owner);
    exchange?.count(holding, bodyBytes);
    await holding.turn();
    return access;
  };

  // 4. The ways in: the wire, the routes, and what the embedding program has mounted.
  const isInFiles = (incoming: IncomingMessage | undefined) => incoming !== undefined && server.isInFiles(incoming.socket);
  const wire: WireServer = createWireServer({
    broker,
    platform,
    verify,
    uses,
    limits,
    rate,
    held,
    hub: about,
    control,
    advice,
    hosts,
    basePath,
    visits,
    log,
    connectionLimits: options.connectionLimits,
    onAuthenticated: (socket) => server.authenticated(socket),
    isInFiles,
    logins: devices,
  });
  const head = hostHead({ session: authenticate !== undefined, locked: options.locked });
  const app = createApp({
    broker,
    platform,
    limits,
    basePath,
    publicPath,
    prove,
    advice,
    log,
    named,
    uses,
    identity: about,
    readiness: options.readiness,
    onRefused: options.onRefused,
    defaultTimeout: options.defaultTimeout,
    closing: closing.signal,
    auth: {
      login,
      named,
      joinByToken: options.joinByToken,
      broker,
      clock,
      log,
      verify: verifyRequest,
      attempts: loginAttempts(clock, cluster?.shared),
      site,
      hub: identity,
      advice,
    },
    web:
      options.web === undefined
        ? undefined
        : { files: webFiles(options.web), shellFor: (request) => ({ path: publicPath(request), head }) },
  });
  const lent = mountContext({
    broker,
    platform,
    shared: cluster?.shared,
    limits,
    basePath,
    closing: closing.signal,
    browsers,
    verify: verifyRequest,
    advice,
    uses,
    exchangeOf: (request) => visits.get(request)?.exchange,
  });
  const mounts = (options.mounts ?? []).map((service) => service(lent));

  // 5. The server in front of them. An embedding program may have its own, and uses only `fetch` and `upgrade`.
  const exchanges = new Set<Exchange>();
  let accepted = 0;
  const respond = hubFetch({ app, mounts, visits, hosts, basePath, exchanges, onRefused: options.onRefused, isInFiles, log });
  const fetch = (request: Request, bindings?: FetchBindings) => {
    accepted += 1;
    return respond(request, bindings);
  };
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    accepted += 1;
    wire.upgrade(request, socket, head);
  };
  const server = nodeServer({ fetch, upgrade, tls: options.tls, connectionLimits: options.connectionLimits, clock, log });

  return {
    fetch,
    upgrade,
    async listen({ host = "127.0.0.1", port = 0 } = {}) {
      return (await server.listen({ host, port })) + basePath;
    },
    listenOnSocket: (path) => server.listenOnSocket(path),
    get url() {
      return address.url();
    },
    get connections() {
      return { askers: wire.askers, waits: wire.waits, desks: wire.desks, requests: exchanges.size, accepted };
    },
    wasRevoked: (owner) => named.wasRevoked(owner),
    createLogin({ person } = {}) {
      const { kept, ...link } = login.createLink({ person });
      kept.catch((error: unknown) => log("warn", "A login link was rejected", { error: String(error) }));
      return link;
    },
    renewTls: (tls) => server.renewTls(tls),
    close(reason = "The hub is closing.") {
      closed ??= closeAll(reason);
      return closed;
    },
    [Symbol.asyncDispose]() {
      return this.close();
    },
  };

  /** 6. The end: nothing new is accepted, what waits is told, what has begun is finished, and what takes longer than the grace is cut. */
  async function closeAll(reason: string): Promise<void> {
    closing.abort();
    const ended = server.close();
    const cancel = clock.setTimer(grace, () => {
      log("warn", "Some connections did not close in time and were cut.", { connections: exchanges.size });
      wire.terminate();
      for (const exchange of exchanges) exchange.cut();
      server.cut();
    });
    // Not awaited: an operation that hangs must not delay closing.
    for (const goodbye of [wire.close(reason), ...mounts.map((mount) => mount.close())]) {
      goodbye.catch((error: unknown) => log("warn", "Saying goodbye failed", { error: String(error) }));
    }
    // Delivering the response is up to the server around the hub.
    await Promise.all([ended, wire.ended(), ...[...exchanges].map((exchange) => exchange.answered())]);
    cancel();
    for (const stop of unsubscribe) stop();
    named.close();
    devices.close();
  }
}

/** For a hub that is part of another program. */
const embedded: NonNullable<HubOptions["control"]> = {
  status: async () => ({}),
  async stop() {
    throw new AskboxError("FORBIDDEN", "This hub is part of another program; stop that program instead.");
  },
};
