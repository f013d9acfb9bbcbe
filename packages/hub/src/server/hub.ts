import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type Answerer, AskboxError, type Broker, type Log, type Platform, type SharedState, silentLog, toAskboxError } from "@askbox/core";
import { type WireHandlerOptions, wireProtocol } from "@askbox/wire";
import { getRequestListener } from "@hono/node-server";
import { browserOrigin, outsideOrigins } from "../auth/addresses.ts";
import { type DeviceStorage, forgetfulStorage } from "../auth/device-record.ts";
import { Devices } from "../auth/devices.ts";
import { hostCheck, hostOf } from "../auth/host-check.ts";
import { loginCodes } from "../auth/login-codes.ts";
import { type LoginLink, loginDesk } from "../auth/login-desk.ts";
import { NamedTokens } from "../auth/named-tokens.ts";
import { tokenList } from "../auth/token-list.ts";
import type { TokenStore } from "../auth/token-record.ts";
import type { TokenVerifier } from "../auth/tokens.ts";
import { usesOfGrants } from "../auth/uses.ts";
import { deviceOwner, verifier } from "../auth/verify.ts";
import { askLimits, type HubLimits } from "../limits/ask-limits.ts";
import type { PendingLedger } from "../limits/pending-ledger.ts";
import { rateLimit, tooOften } from "../limits/rate-limit.ts";
import { requestLimit } from "../limits/request-limit.ts";
import { isFault } from "../rest/problem.ts";
import { sharedCodes } from "../shared/shared-codes.ts";
import { sharedDevices } from "../shared/shared-devices.ts";
import { sharedTokens } from "../shared/shared-tokens.ts";
import { webFiles } from "../web/web-files.ts";
import { createApp } from "./app.ts";
import { type ConnectionLimits, limitConnections, serverOptions } from "./connection-limits.ts";
import { type Mount, type MountService, mountContext, problemResponse } from "./mount.ts";
import { requestOf, sendResponse } from "./node-exchange.ts";
import { securityHeaders } from "./security-headers.ts";
import { createWireServer, type WireServer } from "./wire-server.ts";

/** What `close` may take before connections are cut, in ms; it ends within 5 s. */
const grace = 4_000;
/** Attempts to log in within a minute, by address: enough for a person, and a code has 128 bits. */
const loginsPerMinute = 20;
const attemptsToLogIn = { many: "attempts to log in", again: "try" };

export interface HubOptions {
  broker: Broker;
  platform: Platform;
  /** The tokens that the hub is born with. */
  tokens: TokenVerifier;
  /** Where the tokens are kept that desks make at `/api/tokens`; without it they are forgotten with the hub. */
  tokenStore?: TokenStore;
  /** Asked about every token that nothing else knows; see `vaultVerifier`. */
  vault?: TokenVerifier;
  version: string;
  /** Names this run of the hub. */
  instance: string;
  /** Names this hub, the same in each of its runs and for all of a cluster: browsers' logins are bound to it. Anybody may know it. Default `instance`. */
  identity?: string;
  /** What a desk may ask of the hub over the wire; `stop` must resolve before it calls `close`. */
  control: WireHandlerOptions["control"];
  /** Answers a nonce at `/healthz`, so that a client knows whom it is about to show its token. */
  prove?: (nonce: string) => string;
  /** Names besides loopback under which the hub may be reached; one without a port stands for every port. */
  allowedHosts?: readonly string[];
  limits?: HubLimits;
  connectionLimits?: ConnectionLimits;
  /** Services on paths of their own. */
  mounts?: readonly MountService[];
  /** For the limits on what is pending, as `pendingLedger` makes it of a store; without it all that is pending counts for everybody. */
  pending?: Omit<PendingLedger, "close">;
  /** Milliseconds; for REST asks that name no timeout. Default 300,000. */
  defaultTimeout?: number;
  /** Where browsers that have logged in are kept; without it they are forgotten with the hub. */
  devices?: DeviceStorage;
  /**
   * What this hub shares with others that serve the same inbox: browsers, login codes, named tokens and rates are then one for all of them, in place of
   * `devices` and `tokenStore`. `name` tells these hubs from all others that a browser may reach under one host name.
   */
  cluster?: { shared: SharedState; name: string } | undefined;
  /** The folder of the built web inbox; without it the hub serves no page. */
  web?: string | undefined;
  /** Serve over TLS. */
  tls?: TlsFiles | undefined;
  /** What `/readyz` tells anybody beside `status`; rejects while the hub cannot do its work, such as without its store. */
  readiness?: () => Promise<Record<string, unknown>>;
  log?: Log;
}

