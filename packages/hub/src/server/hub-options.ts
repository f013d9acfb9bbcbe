import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Answerer, Broker, Log, Platform, SharedState } from "@askbox/core";
import type { WireHandlerOptions } from "@askbox/wire";
import type { DeviceStorage } from "../auth/device-record.ts";
import type { LoginLink } from "../auth/login-desk.ts";
import type { TokenStore } from "../auth/token-record.ts";
import type { TokenVerifier } from "../auth/tokens.ts";
import type { Authenticate } from "../auth/verify.ts";
import type { HubLimits } from "../limits/ask-limits.ts";
import type { PendingLedger } from "../limits/pending-ledger.ts";
import type { ConnectionLimits } from "./connection-limits.ts";
import type { FetchBindings } from "./hub-fetch.ts";
import type { MountService } from "./mount.ts";

/** Options of `createHub`. */
export interface HubOptions {
  broker: Broker;
  /** Default `nodePlatform()`. */
  platform?: Platform;
  /** Where the hub is mounted, such as `/askbox`: all its paths begin with it, and requests come with it. Default empty. */
  basePath?: string;
  /** The origin under which browsers reach a hub that is mounted, such as `https://app.example`: for login links, and a name it may be reached by. */
  origin?: string | (() => string);
  /** Origins of pages elsewhere that may talk to the hub, such as `https://app.example`. They show a token; their cookies are not read. */
  allowedOrigins?: readonly string[];
  /**
   * Whose a request is, by what your program knows people by, such as the cookie of a session. Asked about requests without a token and with one that
   * the hub does not know. A WebSocket is asked about as the request that opened it, with the token of its hello as `Authorization`.
   */
  authenticate?: Authenticate;
  /** The tokens that the hub is born with. */
  tokens?: TokenVerifier;
  /** Where the tokens are kept that desks make at `/api/tokens`; without it they are forgotten with the hub. */
  tokenStore?: TokenStore;
  /** Asked about every token that nothing else knows; see `vaultVerifier`. */
  vault?: TokenVerifier;
  /** Told to clients. Default `0.0.0`. */
  version?: string;
  /** Names this run of the hub. Default a new name. */
  instance?: string;
  /** Names this hub, the same in each of its runs and for all of a cluster: browsers' logins are bound to it. Anybody may know it. Default `instance`. */
  identity?: string;
  /** What a desk may ask of the hub over the wire; `stop` must resolve before it calls `close`. Default: nothing to say, and nobody may stop it. */
  control?: WireHandlerOptions["control"];
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

/** A hub: REST, the wire and the web inbox over one broker. Mount it with `fetch` and `upgrade`, or call `listen`. `await using` closes it. */
export interface Hub extends AsyncDisposable {
  /**
   * Answers one request below `basePath`. It never rejects. An outcome counts as delivered once the server that it is mounted on asks for more than the response has; by
   * `nodeListener`, that is when the system has taken it. `bindings` may say where the request comes from, as Hono's `c.env` does on Node.
   */
  fetch(request: Request, bindings?: FetchBindings): Promise<Response>;
  /** Takes a WebSocket at `/ws` below `basePath`: the listener of a Node server's event `upgrade`. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** A server of its own: begins to serve and resolves with the URL; port 0 lets the system choose. Rejects with Node's error, such as `EADDRINUSE`. */
  listen(at?: { host?: string; port?: number }): Promise<string>;
  /** Where it serves. Throws `VALIDATION` before `listen`, where no `origin` was given. */
  readonly url: string;
  readonly connections: HubConnections;
  /** A link with which one browser can log in within 10 minutes. Throws `CONFLICT` when the hub has no page. */
  createLogin(): LoginLink;
  /** Takes another certificate for the connections that come from now on. Throws Node's error when the two do not fit, and when the hub has no TLS. */
  renewTls(tls: TlsFiles): void;
  /** Tells everybody, ends the waits, and resolves when nothing is connected any more, within 5 s. The broker stays its owner's. */
  close(reason?: string): Promise<void>;
}
