import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Answerer, Broker, ErrorCode, Log, Platform, SharedState } from "@askbox/core";
import type { WireHandlerOptions } from "@askbox/wire";
import type { TokenVerifier } from "../auth/access.ts";
import type { DeviceStorage } from "../auth/devices.ts";
import type { LoginLink } from "../auth/login.ts";
import type { TokenStore } from "../auth/named-tokens.ts";
import type { Authenticate } from "../auth/verify.ts";
import type { HubLimits, PendingLedger } from "../limits/ask-limits.ts";
import type { LockedPage } from "../web/host-page.ts";
import type { HubAdvice } from "./advice.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { MountService } from "./mount.ts";

/** Options of `createHub`. */
export interface HubOptions {
  broker: Broker;
  /** Default `nodePlatform()`. */
  platform?: Platform | undefined;
  /** The path under which the hub is mounted, such as `/askbox`: all its paths begin with it, and so do request URLs. Default empty. */
  basePath?: string | undefined;
  /**
   * The origin under which browsers reach a mounted hub, such as `https://app.example`: used for login links, and accepted as a host name. If a
   * proxy strips a prefix from paths before your program sees them, include it: `https://app.example/tools`.
   */
  origin?: (string | (() => string)) | undefined;
  /** Other origins whose pages may talk to the hub, such as `https://app.example`. They must send a token; cookies, and what middleware has read from them, are ignored. */
  allowedOrigins?: readonly string[] | undefined;
  /**
   * Identifies who sent a request, by any means your program uses, such as a session cookie. Called for requests without a token and with a token that
   * the hub does not know. A person whom it knows needs no login link for the web inbox. For a WebSocket, it gets the request that opened it, with the token of its hello as `Authorization`.
   */
  authenticate?: Authenticate | undefined;
  /** The hub's initial tokens. */
  tokens?: TokenVerifier | undefined;
  /** Lets a machine join that shows a token of its own instead of a code, such as a CI job with one of its service. Throws `UNAUTHORIZED`. */
  joinByToken?: ((token: string) => Promise<{ name: string; expiresIn: number }>) | undefined;
  /** Stores the tokens that desks create at `/api/tokens`; without it, they are lost when the hub closes. */
  tokenStore?: TokenStore | undefined;
  /** Called for every token that nothing else knows; see `vaultVerifier`. */
  vault?: TokenVerifier | undefined;
  /** Reported to clients. Default `0.0.0`. */
  version?: string | undefined;
  /** Identifies this run of the hub. Default: a new id. */
  instance?: string | undefined;
  /** Identifies this hub across its runs and for a whole cluster; browser logins are bound to it. Not secret. Default `instance`. */
  identity?: string | undefined;
  /** What a desk can request from the hub over the wire; `stop` must resolve before it calls `close`. Default: an empty status, and nobody can stop it. */
  control?: WireHandlerOptions["control"] | undefined;
  /** Answers a nonce at `/healthz`, so that a client can verify the hub before it sends its token. */
  prove?: ((nonce: string) => string) | undefined;
  /**
   * Host names besides loopback under which the hub can be reached. A name without a port matches any port of a `Host`; pages must come from
   * there with the right scheme and port, too.
   */
  allowedHosts?: readonly string[] | undefined;
  limits?: HubLimits | undefined;
  connectionLimits?: ConnectionLimits | undefined;
  /** Additional services with their own paths. */
  mounts?: readonly MountService[] | undefined;
  /** Counts pending sessions for the limits; create it from a store with `pendingLedger`. Without it, all pending sessions count for everyone. */
  pending?: Omit<PendingLedger, "close"> | undefined;
  /** Milliseconds; for REST asks without a timeout. Default 300,000. */
  defaultTimeout?: number | undefined;
  /** Stores logged-in browsers; without it, they are logged out when the hub closes. */
  devices?: DeviceStorage | undefined;
  /**
   * State shared with other hubs that serve the same inbox: browsers, login codes, named tokens and rate limits. It replaces `devices` and `tokenStore`.
   * `name` distinguishes these hubs from others that a browser may reach under the same host name.
   */
  cluster?: { shared: SharedState; name: string } | undefined;
  /** The folder of the built web inbox; without it the hub serves no page. */
  web?: string | undefined;
  /** The ends of the hub's sentences about logins, tokens and hosts, by your program's own terms; see `HubAdvice` for the defaults. */
  advice?: Partial<HubAdvice> | undefined;
  /**
   * What the web inbox shows to people who are not logged in. Default: a sentence that they log in to your program. `"askbox open"`: to run that
   * command, which only askbox' own hub has.
   */
  locked?: LockedPage | "askbox open" | undefined;
  /** Serve over TLS. */
  tls?: TlsFiles | undefined;
  /**
   * What `/readyz` reports in addition to `status`, without authentication; it must reject while the hub cannot serve requests, for example
   * if its store is unavailable.
   */
  readiness?: (() => Promise<Record<string, unknown>>) | undefined;
  /** Called with the code of every error that answers a request over HTTP, for metrics; mounts count what they answer themselves. */
  onRefused?: ((code: ErrorCode) => void) | undefined;
  log?: Log | undefined;
}