/** A certificate, with those that vouch for it behind it, and its private key; both as PEM. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** Who is connected to a hub. */
export interface HubConnections {
  askers: number;
  /** Calls that wait over the wire, whose clients look for the next hub when this one goes. */
  waits: number;
  desks: readonly Answerer[];
  /** HTTP requests under way. */
  requests: number;
  /** Requests and connections since the hub began to serve. */
  accepted: number;
}

export interface Hub {
  /** Begins to serve and resolves with the URL; port 0 lets the system choose. Rejects with Node's error, such as `EADDRINUSE`. */
  listen(at?: { host?: string; port?: number }): Promise<string>;
  /** Where it serves. Throws before `listen`. */
  readonly url: string;
  readonly connections: HubConnections;
  /** A link with which one browser can log in within 10 minutes. Throws `CONFLICT` when the hub has no page. */
  createLogin(): LoginLink;
  /** Takes another certificate for the connections that come from now on. Throws Node's error when the two do not fit, and when the hub has no TLS. */
  renewTls(tls: TlsFiles): void;
  /** Tells everybody, ends the waits, and resolves when nothing is connected any more, within 5 s. The broker stays its owner's. */
  close(reason?: string): Promise<void>;
}

/** A hub as an HTTP server: the page at `/`, wire at `/ws`, REST at `/api/sessions` and `/auth`, `/healthz` and `/readyz`, and mounts. It knows no home folder. */
export function createHub(options: HubOptions): Hub {
  const {
    broker,
    platform,
    tokens,
    vault,
    version,
    instance,
    identity = instance,
    prove,
    control,
    allowedHosts = [],
    log = silentLog,
    defaultTimeout,
  } = options;
  const { clock } = platform;
  const closing = new AbortController();
  const allPending = () => broker.stats().pending;
  const pending = options.pending ?? { ofToken: () => ({ sessions: allPending(), bytes: 0 }), ofAgent: allPending };
  const limits = askLimits({ limits: options.limits ?? {}, clock, pending, closing: closing.signal, shared: options.cluster?.shared });
  let address = "127.0.0.1";
  let port = 0;
  let url: string | undefined;
  let requests = 0;
  let accepted = 0;
  let closed: Promise<void> | undefined;
  let certificate = options.tls?.cert;

  const { cluster } = options;
  const site = () => cluster?.name ?? port;
  const isTls = options.tls !== undefined;
  const checkHost = hostCheck(allowedHosts, () => port, isTls);
  const about = { version, instance, protocol: wireProtocol };
  const uses = usesOfGrants(clock);
  const devices = new Devices({
    hub: identity,
    storage: cluster === undefined ? (options.devices ?? forgetfulStorage) : sharedDevices(cluster.shared),
    clock,
    log,
    connected: () => wire.devices,
    onRevoked: (id) => uses.end(deviceOwner(id)),
  });
  const named = new NamedTokens({
    store: cluster === undefined ? (options.tokenStore ?? tokenList()) : sharedTokens(cluster.shared),
    clock,
    uses,
    log,
  });
  const verify = verifier({ tokens, named, devices, vault, site });
  const rate = requestLimit(clock, options.limits?.requestsPerMinute);
  const verifyRequest = rate.counting(verify);
  const login = loginDesk({
    codes: cluster === undefined ? loginCodes(clock) : sharedCodes(cluster.shared, clock),
    devices,
    hasPage: options.web !== undefined,
    origins: () => {
      const outside = outsideOrigins({ host: address, port, tls: isTls, allowedHosts });
      return { own: browserOrigin(hub.url, outside, certificate), outside };
    },
  });
  const unsubscribe = [
    uses.onEnded((owner) => {
      login.withdraw(owner);
      void named.revokeOf(owner);
    }),
    ...[tokens, vault].map((each) => each?.onRevoked?.((owner) => uses.end(owner, { forGood: false })) ?? (() => {})),
  ];
  const attempts = rateLimit(clock, loginsPerMinute, attemptsToLogIn);
  const countAttempt = async (address: string) => {
    attempts.take(address);
    if (cluster === undefined) return;
    const wait = await cluster.shared.take(`attempts:${address}`, loginsPerMinute, 60_000);
    if (wait > 0) throw tooOften(loginsPerMinute, attemptsToLogIn, wait);
  };
  const wire: WireServer = createWireServer({
    ...{ broker, platform, verify, uses, limits, rate, hub: about, control, checkHost, log },
    connectionLimits: options.connectionLimits,
    logins: devices,
  });
  const app = createApp({
    ...{ broker, platform, limits, defaultTimeout, identity: about, prove, log, readiness: options.readiness },
    closing: closing.signal,
    auth: { login, verify: verifyRequest, attempts: countAttempt, site, hub: identity },
    ...{ named, uses },
    web: options.web === undefined ? undefined : webFiles(options.web),
  });
  /** Of requests to mounts, whose responses end with their grants. */
  const responses = new WeakMap<Request, ServerResponse>();
  const lent = { broker, platform, shared: cluster?.shared, limits, closing: closing.signal, verify: verifyRequest, uses };
  const mounts = (options.mounts ?? []).map((service) =>
    service(mountContext({ ...lent, responseTo: (request) => responses.get(request) })),
  );
  const mountAt = new Map(mounts.flatMap((mount) => mount.paths.map((path) => [path, mount] as const)));
  const answer = getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
  const listener: RequestListener = (incoming, outgoing) => {
    requests += 1;
    accepted += 1;
    outgoing.once("close", () => {
      requests -= 1;
      // What was busy when the hub began to close is kept alive by HTTP's own rules, which would hold up the end.
      if (closing.signal.aborted) setImmediate(() => server.closeIdleConnections());
    });
    const [path = ""] = (incoming.url ?? "").split("?");
    const mount = mountAt.get(path);
    try {
      // Before Hono, whose server has an answer of its own to a Host that is none.
      checkHost({ host: hostOf(incoming), origin: incoming.headers.origin });
    } catch (error) {
      return void sendResponse(outgoing, problemResponse(error));
    }
    if (mount === undefined) return void answer(incoming, outgoing);
    for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
    const answered = answerAt(mount, incoming, outgoing).catch((error: unknown) => {
      if (isFault(toAskboxError(error))) log("error", "A request failed", { path, error: String(error) });
      return problemResponse(error);
    });
    // A body that fails has begun; its response is cut.
    answered.then((response) => sendResponse(outgoing, response)).catch(() => outgoing.destroy());
  };
  const answerAt = async (mount: Mount, incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = requestOf(incoming, outgoing);
    responses.set(request, outgoing);
    return mount.fetch(request);
  };
  const serving: ServerOptions = { ...upgradeToWebSocketAlone, ...serverOptions(options.connectionLimits) };
  const tlsServer = options.tls === undefined ? undefined : createTlsServer({ ...serving, ...secure(options.tls) }, listener);
  const server: Server = tlsServer ?? createServer(serving, listener);
  const closeUnused = limitConnections(server, options.connectionLimits);
  server.on("upgrade", (request, socket, head) => {
    accepted += 1;
    wire.upgrade(request, socket, head);
  });

  const hub: Hub = {
    async listen({ host = "127.0.0.1", port: wanted = 0 } = {}) {
      await listening(server, host, wanted);
      const bound = server.address();
      port = typeof bound === "object" && bound !== null ? bound.port : wanted;
      address = host;
      url = `${isTls ? "https" : "http"}://${nameOf(host)}:${port}`;
      return url;
    },
    get url() {
      if (url === undefined) throw new AskboxError("INTERNAL", "The hub does not listen yet; call listen first.");
      return url;
    },
    get connections() {
      return { askers: wire.askers, waits: wire.waits, desks: wire.desks, requests, accepted };
    },
    createLogin() {
      const { kept, ...link } = login.createLink();
      kept.catch((error: unknown) => log("warn", "A login link does not work", { error: String(error) }));
      return link;
    },
    renewTls(tls) {
      if (tlsServer === undefined) throw new AskboxError("VALIDATION", "This hub was started without TLS; start it with a certificate.");
      tlsServer.setSecureContext(secure(tls));
      certificate = tls.cert;
    },
    close(reason = "The hub is closing.") {
      closed ??= closeAll(reason);
      return closed;
    },
  };
  return hub;

  async function closeAll(reason: string): Promise<void> {
    closing.abort();
    const ended = new Promise<void>((resolve) => server.close(() => resolve()));
    closeUnused();
    const cancel = platform.clock.setTimer(grace, () => {
      log("warn", "Some connections did not end in time and are cut.", { connections: requests });
      wire.terminate();
      server.closeAllConnections();
    });
    // Not awaited: an operation that hangs must not hold up the end.
    for (const goodbye of [wire.close(reason), ...mounts.map((mount) => mount.close())]) {
      goodbye.catch((error: unknown) => log("warn", "Saying goodbye failed", { error: String(error) }));
    }
    await ended;
    cancel();
    for (const stop of unsubscribe) stop();
    named.close();
    devices.close();
  }
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

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** How the address is written in a URL; who listens everywhere is reached at home. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
