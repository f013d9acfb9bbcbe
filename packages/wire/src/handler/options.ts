import type { Agents, Answerer, Clock, Desk, Grants, Ids, Log } from "@askbox/core";
import type { RanLog } from "@askbox/core/grants";
import type { RelayedAsker } from "@askbox/core/transport";
import type { Challenge, HubInfo, LoginHello } from "../protocol/messages.ts";
import type { Role } from "../protocol/operations.ts";
import type { ToolCallEnd, WireDevice } from "../protocol/schemas.ts";
import { DEFAULT_BUFFERED_BYTES } from "./event-feed.ts";

/** The owner of a token. */
export interface Identity {
  owner: string;
  scopes: readonly Role[];
  /** The device or person the token was given to; takes precedence over the name in the hello. */
  name?: string | undefined;
  /** The name of the token. The name in the hello only counts without one, or with `onBehalf`. */
  tokenName?: string | undefined;
  /** Requests may name the person who gave the answer. */
  onBehalf?: boolean | undefined;
}

/** A challenge for a browser. */
export interface LoginChallenge {
  /** Sent as is: it proves the hub. */
  challenge: Challenge;
  /** The owner of the login, if the page's proof is correct. */
  admit(proof: string): Promise<Identity | undefined>;
}

interface Closable {
  close?(): void;
}

/** Options of `serveWire`. */
export interface WireHandlerOptions {
  /** Sent to every client in the welcome. */
  hub: HubInfo;
  /** Returns undefined for an unknown token. `STORE_UNAVAILABLE` makes the client try again. */
  authenticate(token: string): Promise<Identity | undefined>;
  /** Answers the hello of a logged-in browser; returns undefined for an unknown login. Without it, the hub accepts no browser logins. */
  challenge?: ((login: LoginHello) => Promise<LoginChallenge | undefined>) | undefined;
  /**
   * Called before each request, with the size of its message in bytes; an error that it throws becomes the request's error. The function that
   * it returns, if any, is called when the request is over, unless the channel closes before.
   */
  admit?: ((bytes: number) => (() => void) | undefined) | undefined;
  /** One per channel of an asker; closed with it. */
  asker(owner: string): RelayedAsker & Closable;
  /** One per channel of a desk; closed with it. */
  desk(by: Answerer): Desk & Closable;
  control: {
    /** Plain JSON. */
    status(): Promise<object>;
    /** Resolves once the hub has begun to stop. It must not wait for the channels to close, since this request uses one of them. */
    stop(): Promise<void>;
    /** Called when MCP servers report finished calls. */
    called?(end: ToolCallEnd): void;
  };
  /** How an older hub makes way for a newer client, as the end of a sentence. Default `Update the hub`. */
  makeWay?: string | undefined;
  /** The logged-in browsers; omitted by a hub without a page. */
  devices?: { list(): Promise<WireDevice[]>; revoke(id: string): Promise<boolean> };
  /** The registered agents; without it, agents cannot be registered. */
  agents?: Agents | undefined;
  /** What people have allowed in advance; without it, there are no grants. */
  grants?: Pick<Grants, "list" | "remove"> | undefined;
  /** What ran without a person; without it, nothing is kept. */
  ran?: Pick<RanLog, "list"> | undefined;
  ids: Ids;
  clock: Clock;
  log?: Log | undefined;
  /** Protocol versions to accept. Default `servedProtocols`. */
  protocols?: readonly number[] | undefined;
  /** The largest request of an asker or a desk, in bytes; a larger one is rejected and the channel stays open. Default 262,144. */
  maxMessageBytes?: number | undefined;
  /** The largest message of any client, in bytes; a larger one closes the channel. Default 4,194,304. */
  maxFrameBytes?: number | undefined;
  /** Maximum number of buffered bytes, beyond which changes are dropped and replaced by a later snapshot. Default 1,048,576. */
  maxBufferedBytes?: number | undefined;
  /** Concurrent requests, watches and attendances per channel. Default 2,000. */
  maxActive?: number | undefined;
  /** Milliseconds within which a channel must send its hello. Default 5,000. */
  helloTimeout?: number | undefined;
  /** Milliseconds without a message after which a channel counts as dead. Default 30,000. */
  idleTimeout?: number | undefined;
}

/** The largest hello, in bytes: an unauthenticated client needs no more. */
export const MAX_HELLO_BYTES = 16_384;

export const defaults = Object.freeze({
  maxMessageBytes: 262_144,
  maxFrameBytes: 4_194_304,
  maxBufferedBytes: DEFAULT_BUFFERED_BYTES,
  maxActive: 2_000,
  helloTimeout: 5_000,
});
