import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { AskboxError, silentLog, toAskboxError } from "@askbox/core";
import { wireProtocol } from "@askbox/wire";
import { getRequestListener } from "@hono/node-server";
import { browserOrigin, outsideOrigins } from "../auth/addresses.ts";
import { forgetfulStorage } from "../auth/device-record.ts";
import { Devices } from "../auth/devices.ts";
import { hostCheck, hostOf } from "../auth/host-check.ts";
import { loginCodes } from "../auth/login-codes.ts";
import { loginDesk } from "../auth/login-desk.ts";
import { NamedTokens } from "../auth/named-tokens.ts";
import { tokenList } from "../auth/token-list.ts";
import { usesOfGrants } from "../auth/uses.ts";
import { deviceOwner, verifier } from "../auth/verify.ts";
import { askLimits } from "../limits/ask-limits.ts";
import { rateLimit, tooOften } from "../limits/rate-limit.ts";
import { requestLimit } from "../limits/request-limit.ts";
import { isFault } from "../rest/problem.ts";
import { sharedCodes } from "../shared/shared-codes.ts";
import { sharedDevices } from "../shared/shared-devices.ts";
import { sharedTokens } from "../shared/shared-tokens.ts";
import { webFiles } from "../web/web-files.ts";
import { createApp } from "./app.ts";
import { limitConnections, serverOptions } from "./connection-limits.ts";
import type { Hub, HubOptions, TlsFiles } from "./hub-options.ts";
import { type Listening, listenAt } from "./listening.ts";
import { type Mount, mountContext, problemResponse } from "./mount.ts";
import { requestOf, sendResponse } from "./node-exchange.ts";
import { securityHeaders } from "./security-headers.ts";
import { createWireServer, type WireServer } from "./wire-server.ts";

/** What `close` may take before connections are cut, in ms; it ends within 5 s. */
const grace = 4_000;
/** Attempts to log in within a minute, by address: enough for a person, and a code has 128 bits. */
const loginsPerMinute = 20;
const attemptsToLogIn = { many: "attempts to log in", again: "try" };

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
  let served: Listening | undefined;
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
      served = await listenAt(server, { host, port: wanted }, log);
      port = served.port;
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
    const ended = served?.close();
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

/** How the address is written in a URL; who listens everywhere is reached at home. */
function nameOf(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}
