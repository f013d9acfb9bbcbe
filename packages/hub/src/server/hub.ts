import { createServer, type IncomingMessage, type Server, type ServerOptions } from "node:http";
import { type Answerer, AskboxError, type Broker, type Log, type Platform, silentLog, toAskboxError } from "@askbox/core";
import { type WireHandlerOptions, wireProtocol } from "@askbox/wire";
import { getRequestListener } from "@hono/node-server";
import { outsideOrigins } from "../auth/addresses.ts";
import { type DeviceStorage, forgetfulStorage } from "../auth/device-record.ts";
import { Devices } from "../auth/devices.ts";
import { hostCheck } from "../auth/host-check.ts";
import { loginCodes } from "../auth/login-codes.ts";
import { type LoginLink, loginDesk } from "../auth/login-desk.ts";
import type { TokenVerifier } from "../auth/tokens.ts";
import { verifier } from "../auth/verify.ts";
import { askLimits, type CountPending, type HubLimits } from "../limits/ask-limits.ts";
import { rateLimit } from "../limits/rate-limit.ts";
import { isFault } from "../rest/problem.ts";
import { webFiles } from "../web/web-files.ts";
import { createApp } from "./app.ts";
import { type ConnectionLimits, limitConnections, serverOptions } from "./connection-limits.ts";
import { type MountService, mountContext, refuse } from "./mount.ts";
import { securityHeaders } from "./security-headers.ts";
import { createWireServer, type WireServer } from "./wire-server.ts";

/** What `close` may take before connections are cut, in ms; it ends within 5 s. */
const grace = 4_000;
/** Attempts to log in within a minute, by address: enough for a person, and a code has 128 bits. */
const loginsPerMinute = 20;

export interface HubOptions {
  broker: Broker;
  platform: Platform;
  tokens: TokenVerifier;
  version: string;
  /** Names this run of the hub. */
  instance: string;
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
  /** For the limit on pending sessions; without it all that are pending count. */
  countPending?: CountPending;
  /** Milliseconds; for REST asks that name no timeout. Default 300,000. */
  defaultTimeout?: number;
  /** Where browsers that have logged in are kept; without it they are forgotten with the hub. */
  devices?: DeviceStorage;
  /** The folder of the built web inbox; without it the hub serves no page. */
  web?: string | undefined;
  log?: Log;
}

/** Who is connected to a hub. */
export interface HubConnections {
  askers: number;
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
  /** Tells everybody, ends the waits, and resolves when nothing is connected any more, within 5 s. The broker stays its owner's. */
  close(reason?: string): Promise<void>;
}

/** A hub as an HTTP server: the page at `/`, wire at `/ws`, REST at `/api/sessions` and `/auth`, `/healthz` and `/readyz`. It knows no home folder. */
export function createHub(options: HubOptions): Hub {
  const { broker, platform, tokens, version, instance, prove, control, allowedHosts = [], log = silentLog, defaultTimeout } = options;
  const closing = new AbortController();
  const limits = askLimits(options.limits ?? {}, platform.clock, options.countPending ?? (async () => broker.stats().pending));
  let address = "127.0.0.1";
  let port = 0;
  let url: string | undefined;
  let requests = 0;
  let accepted = 0;
  let closed: Promise<void> | undefined;

  const checkHost = hostCheck(allowedHosts, () => port);
  const identity = { version, instance, protocol: wireProtocol };
  const devices = new Devices({
    storage: options.devices ?? forgetfulStorage,
    clock: platform.clock,
    log,
    connected: () => wire.devices,
    onRevoked: (id) => wire.cut(id),
  });
  const verify = verifier(tokens, devices, () => port);
  const login = loginDesk({
    codes: loginCodes(platform.clock),
    devices,
    hasPage: options.web !== undefined,
    origins: () => ({ own: hub.url, outside: outsideOrigins({ host: address, port, allowedHosts }) }),
  });
  const attempts = rateLimit(platform.clock, loginsPerMinute, { many: "attempts to log in", again: "try" });
  const wire: WireServer = createWireServer({
    ...{ broker, platform, verify, limits, hub: identity, control, checkHost, log },
    onDeviceGone: (id) => devices.touch(id),
  });
  const app = createApp({
    ...{ broker, platform, limits, defaultTimeout, identity, prove, log },
    closing: closing.signal,
    auth: { login, verify, attempts, port: () => port },
    web: options.web === undefined ? undefined : webFiles(options.web),
  });
  const mounts = (options.mounts ?? []).map((service) =>
    service(mountContext({ broker, platform, limits, closing: closing.signal, verify })),
  );
  const mountAt = new Map(mounts.flatMap((mount) => mount.paths.map((path) => [path, mount] as const)));
  const answer = getRequestListener((request, env) => app.fetch(request, env), { overrideGlobalObjects: false });
  const server = createServer({ ...upgradeToWebSocketAlone, ...serverOptions(options.connectionLimits) }, (incoming, outgoing) => {
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
      checkHost({ host: incoming.headers.host, origin: incoming.headers.origin });
    } catch (error) {
      for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
      return refuse(outgoing, error);
    }
    if (mount === undefined) return void answer(incoming, outgoing);
    for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
    mount.handle(incoming, outgoing).catch((error: unknown) => {
      if (isFault(toAskboxError(error))) log("error", "A request failed", { path, error: String(error) });
      refuse(outgoing, error);
    });
  });
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
      url = `http://${nameOf(host)}:${port}`;
      return url;
    },
    get url() {
      if (url === undefined) throw new AskboxError("INTERNAL", "The hub does not listen yet; call listen first.");
      return url;
    },
    get connections() {
      return { askers: wire.askers, desks: wire.desks, requests, accepted };
    },
    createLogin: () => login.createLink(),
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
    devices.close();
  }
}

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
