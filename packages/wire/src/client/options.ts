import type { Clock, Ids, Log } from "@askbox/core";
import type { Channel } from "../channel/channel.ts";
import { type Hello, wireProtocol } from "../protocol/messages.ts";

/** What a browser stores of its login. */
export interface BrowserLogin {
  id: string;
  /** The identity of the hub that it logged in to. */
  hub: string;
  /** The origin of the page. */
  origin: string;
  /** Random, 16 to 100 characters. */
  nonce(): string;
  /** HMAC-SHA-256 with the login's key, as lower-case hex. */
  mac(text: string): Promise<string>;
}

/** The client's identity: a token, or a browser's login. `protocol` defaults to this package's own. */
export type ClientHello = Omit<Hello, "protocol" | "token" | "login"> & { protocol?: number } & (
    | { token: string; login?: undefined }
    | { login: BrowserLogin; token?: undefined }
  );

/** Why a connection is made. */
export interface Circumstances {
  /** The hub was stopped on purpose, and requests of that time are still waiting: do not start a new hub for them. */
  wasStopped: boolean;
}

/** Options of `createWireClient`. */
export interface WireClientOptions {
  /** Opens a channel to the hub, and may start it. Called again for each reconnect. A rejection counts as a failed attempt. */
  connect(circumstances: Circumstances): Promise<Channel>;
  /** The client's identity. A function is called for each attempt, since a restarted hub may have a new token. */
  hello: ClientHello | (() => ClientHello | Promise<ClientHello>);
  clock: Clock;
  /** For the jitter of reconnecting: from 0 up to, but not including, 1. Default `Math.random`. */
  random?: (() => number) | undefined;
  /** Creates operation ids, which must be unique across clients. */
  ids: Pick<Ids, "session">;
  log?: Log | undefined;
  /**
   * Milliseconds that a request waits for a connection, from the request or the loss of the connection; then it rejects with
   * `HUB_UNREACHABLE`. One attempt is always made and awaited, so 0 means a single attempt. Default 60,000.
   */
  timeout?: number | undefined;
  /** Milliseconds that one attempt may take, from `connect` to the welcome. Default 10,000. */
  attemptTimeout?: number | undefined;
  /** Milliseconds without a message after which the connection counts as dead. Default 30,000. */
  idleTimeout?: number | undefined;
}

/** `lost` follows `open`: the client is reconnecting, or will with the next request. */
export type WireState = "connecting" | "open" | "lost" | "closed";

export const clientDefaults = Object.freeze({ timeout: 60_000, attemptTimeout: 10_000 });

export async function helloOf({ hello }: WireClientOptions): Promise<ClientHello & { protocol: number }> {
  const resolved = typeof hello === "function" ? await hello() : hello;
  return { ...resolved, protocol: resolved.protocol ?? wireProtocol };
}