/** A certificate with its chain, and its private key; both as PEM. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** Who is connected to a hub. */
export interface HubConnections {
  askers: number;
  /** Calls waiting over the wire; their clients reconnect to the next hub when this one closes. */
  waits: number;
  desks: readonly Answerer[];
  /** Open HTTP requests. */
  requests: number;
  /** Requests and connections since the hub started. */
  accepted: number;
}

/** A hub: REST, the wire and the web inbox over one broker. Mount it with `fetch` and `upgrade`, or call `listen`. `await using` closes it. */
export interface Hub extends AsyncDisposable {
  /**
   * Answers one request below `basePath`. It never rejects. An outcome counts as delivered once the server that it is mounted on asks for
   * more after the last chunk; with `nodeListener`, that is when the system has accepted it. `bindings` can provide the client's address,
   * like Hono's `c.env` on Node.
   */
  fetch(request: Request, bindings?: FetchBindings): Promise<Response>;
  /** Accepts a WebSocket at `/ws` under `basePath`: the listener for a Node server's `upgrade` event. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Starts a separate server and resolves with its URL; port 0 lets the system choose. Rejects with Node's error, such as `EADDRINUSE`. */
  listen(at?: { host?: string; port?: number }): Promise<string>;
  /**
   * Also listens on a socket in the file system that only its owner can open, for containers that mount it and tunnels. A socket that a dead
   * hub left is replaced. Rejects with Node's error, such as `EADDRINUSE`.
   */
  listenOnSocket(path: string): Promise<void>;
  /** The hub's URL. Throws `VALIDATION` before `listen` if no `origin` was given. */
  readonly url: string;
  readonly connections: HubConnections;
  /**
   * A link that logs in one browser within 10 minutes. Answers from it carry the name of `person`, or else the browser's, such as "Firefox on
   * Linux". Throws `CONFLICT` if the hub has no page.
   */
  createLogin(options?: { person?: string | undefined }): LoginLink;
  /** Whether a named token of this owner is gone. Rejects with what the store of tokens rejects with. */
  wasRevoked(owner: string): Promise<boolean>;
  /** Uses a new certificate for new connections. Throws Node's error if the certificate and key do not match, or if the hub has no TLS. */
  renewTls(tls: TlsFiles): void;
  /** Notifies all clients, ends waits, and resolves once nothing is connected, within 5 s. It does not close the broker. */
  close(reason?: string): Promise<void>;
}

/** Information about a request's connection; compatible with the bindings of Hono's Node server. */
export interface FetchBindings {
  incoming?: IncomingMessage | undefined;
}
