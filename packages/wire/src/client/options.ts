import type { Clock, Ids, Log } from "@askbox/core";
import type { Channel } from "../channel/channel.ts";
import type { Hello } from "../protocol/messages.ts";
import { wireProtocol } from "../protocol/version.ts";

/** What a browser has of its login. */
export interface BrowserLogin {
  id: string;
  /** The identity of the hub that it logged in to. */
  hub: string;
  /** Where the page was loaded from. */
  origin: string;
  /** Random, 16 to 100 characters. */
  nonce(): string;
  /** HMAC-SHA-256 with the login's key, as lower-case hex. */
  mac(text: string): Promise<string>;
}

/** Who comes, as the client's user gives it: with a token, or with a browser's login. `protocol` is this package's own unless another is asked for. */
export type ClientHello = Omit<Hello, "protocol" | "token" | "login"> & { protocol?: number } & (
    | { token: string; login?: undefined }
    | { login: BrowserLogin; token?: undefined }
  );

/** In what circumstances a connection is sought. */
export interface Circumstances {
  /** The hub was stopped on purpose, and what was under way then still waits for one: none should be started for it. */
  wasStopped: boolean;
}

/** Options of `createWireClient`. */
export interface WireClientOptions {
  /** Opens a channel to the hub, perhaps starting it. Called again after each loss. A rejection counts as a failed attempt. */
  connect(circumstances: Circumstances): Promise<Channel>;
  /** Who comes. A function is asked again for each attempt, since a hub that was started again may have a new token. */
  hello: ClientHello | (() => ClientHello | Promise<ClientHello>);
  clock: Clock;
  /** For the jitter of reconnecting: from 0 up to, not including, 1. Default `Math.random`. */
  random?: (() => number) | undefined;
  /** Names operations, so that no two clients' ever meet. */
  ids: Pick<Ids, "session">;
  log?: Log | undefined;
  /**
   * Milliseconds that a request waits for a connection, counted from the request or from the loss; then it rejects with
   * `HUB_UNREACHABLE`. One attempt is made and awaited in any case, so 0 means a single one. Default 60,000.
   */
  timeout?: number | undefined;
  /** Milliseconds that one attempt may take, from `connect` to the welcome. Default 10,000. */
  attemptTimeout?: number | undefined;
  /** Milliseconds of silence after which the connection counts as dead. Default 30,000. */
  idleTimeout?: number | undefined;
}

/** `lost` comes after `open`, and means that the client tries to come back, or will with the next request. */
export type WireState = "connecting" | "open" | "lost" | "closed";

export const clientDefaults = Object.freeze({ timeout: 60_000, attemptTimeout: 10_000 });

export async function helloOf({ hello }: WireClientOptions): Promise<ClientHello & { protocol: number }> {
  const given = typeof hello === "function" ? await hello() : hello;
  return { ...given, protocol: given.protocol ?? wireProtocol };
}
